# One page of the site from one Markdown file of the project:
#
#     awk -v pages=FILE -v page=sim.html -v folder=sim -f markdown.awk sim/README.md
#
# `pages` has a line for each page: the path of its source, the page, its label in
# the menu ("-": none).  What the project's texts use is understood: headings,
# paragraphs, lists, tables, indented and fenced code, `code`, **bold**, *italics*,
# links, images.  A link to a source that is no page is text alone.  Images are
# listed in the file `images`.  HTML in a text (a line that begins with <) passes.

function escape(s) {
    gsub(/&/, "\\&amp;", s)
    gsub(/</, "\\&lt;", s)
    gsub(/>/, "\\&gt;", s)
    return s
}

# The path of a link from this file's folder: ../validate/README.md of sim is
# validate/README.md.
function resolve(path,    parts, n, i, kept, count, out) {
    n = split((folder == "" ? "" : folder "/") path, parts, "/")
    for (i = 1; i <= n; i++) {
        if (parts[i] == ".." && count > 0)
            count--
        else if (parts[i] != "." && parts[i] != "")
            kept[++count] = parts[i]
    }
    for (i = 1; i <= count; i++)
        out = out (i > 1 ? "/" : "") kept[i]
    return out
}

function link(text, target,    anchor, path) {
    if (target ~ /^https?:/ || target ~ /^#/)
        return "<a href=\"" target "\">" text "</a>"
    anchor = target ~ /#/ ? substr(target, index(target, "#")) : ""
    sub(/#.*/, "", target)
    path = resolve(target)
    if (!(path in page_of) && (path "/README.md") in page_of)
        path = path "/README.md"
    if (path in page_of)
        return "<a href=\"" page_of[path] anchor "\">" text "</a>"
    return text
}

function image(text, target,    name) {
    name = resolve(target)
    print name >>images
    gsub(/\//, "-", name)
    return "<img src=\"" name "\" alt=\"" text "\">"
}

# Code, links and images are set aside first, as nothing within them is a mark, but
# they may stand in bold text.
function marks(s,    out, at, kept, count, shown, target) {
    out = ""
    while (match(s, /`[^`]+`|!?\[[^]]*\]\([^)]*\)/)) {
        at = substr(s, RSTART, RLENGTH)
        out = out substr(s, 1, RSTART - 1) "\001" ++count "\001"
        s = substr(s, RSTART + RLENGTH)
        if (at ~ /^`/) {
            kept[count] = "<code>" escape(substr(at, 2, length(at) - 2)) "</code>"
            continue
        }
        shown = at
        sub(/^!?\[/, "", shown)
        sub(/\]\(.*/, "", shown)
        target = at
        sub(/^[^]]*\]\(/, "", target)
        sub(/\)$/, "", target)
        kept[count] = at ~ /^!/ ? image(escape(shown), target) : link(marks(shown), target)
    }
    out = faces(out s)
    for (; count > 0; count--) {
        at = index(out, "\001" count "\001")
        out = substr(out, 1, at - 1) kept[count] substr(out, at + length(count) + 2)
    }
    return out
}

# Bold and italics; a lone asterisk stays.
function faces(s,    out, at) {
    s = escape(s)
    out = ""
    while (match(s, /\*\*[^*]+\*\*|\*[^* ][^*]*[^* ]\*/)) {
        at = substr(s, RSTART, RLENGTH)
        out = out substr(s, 1, RSTART - 1)
        s = substr(s, RSTART + RLENGTH)
        if (at ~ /^\*\*/)
            out = out "<strong>" substr(at, 3, length(at) - 4) "</strong>"
        else
            out = out "<em>" substr(at, 2, length(at) - 2) "</em>"
    }
    return out s
}

function anchor_of(s) {
    s = tolower(s)
    gsub(/[^a-z0-9 _-]/, "", s)
    gsub(/ /, "-", s)
    return s
}

# Ends what is open: a paragraph, a list, a table, code.
function close_block() {
    if (block == "p")
        print "<p>" marks(text) "</p>"
    else if (block == "li")
        print "<li>" marks(text) "</li>\n</" list ">"
    else if (block == "table")
        print "</tbody></table></div>"
    else if (block == "code")
        print "</code></pre>"
    block = text = ""
}

function open_item(kind, item) {
    if (block == "li" && list == kind)
        print "<li>" marks(text) "</li>"
    else {
        close_block()
        list = kind
        print "<" list ">"
    }
    block = "li"
    text = item
}

function row(line, cell,    cells, n, i) {
    gsub(/^\| *| *\|$/, "", line)
    n = split(line, cells, / *\| */)
    printf "<tr>"
    for (i = 1; i <= n; i++)
        printf "<%s>%s</%s>", cell, marks(cells[i]), cell
    print "</tr>"
}

BEGIN {
    while ((getline line < pages) > 0) {
        split(line, f, "\t")
        page_of[f[1]] = f[2]
        if (f[3] != "-") {
            menu[++items] = f[2]
            label[items] = f[3]
        }
    }
    close(pages)
}

FNR == 1 {
    title = $0
    sub(/^# */, "", title)
    print "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">"
    print "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
    print "<title>" escape(title) (title == "collsim" ? "" : " - collsim") "</title>"
    print "<link rel=\"stylesheet\" href=\"style.css\">\n</head>\n<body>"
    print "<a class=\"skip\" href=\"#text\">to the text</a>\n<nav aria-label=\"pages\"><ul>"
    for (i = 1; i <= items; i++)
        print "<li><a href=\"" menu[i] "\"" (menu[i] == page ? " aria-current=\"page\"" : "") ">" \
            label[i] "</a></li>"
    print "</ul></nav>\n<main id=\"text\">"
}

fenced && /^```/ { fenced = 0; close_block(); next }
fenced { print escape($0); next }
/^```/ { close_block(); fenced = 1; block = "code"; printf "<pre tabindex=\"0\"><code>"; next }

/^    / && block != "p" && block != "li" {
    if (block != "code") {
        close_block()
        block = "code"
        printf "<pre tabindex=\"0\"><code>"
    } else
        while (gap-- > 0)
            print ""
    gap = 0
    print escape(substr($0, 5))
    next
}

/^$/ {
    if (block == "code")
        gap++
    else
        close_block()
    next
}

block == "code" { close_block(); gap = 0 }

/^#+ / {
    close_block()
    level = index($0, " ") - 1
    text = substr($0, level + 2)
    print "<h" level " id=\"" anchor_of(text) "\">" marks(text) "</h" level ">"
    text = ""
    next
}

/^\|[-:| ]+\|$/ { next }
/^\|/ {
    if (block != "table") {
        close_block()
        block = "table"
        print "<div class=\"wide\" tabindex=\"0\"><table><thead>"
        row($0, "th")
        print "</thead><tbody>"
    } else
        row($0, "td")
    next
}

/^[-*] / { open_item("ul", substr($0, 3)); next }
/^[0-9]+\. / { item = $0; sub(/^[0-9]+\. +/, "", item); open_item("ol", item); next }
/^</ { close_block(); print; next }

{
    if (block != "p" && block != "li") {
        close_block()
        block = "p"
    }
    line = $0
    sub(/^ +/, "", line)
    text = text (text == "" ? "" : " ") line
}

END {
    close_block()
    print "</main>\n<footer>collsim " version ", made by <code>make docs</code> from the project's own texts.</footer>"
    print "</body>\n</html>"
}
