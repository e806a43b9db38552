#include "reports/results/column.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* NULL: behind a NULL. */
static const void *column_member(const struct cs_member *member, const void *row)
{
    const char *object = row;

    for (uint32_t p = 0; p < member->pointers && object; p++)
        memcpy(&object, object + member->at[p], sizeof object);
    return object ? object + member->at[member->pointers] : NULL;
}

static double column_real(const void *member)
{
    double real;

    memcpy(&real, member, sizeof real);
    return real;
}

static const char *column_pointer(const void *member)
{
    const char *text;

    memcpy(&text, member, sizeof text);
    return text;
}

static uint64_t column_u64(enum cs_member_type type, const void *member)
{
    union {
        bool boolean;
        uint8_t u8;
        uint16_t u16;
        uint32_t u32;
        int integer;
        uint64_t u64;
    } is;

    switch (type) {
    case CS_MEMBER_BOOL:
        memcpy(&is.boolean, member, sizeof is.boolean);
        return is.boolean;
    case CS_MEMBER_U8:
        memcpy(&is.u8, member, sizeof is.u8);
        return is.u8;
    case CS_MEMBER_U16:
        memcpy(&is.u16, member, sizeof is.u16);
        return is.u16;
    case CS_MEMBER_U32:
        memcpy(&is.u32, member, sizeof is.u32);
        return is.u32;
    case CS_MEMBER_INT:
        memcpy(&is.integer, member, sizeof is.integer);
        return (uint64_t)is.integer;
    default:
        assert(type == CS_MEMBER_U64);
        memcpy(&is.u64, member, sizeof is.u64);
        return is.u64;
    }
}

static const char *column_text(const struct cs_sheet_column *column, const void *row)
{
    const void *member = column_member(&column->member, row);

    if (column->text)
        return column->text(row);
    if (!member)
        return NULL;
    if (column->words)
        return column->words[column_u64(column->member.type, member)];
    if (column->member.type == CS_MEMBER_CHARS)
        return member;
    assert(column->member.type == CS_MEMBER_TEXT);
    return column_pointer(member);
}

static struct cs_sheet_cell column_text_cell(const struct cs_sheet_column *column, const void *row)
{
    const char *text = column_text(column, row);

    if (!text && column->known == CS_OR_EMPTY)
        text = "";
    return (struct cs_sheet_cell){text != NULL, {.text = text}};
}

static struct cs_sheet_cell column_real_cell(const struct cs_sheet_column *column, double number)
{
    bool known = isfinite(number) && (column->known != CS_IF_POSITIVE || number > 0);

    if (!cs_sheet_is_u64(column->kind))
        return (struct cs_sheet_cell){known, {.real = number}};
    if (!known)
        return (struct cs_sheet_cell){0};
    return (struct cs_sheet_cell){
        true,
        {.u64 = column->kind == CS_SHEET_BYTES || column->kind == CS_SHEET_MEMORY
                    ? (uint64_t)number
                    : (uint64_t)llround(number)}};
}

static struct cs_sheet_cell column_u64_cell(const struct cs_sheet_column *column, uint64_t number)
{
    bool known = number != UINT64_MAX && (number > 0 || column->known != CS_IF_POSITIVE);

    if (column->kind == CS_SHEET_BOOL)
        return (struct cs_sheet_cell){known, {.boolean = number != 0}};
    if (cs_sheet_is_u64(column->kind))
        return (struct cs_sheet_cell){known, {.u64 = number}};
    return (struct cs_sheet_cell){known, {.real = (double)number}};
}

static bool column_is_set(const struct cs_member *gate, const void *row)
{
    const void *member = column_member(gate, row);

    if (gate->type == CS_MEMBER_TEXT)
        return column_pointer(member) && *column_pointer(member);
    if (gate->type == CS_MEMBER_CHARS)
        return *(const char *)member;
    if (gate->type == CS_MEMBER_REAL)
        return column_real(member) != 0;
    return column_u64(gate->type, member) != 0;
}

struct cs_sheet_cell cs_column_cell(const struct cs_sheet_column *column, const void *row)
{
    const void *member;

    if (column->gate.type && column_is_set(&column->gate, row) == column->unless)
        return column->known == CS_OR_EMPTY && cs_sheet_is_text(column->kind)
                   ? (struct cs_sheet_cell){true, {.text = ""}}
                   : (struct cs_sheet_cell){0};
    if (cs_sheet_is_text(column->kind))
        return column_text_cell(column, row);
    if (column->real)
        return column_real_cell(column, column->real(row));
    member = column_member(&column->member, row);
    if (!member)
        return (struct cs_sheet_cell){0};
    if (column->member.type != CS_MEMBER_REAL)
        return column_u64_cell(column, column_u64(column->member.type, member));
    return column_real_cell(column, column_real(member));
}

uint64_t cs_column_number(const struct cs_sheet_column *column, const void *row)
{
    return column_u64(column->member.type, (const char *)row + column->member.at[0]);
}

void cs_column_set(const struct cs_sheet_column *column, struct cs_sheet_cell cell, void *row)
{
    char *member = (char *)row + column->member.at[0];
    const char *text = cell.known ? cell.is.text : NULL;
    double real = cell.known ? cell.is.real : (double)NAN;
    uint64_t u64 = cell.known ? cell.is.u64 : 0;
    bool boolean;

    switch (column->member.type) {
    case CS_MEMBER_TEXT:
        memcpy(member, &text, sizeof text);
        break;
    case CS_MEMBER_REAL:
        memcpy(member, &real, sizeof real);
        break;
    case CS_MEMBER_BOOL: /* the other members of the cell are no bool */
        boolean = cell.known && cell.is.boolean;
        memcpy(member, &boolean, sizeof boolean);
        break;
    case CS_MEMBER_U32:
        memcpy(member, &(uint32_t){(uint32_t)u64}, sizeof(uint32_t));
        break;
    default:
        assert(column->member.type == CS_MEMBER_U64);
        memcpy(member, &u64, sizeof u64);
    }
}
