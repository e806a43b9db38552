# collsim: build, test, install.  `make help` lists the targets.

VERSION := 0.1.0
MODE    ?= release
PREFIX  ?= /usr/local
DESTDIR ?=
FUZZ_SECONDS ?= 60
JOBS    ?= $(shell nproc 2>/dev/null || echo 2)

MAKEFLAGS += --no-builtin-rules
# `make` alone takes all cores, unless -j says otherwise.
ifeq ($(MAKELEVEL)$(filter-out all,$(MAKECMDGOALS)),0)
MAKEFLAGS += -j$(JOBS)
endif
.SUFFIXES:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all

BUILD := build/$(MODE)
CC    ?= cc
ifeq ($(origin CC),default)
CC := cc
endif

# What each MODE adds.  Assertions stay on in all of them.  -g1 has functions and lines; a
# release's variables would take a quarter of the compiler's time.
FLAGS_release := -O2 -g1 -fPIC -fvisibility=hidden
FLAGS_debug   := -Og -g3 -fPIC -fvisibility=hidden
FLAGS_san     := -O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=all \
                 -fsanitize=address,undefined
FLAGS_tsan    := -O1 -g -fno-omit-frame-pointer -fsanitize=thread
FLAGS_cov     := -O0 -g --coverage
FLAGS_fuzz    := -O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=all \
                 -fsanitize=fuzzer-no-link,address,undefined \
                 -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
# For tests/mutate/: the product is a shared library; which blocks ran is recorded.
FLAGS_mutate := -O1 -fPIC -fno-semantic-interposition
FLAGS_reach := -Og -g1 -fPIC -fsanitize-coverage=trace-pc
# gcc's own null checks make it think that any format may be null.
FLAGS_san += -Wno-format-truncation -Wno-format-overflow
ifeq ($(FLAGS_$(MODE)),)
$(error MODE is one of release, debug, san, tsan, cov; not '$(MODE)')
endif
ifeq ($(MODE),fuzz)
CC := clang
endif

# The same answer everywhere: no fused multiply-add, no fast-math.
# _GNU_SOURCE opens POSIX and M_PI to -std=c17.
WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
            -Werror=implicit-function-declaration -Werror=implicit-int \
            -Werror=incompatible-pointer-types -Werror=int-conversion \
            -Werror=return-type
# GSL=no: without GSL, which is under the GPL, and without the fits that need it.
GSL ?= yes
WITH_GSL := $(filter-out no,$(GSL))
export GSL
PACKAGES := yaml-0.1 expat sqlite3 $(if $(WITH_GSL),gsl) zlib
PKG_CFLAGS := $(shell pkg-config --cflags $(PACKAGES) 2>/dev/null)
PKG_LIBS   := $(or $(shell pkg-config --libs $(PACKAGES) 2>/dev/null),\
                   -lyaml -lexpat -lsqlite3 $(if $(WITH_GSL),-lgsl -lgslcblas) -lz)
# Without root .ci/packages unpacks the libraries there.
UNPACKED := $(wildcard $(CURDIR)/build/packages/usr)
ifneq ($(UNPACKED),)
PKG_CFLAGS += -I$(UNPACKED)/include
UNPACKED_LIBS := $(UNPACKED)/lib/$(shell $(CC) -print-multiarch)
PKG_LIBS += -L$(UNPACKED_LIBS) -Wl,-rpath,$(UNPACKED_LIBS)
endif
ALL_CPPFLAGS := -I. -D_GNU_SOURCE -DCS_VERSION='"$(VERSION)"' $(PKG_CFLAGS) \
                $(CPPFLAGS)
ALL_CFLAGS = -std=c17 -ffp-contract=off $(WARNINGS) $(FLAGS_$(MODE)) $(LEVEL) $(CFLAGS)
LIBS := $(PKG_LIBS) -lm

# What lines and predictions name as their sources.
COMMIT := $(or $(shell [ -e .git ] && git describe --always --dirty 2>/dev/null),unknown)

# A source file is built because it is there.
PARTS   := sim topo algorithms validate reports scenarios
# write_tables.c is a program of its own, and platform.c a part of collsim.wasm alone.
SOURCES := $(filter-out validate/cuda/tables/% scenarios/wasm/%,$(sort $(shell find $(PARTS) -name '*.c')))
WITHOUT_GSL := $(BUILD)/without_gsl/least_squares.o
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o)
ifeq ($(WITH_GSL),)
OBJECTS := $(patsubst %/sim/base/least_squares.o,$(WITHOUT_GSL),$(OBJECTS))
endif
# Commands wait for what they call: -O1 compiles them in two thirds of the time.
COLD := $(filter-out scenarios/train/%,$(filter validate/% scenarios/%,$(SOURCES)))
ifeq ($(MODE),release)
$(COLD:%.c=$(BUILD)/%.o): private LEVEL := -O1
endif
MAIN    := $(BUILD)/scenarios/main.o
LIBRARY := $(BUILD)/libcollsim.a
LIBRARY_OBJECTS := $(filter-out $(MAIN),$(OBJECTS)) $(BUILD)/library.o \
                   $(BUILD)/library_text.o $(BUILD)/transports.o \
                   $(BUILD)/transports_text.o $(BUILD)/labs.o $(BUILD)/labs_text.o \
                   $(BUILD)/pages.o $(BUILD)/engine.o $(BUILD)/script.o \
                   $(BUILD)/published.o $(BUILD)/training.o

# libcollsim: what a host links, under $(HOST), with the public calls as its only symbols.
HOST    := $(BUILD)/host
RELEASE := $(subst ., ,$(VERSION))
# Symbols and meanings stay within a major version; within a minor one of 0.x.
SONAME  := libcollsim.so.$(word 1,$(RELEASE))$(if $(filter 0,$(word 1,$(RELEASE))),.$(word 2,$(RELEASE)))

# A mutant of one file is one object and one link: tests stay as they are.
ifneq ($(filter mutate reach,$(MODE)),)
LIBRARY := $(BUILD)/libcollsim.so
endif

# The machines of topo/library are part of the program; in order of name.
MACHINES := $(sort $(basename $(notdir $(wildcard topo/library/*.yaml))))

TRANSPORTS := $(sort $(basename $(notdir $(wildcard topo/transports/*.yaml))))

# Labs in the order of the course, then the quiz.
LABS := $(sort $(basename $(notdir $(wildcard scenarios/course/labs/*.md))))

PAGES := $(sort $(notdir $(wildcard $(addprefix reports/explain/*.,html css js))))

TEST_SOURCES := $(sort $(shell find tests/unit tests/prop -name '*_test.c' -o -name '*_prop.c'))
TEST_SUPPORT := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/support/*.c))
FUZZ_SOURCES := $(wildcard tests/fuzz/fuzz_*.c)
TESTS   := $(TEST_SOURCES:%.c=$(BUILD)/%)
REPLAYS := $(FUZZ_SOURCES:%.c=$(BUILD)/%_replay)
GOLDEN  := $(wildcard tests/golden/*.t)
SYSTEM  := $(wildcard tests/system/*.sh)
# Scripts that only `make check-all` names.
LONG    ?=

# make V=1 shows the commands, make V= nothing at all.
V ?= 0
Q := $(if $(filter 1,$(V)),,@)
say = $(if $(filter 0,$(V)),@printf '  %-5s %s\n' $(1) $(2))

.PHONY: docs library wasm wheel static deb portable mutate check-all gpu cuda-tables cuda-selftest validate estimates all demo test check lint bench cov golden-update format install \
        install-library uninstall clean help programs FORCE

all: collsim $(BUILD)/collsim.1 $(BUILD)/collsim.bash ## build ./collsim (MODE=release|debug|san|tsan|cov)

collsim: $(BUILD)/collsim FORCE
	@ln -f $< $@ 2>/dev/null || cp -f $< $@

$(BUILD)/collsim: $(MAIN) $(LIBRARY)
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# The program prints its options for the man page, at the lines that name the
# command, and for the completion of bash.
$(BUILD)/collsim.1: scenarios/collsim.1 $(BUILD)/collsim
	@awk '/^\.\\" collsim help / { fflush(); system("$(BUILD)/collsim help " $$4); next } { print }' \
	    $< >$@

$(BUILD)/collsim.bash: scenarios/collsim.bash $(BUILD)/collsim
	@{ $(BUILD)/collsim help bash; cat $<; } >$@

$(BUILD)/libcollsim.a: $(LIBRARY_OBJECTS) $(BUILD)/sources.list
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $(LIBRARY_OBJECTS)

TRACE := $(if $(filter reach,$(MODE)),$(BUILD)/tests/mutate/trace.o)
SHARE = $(CC) $(ALL_CFLAGS) $(LDFLAGS) -shared -Wl,-soname,libcollsim.so -Wl,-Bsymbolic \
        -o $@ $(LIBRARY_OBJECTS) $(TRACE) $(LIBS)
$(BUILD)/libcollsim.so: $(LIBRARY_OBJECTS) $(TRACE) $(BUILD)/sources.list
	$(call say,LINK,$@)
	$(Q)$(SHARE) && echo "$(SHARE)" >$(BUILD)/link

$(BUILD)/%.o: %.c $(BUILD)/flags | build/packages.stamp
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(WITHOUT_GSL): sim/base/least_squares.c $(BUILD)/flags | build/packages.stamp
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CPPFLAGS) -DCS_NO_GSL $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# A file as a text of the program: $(1) is its name, $(2) the file; both may have variables of
# the shell.
text = echo "    .globl $(1)"; echo "$(1):"; echo "    .incbin \"$(2)\""; echo '    .byte 0'

# Pages of reports/explain/ are part of the program: player.html is cs_page_player_html.
$(BUILD)/pages.S: $(PAGES:%=reports/explain/%) $(BUILD)/sources.list
	@{ echo '    .section .rodata'; \
	   for file in $(PAGES); do \
	       $(call text,cs_page_$$(echo $$file | tr . _),reports/explain/$$file); \
	   done; \
	   echo '    .section .note.GNU-stack,"",%progbits'; } >$@

$(BUILD)/pages.o: $(BUILD)/pages.S
	$(Q)$(CC) -c -o $@ $<

# So is the engine of pages, where `make wasm` has built it.
ENGINE := $(if $(filter release debug,$(MODE)),$(wildcard build/wasm/collsim.base64))
$(BUILD)/engine.list: FORCE
	@mkdir -p $(@D)
	@echo '$(ENGINE)' | cmp -s - $@ || echo '$(ENGINE)' >$@

define ENGINE_TEXT
	@mkdir -p $(@D)
	@{ echo '    .section .rodata'; \
	   echo '    .globl cs_engine_base64'; echo 'cs_engine_base64:'; \
	   $(if $(1),echo '    .incbin "$(1)"';) \
	   echo '    .byte 0'; \
	   echo '    .section .note.GNU-stack,"",%progbits'; } >$@
endef
$(BUILD)/engine.S: $(ENGINE) $(BUILD)/engine.list
	$(call ENGINE_TEXT,$(ENGINE))

$(BUILD)/without_engine/engine.S: Makefile
	$(call ENGINE_TEXT)

$(BUILD)/engine.o $(BUILD)/without_engine/engine.o: %.o: %.S
	$(Q)$(CC) -c -o $@ $<

# What is to stay small has pages without it.
small = $(patsubst $(BUILD)/engine.o,$(BUILD)/without_engine/engine.o,$(1))

# Predictions name the sources that they were made by.
$(BUILD)/validate/gpu/prediction_list.o: private ALL_CPPFLAGS += -DCS_COMMIT='"$(COMMIT)"'
$(BUILD)/validate/gpu/prediction_list.o: $(BUILD)/commit

$(BUILD)/commit: FORCE
	@mkdir -p $(@D)
	@echo '$(COMMIT)' | cmp -s - $@ || echo '$(COMMIT)' >$@

# So is the script behind `collsim measure cuda --all`.
$(BUILD)/script.S: validate/cuda/measure.sh $(BUILD)/sources.list
	@{ echo '    .section .rodata'; \
	   $(call text,cs_measure_script,validate/cuda/measure.sh); \
	   echo '    .section .note.GNU-stack,"",%progbits'; } >$@

$(BUILD)/script.o: $(BUILD)/script.S
	$(Q)$(CC) -c -o $@ $<

# Tables of measurements are part of it, packed: published/rows.csv is cs_published_rows_packed,
# whose first eight bytes are the length of the rest.
$(BUILD)/%.csv.gz: validate/data/%.csv
	@mkdir -p $(@D) && gzip -9nc $< >$@

pack = for name in $(2); do \
           echo "    .globl cs_$(1)_$${name}_packed"; \
           echo "cs_$(1)_$${name}_packed:"; \
           echo '    .quad 2f - 1f'; \
           echo "1:  .incbin \"$(BUILD)/$(1)/$$name.csv.gz\""; \
           echo '2:'; \
       done

# And the published measurements: score.csv is cs_published_score_text.
# Estimates rewrite definitions: nccl_parameters.def is cs_nccl_parameters_text.
PUBLISHED := tables rows
ESTIMATED := nccl/parameters host/parameters nccl/intervals
$(BUILD)/published.S: $(PUBLISHED:%=$(BUILD)/published/%.csv.gz) validate/data/published/score.csv \
                      $(ESTIMATED:%=algorithms/libraries/%.def) $(BUILD)/sources.list
	@{ echo '    .section .rodata'; \
	   $(call pack,published,$(PUBLISHED)); \
	   $(call text,cs_published_score_text,validate/data/published/score.csv); \
	   for name in $(ESTIMATED); do \
	       $(call text,cs_$$(echo $$name | tr / _)_text,algorithms/libraries/$$name.def); \
	   done; \
	   echo '    .section .note.GNU-stack,"",%progbits'; } >$@

$(BUILD)/published.o: $(BUILD)/published.S
	$(Q)$(CC) -c -o $@ $<

# And the published training steps.
TRAINING := machines tables series rows
$(BUILD)/training.S: $(TRAINING:%=$(BUILD)/training/%.csv.gz) validate/data/training/score.csv $(BUILD)/sources.list
	@{ echo '    .section .rodata'; \
	   $(call pack,training,$(TRAINING)); \
	   $(call text,cs_training_score_text,validate/data/training/score.csv); \
	   echo '    .section .note.GNU-stack,"",%progbits'; } >$@

$(BUILD)/training.o: $(BUILD)/training.S
	$(Q)$(CC) -c -o $@ $<

# The files of a folder are part of the program, as a table of texts: $(1) is the folder,
# $(2) the table, $(3) the files' names, $(4) their ending, $(5) the folder above.
define EMBED
$$(BUILD)/$(1).o: $$(BUILD)/$(1).c $$(BUILD)/flags | build/packages.stamp
	$$(Q)$$(CC) $$(ALL_CPPFLAGS) $$(ALL_CFLAGS) -MMD -MP -c -o $$@ $$<

$$(BUILD)/$(1)_text.o: $$(BUILD)/$(1).S
	$$(Q)$$(CC) -c -o $$@ $$<

$$(BUILD)/$(1).S: $(3:%=$(5)/$(1)/%.$(4)) $$(BUILD)/sources.list Makefile
	@{ echo '    .section .rodata'; i=0; \
	   for name in $(3); do \
	       echo "    .globl $(2)_text_$$$$i"; \
	       echo "$(2)_text_$$$$i:"; \
	       echo "    .incbin \"$(5)/$(1)/$$$$name.$(4)\""; \
	       echo '    .byte 0'; i=$$$$((i + 1)); \
	   done; \
	   echo '    .section .note.GNU-stack,"",%progbits'; } >$$@

$$(BUILD)/$(1).c: $(3:%=$(5)/$(1)/%.$(4)) $$(BUILD)/sources.list Makefile
	@{ echo '#include "topo/transports/transport.h"'; i=0; \
	   for name in $(3); do \
	       echo "extern const char $(2)_text_$$$$i[];"; i=$$$$((i + 1)); \
	   done; i=0; \
	   echo 'const struct cs_library_file $(2)[] = {'; \
	   for name in $(3); do \
	       length=$$$$(wc -c <$(5)/$(1)/$$$$name.$(4)); \
	       echo "    {\"$$$$name\", $(2)_text_$$$$i, $$$$((length))},"; \
	       i=$$$$((i + 1)); \
	   done; \
	   echo '    {0}, /* not counted */'; echo '};'; \
	   echo "const size_t $(2:s=)_count = $$$$i;"; } >$$@
endef

$(eval $(call EMBED,library,cs_machine_files,$(MACHINES),yaml,topo))
$(eval $(call EMBED,transports,cs_transports,$(TRANSPORTS),yaml,topo))
$(eval $(call EMBED,labs,cs_labs,$(LABS),md,scenarios/course))

# Both are rewritten only when they change, so that a removed source, a new
# machine or another flag rebuilds what it must and nothing else.
$(BUILD)/sources.list: FORCE
	@mkdir -p $(@D)
	@echo '$(OBJECTS) $(MACHINES) $(TRANSPORTS) $(LABS) $(PAGES) $(PUBLISHED)' | cmp -s - $@ || \
	    echo '$(OBJECTS) $(MACHINES) $(TRANSPORTS) $(LABS) $(PAGES) $(PUBLISHED)' >$@

define FLAGS_TEXT
$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS)
endef
export FLAGS_TEXT
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@echo "$$FLAGS_TEXT" | cmp -s - $@ || { \
	    echo __SIZEOF_INT128__ | $(CC) $(ALL_CFLAGS) -E -P -x c - | grep -q 16 || { \
	        echo "$(CC) $(CFLAGS) has no integers of 128 bits: collsim needs a compiler for 64-bit hosts" >&2; \
	        exit 2; }; \
	    echo "$$FLAGS_TEXT" >$@; }

# Looked at once for a tree: what `make` alone cannot do without.
build/packages.stamp:
	@mkdir -p $(@D)
	@missing=$$(.ci/packages --missing build); \
	if [ -n "$$missing" ]; then \
	    echo "missing packages: $$missing; run 'make demo' or:" \
	         "sudo apt-get install $$missing" >&2; \
	    exit 3; \
	fi
	@touch $@

# ---------------------------------------------------------------- library

library: $(HOST)/lib/libcollsim.so $(HOST)/lib/libcollsim.a $(HOST)/lib/pkgconfig/collsim.pc $(HOST)/include/collsim.h ## libcollsim.so and .a, header, pkg-config, under build/

$(HOST)/symbols:
	@mkdir -p $(@D)
	@echo '{ global: collsim_*; local: *; };' >$@

$(HOST)/lib/libcollsim.so.$(VERSION): $(LIBRARY_OBJECTS) $(HOST)/symbols $(BUILD)/sources.list
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(SONAME) -Wl,--no-undefined \
	    -Wl,--version-script=$(HOST)/symbols -o $@ $(LIBRARY_OBJECTS) $(LIBS)

$(HOST)/lib/libcollsim.so: $(HOST)/lib/libcollsim.so.$(VERSION)
	@ln -sf $(<F) $(@D)/$(SONAME) && ln -sf $(SONAME) $@

# One object, in which all other names are local.
$(HOST)/lib/libcollsim.a: $(LIBRARY_OBJECTS) $(BUILD)/sources.list
	$(call say,AR,$@)
	@mkdir -p $(@D)
	$(Q)$(LD) -r -o $(HOST)/collsim.o $(LIBRARY_OBJECTS)
	$(Q)objcopy -w --keep-global-symbol='collsim_*' $(HOST)/collsim.o
	$(Q)rm -f $@ && $(AR) rcs $@ $(HOST)/collsim.o

$(HOST)/include/collsim.h: scenarios/host/collsim.h
	@mkdir -p $(@D) && cp $< $@

$(HOST)/lib/pkgconfig/collsim.pc: Makefile
	@mkdir -p $(@D)
	@printf '%s\n' 'prefix=$${pcfiledir}/../..' '' 'Name: collsim' \
	    'Description: collective communication, simulated and modelled' 'Version: $(VERSION)' \
	    'Requires.private: $(PACKAGES)' 'Cflags: -I$${prefix}/include' \
	    'Libs: -L$${prefix}/lib -lcollsim' 'Libs.private: -lm' >$@

# ---------------------------------------------------------------- Python

# The wheel is under the terms of the sources alone: without GSL.
WHEEL  := $(BUILD)/wheel
WHEELS ?= $(WHEEL)
WHEEL_OBJECTS := $(call small,$(patsubst %/sim/base/least_squares.o,$(WITHOUT_GSL),$(LIBRARY_OBJECTS)))

wheel: $(WHEEL)/libcollsim.so ## a Python wheel under build/, see reports/python
	@python3 reports/python/wheel.py $(VERSION) $< $(WHEELS)

$(WHEEL)/libcollsim.so: $(WHEEL_OBJECTS) $(HOST)/symbols $(BUILD)/sources.list
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -shared -s -Wl,-soname,libcollsim-$(VERSION).so \
	    -Wl,--no-undefined -Wl,-rpath,'$$ORIGIN' -Wl,--version-script=$(HOST)/symbols -o $@ \
	    $(WHEEL_OBJECTS) $(filter-out -lgsl -lgslcblas,$(LIBS))

# ---------------------------------------------------------------- packages

static: $(BUILD)/static/collsim ## one file that needs nothing of the system, under build/

STATIC_LIBS = $(or $(shell pkg-config --static --libs $(PACKAGES) 2>/dev/null),$(PKG_LIBS))
# Nothing unwinds the stack of C: a twelfth of the file would be tables for that.
$(BUILD)/static/collsim: $(MAIN) $(call small,$(LIBRARY_OBJECTS))
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -nostdlib -r -static -o $@.o $^ $(filter-out -lm -lpthread -ldl,$(STATIC_LIBS)) && \
	    objcopy -R .eh_frame -R .rela.eh_frame $@.o
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -static -s -o $@ $@.o $(STATIC_LIBS) -lm
	@rm -f $@.o

deb: all ## a Debian package, under build/
	@reports/packages/deb.sh $(VERSION) $(BUILD)/deb

# ---------------------------------------------------------------- WebAssembly

# The engine of pages: the program with few commands, by clang and wasi-libc, without GSL,
# SQLite, expat, zlib, files and processes (scenarios/wasm/platform.c).
WASM := build/wasm
WASM_CC ?= clang
WASM_COMMANDS := run explain topo why
WASM_WITHOUT := $(addprefix sim/base/,child.c cores.c file.c) topo/documents/xml.c \
                $(addprefix reports/,results/files.c results/store/% figures/plot/gnuplot.c explain/html_writer.c) \
                scenarios/options/signals.c scenarios/run/command/workers.c
WASM_SOURCES := $(filter-out $(WASM_WITHOUT),$(filter sim/% topo/% algorithms/% reports/% \
                    $(patsubst %,scenarios/%/%,run explain why machine options library),$(SOURCES)) \
                    $(wildcard scenarios/*.c)) \
                validate/logs/causes.c scenarios/wasm/platform.c
WASM_TEXTS := library transports
WASM_YAML := $(addprefix $(WASM)/libyaml/src/,api.c parser.c reader.c scanner.c)
WASM_OBJECTS := $(WASM_SOURCES:%.c=$(WASM)/%.o) $(WASM_YAML:.c=.o) \
                $(patsubst %,$(WASM)/%_text.o,$(WASM_TEXTS)) $(WASM)/library.o $(WASM)/transports.o
WASM_FLAGS := --target=wasm32-wasi -Oz -std=c17 -ffp-contract=off -ffunction-sections \
              -fdata-sections $(addprefix -D_WASI_EMULATED_,SIGNAL MMAN PROCESS_CLOCKS GETPID) \
              -I$(WASM) -I. -isystem $(WASM)/libyaml/include -D_GNU_SOURCE -DCS_NO_GSL \
              -DCS_VERSION='"$(VERSION)"' -include scenarios/wasm/platform.h

wasm: ## the engine of pages, as WebAssembly in build/wasm; in the program from then on
	@missing=$$(.ci/packages --missing wasm); [ -z "$$missing" ] || { \
	    echo "missing packages: $$missing; type: sudo apt-get install $$missing" >&2; exit 3; }
	@[ -e $(WASM)/libyaml/src/api.c ] || .ci/packages --source libyaml $(WASM)/libyaml
	@$(MAKE) --no-print-directory -j$(JOBS) $(WASM)/collsim.base64
	@$(MAKE) --no-print-directory -j$(JOBS) all

$(WASM)/collsim.base64: $(WASM)/collsim.wasm
	@gzip -9nc $< | base64 -w 0 >$@

# The stack lies below the data: an overflow is an error, and overwrites nothing.
$(WASM)/collsim.wasm: $(WASM_OBJECTS)
	$(call say,LINK,$@)
	$(Q)rm -f $(WASM)/objects.a && llvm-ar rcs $(WASM)/objects.a $^
	$(Q)$(WASM_CC) $(WASM_FLAGS) -Wl,--gc-sections,--strip-all,--error-limit=0,--stack-first,-z,stack-size=4194304 \
	    -o $@ $(WASM)/scenarios/main.o $(WASM)/objects.a $(addprefix -lwasi-emulated-,signal \
	    mman process-clocks getpid) -lm

$(WASM)/%.o: %.c $(WASM)/scenarios/commands.def $(WASM)/flags
	$(call say,WASM,$<)
	@mkdir -p $(@D)
	$(Q)$(WASM_CC) $(WASM_FLAGS) $(WARNINGS) -MMD -MP -c -o $@ $<

$(WASM)/libyaml/%.o: $(WASM)/libyaml/%.c
	$(Q)$(WASM_CC) $(WASM_FLAGS) -DYAML_VERSION_STRING='""' -DYAML_VERSION_MAJOR=0 \
	    -DYAML_VERSION_MINOR=2 -DYAML_VERSION_PATCH=5 -c -o $@ $<

# In place of the list of all commands.
$(WASM)/scenarios/commands.def: Makefile
	@mkdir -p $(@D)
	@printf 'COMMAND(%s)\n' $(WASM_COMMANDS) >$@

$(WASM)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(WASM_CC) $(WASM_FLAGS)' | cmp -s - $@ || echo '$(WASM_CC) $(WASM_FLAGS)' >$@

$(WASM)/%.o: $(BUILD)/%.c $(WASM)/flags
	$(Q)$(WASM_CC) $(WASM_FLAGS) -c -o $@ $<

# Sections and symbols of WebAssembly have types and sizes.  Comments of machines are blank.
$(WASM)/%_text.o: $(BUILD)/%.S
	@mkdir -p $(WASM)/topo/library $(WASM)/topo/transports
	$(Q)LC_ALL=C awk '/section/ { next } \
	    /incbin/ { file = substr($$2, 2, length($$2) - 2); \
	               while ((getline line <file) > 0) { \
	                   if (line ~ /^ *#/) gsub(/./, " ", line); \
	                   print line >"$(WASM)/" file } \
	               $$0 = "    .incbin \"$(WASM)/" file "\"" } \
	    /^[a-z]/ { name = substr($$1, 1, length($$1) - 1); \
	               printf ".section .rodata.%s,\"\",@\n.type %s,@object\n", name, name } \
	    { print } \
	    /\.byte 0/ { printf ".size %s, .-%s\n", name, name }' $< >$(@:.o=.s)
	$(Q)$(WASM_CC) --target=wasm32-wasi -c -o $@ $(@:.o=.s)

# ---------------------------------------------------------------- CUDA

# collsim-cuda is a program of its own: CUDA's toolkit and libc, nothing else.
NVCC ?= $(or $(shell command -v nvcc 2>/dev/null),$(wildcard /usr/local/cuda/bin/nvcc))
# Which GPUs it is for: "90", "80 90"; as it is, all of 70 .. 100 that this
# nvcc knows, and PTX for newer ones.
CUDA_ARCH ?= $(if $(NVCC),$(shell $(NVCC) --list-gpu-arch 2>/dev/null | \
    sed -n 's/^compute_\([0-9]*\)$$/\1/p' | sort -n | awk '$$1 >= 70 && $$1 <= 100'))
CUDA_NEWEST = $(lastword $(CUDA_ARCH))
CUDA_CODE = $(foreach arch,$(CUDA_ARCH),-gencode=arch=compute_$(arch),code=sm_$(arch)) \
            -gencode=arch=compute_$(CUDA_NEWEST),code=compute_$(CUDA_NEWEST)
CUDA_SOURCES := $(wildcard validate/cuda/*.cu validate/cuda/bench/*.cu)
# What of sim/base needs libc alone.
PLAIN_BASE := $(addprefix sim/base/,err.c hint.c mem.c text.c) $(wildcard sim/base/units*.c)
CUDA_PARTS := $(wildcard validate/cuda/*.c) sim/program/program.c sim/base/collections/vector.c \
              $(PLAIN_BASE)
CUDA_OBJECTS := $(CUDA_SOURCES:%=build/cuda/%.o) $(CUDA_PARTS:%=build/cuda/%.o)
CUDA_FLAGS = -std=c++17 -O3 -I. --compiler-options -Wall \
             -DCS_VERSION=\"$(VERSION)\" -DCS_CUDA_ARCH='"$(CUDA_ARCH)"' $(CUDA_CODE)
TABLES ?= build/cuda/tables
OUT ?= out/cuda

collsim-cuda: $(CUDA_OBJECTS) ## build ./collsim-cuda, needs nvcc only (CUDA_ARCH=90)
	$(call say,LINK,$@)
	$(Q)$(NVCC) $(CUDA_CODE) -o $@ $^ -ldl -lm

build/cuda/validate/cuda/line.cu.o: private CUDA_FLAGS += -DCS_COMMIT='"$(COMMIT)"'
build/cuda/validate/cuda/line.cu.o: build/cuda/commit

build/cuda/%.cu.o: %.cu build/cuda/flags
	$(call say,NVCC,$<)
	@mkdir -p $(@D)
	$(Q)$(NVCC) $(CUDA_FLAGS) -MMD -MP -MF $(@:.o=.d) -c -o $@ $<

build/cuda/%.c.o: %.c build/cuda/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c17 -O2 -I. -D_GNU_SOURCE $(WARNINGS) -MMD -MP -c -o $@ $<

build/cuda/flags: FORCE
	@mkdir -p $(@D)
	@if [ -z '$(NVCC)' ]; then \
	    echo "no nvcc, so no collsim-cuda; install NVIDIA's CUDA toolkit" >&2; \
	    exit 3; \
	fi
	@echo '$(NVCC) $(CUDA_FLAGS) $(CC)' | cmp -s - $@ || \
	    echo '$(NVCC) $(CUDA_FLAGS) $(CC)' >$@

build/cuda/commit: FORCE
	@mkdir -p $(@D)
	@echo '$(COMMIT)' | cmp -s - $@ || echo '$(COMMIT)' >$@

# The programs that are measured, by a C compiler alone: what of collsim needs
# libraries is not linked, and never called (tests/system/cuda.sh compares
# the tables with those of `collsim export`).
TABLE_SOURCES := validate/cuda/tables/write_tables.c validate/gpu/tables.c \
                 $(wildcard algorithms/*.c algorithms/*/*.c algorithms/*/*/*.c) \
                 $(wildcard sim/program/*.c sim/base/collections/*.c) \
                 $(PLAIN_BASE)
TABLE_OBJECTS := $(TABLE_SOURCES:%.c=build/tables/%.o)

build/cuda/write-tables: $(TABLE_OBJECTS)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -no-pie -Wl,--gc-sections \
	    -Wl,--unresolved-symbols=ignore-in-object-files -o $@ $^ -lm

build/tables/%.o: %.c
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c17 -O1 -I. -D_GNU_SOURCE -ffunction-sections -fdata-sections \
	    -MMD -MP -c -o $@ $<

cuda-tables: build/cuda/write-tables ## write the op tables of measured programs to TABLES
	@mkdir -p $(TABLES) && rm -f $(TABLES)/*.table
	@build/cuda/write-tables $(TABLES)

# Needs a driver and nvcc; without nvcc the collsim-cuda that was brought along.
# It is built for the GPUs that are here, if nvidia-smi knows which.
GPU_HERE = $(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader \
               2>/dev/null | tr -d '. ' | sort -nu)
GPU_OPTIONS = $(if $(STAGE),--stage $(STAGE)) $(if $(BUDGET),--budget $(BUDGET)) \
              $(if $(FROM),--from $(FROM)) $(if $(DRY),--dry) \
              $(if $(wildcard collsim),--predict ./collsim)

gpu: ## measure for validation on this host's GPUs, into OUT (DRY=1: the plan)
	@if [ -n '$(NVCC)' ] && [ -z '$(DRY)' ]; then \
	    $(MAKE) --no-print-directory -j$(JOBS) \
	        CUDA_ARCH='$(if $(filter file,$(origin CUDA_ARCH)),$(or $(GPU_HERE),$(CUDA_ARCH)),$(CUDA_ARCH))' \
	        collsim-cuda || { [ -x collsim-cuda ] && \
	        echo 'collsim-cuda could not be rebuilt: the older binary measures' >&2; }; \
	fi
	@[ -n '$(DRY)' ] || \
	    $(MAKE) --no-print-directory -j$(JOBS) cuda-tables || \
	    [ -e $(TABLES)/ring-2.table ]
	@validate/cuda/measure.sh $(GPU_OPTIONS) ./collsim-cuda $(TABLES) $(OUT)

validate: collsim ## compare predictions with validate/data, fail beyond the gates
	@./collsim validate tcp --out out/validate/tcp
	@./collsim validate tcp --data validate/data/tcp/calibration.jsonl --data validate/data/tcp/loss_calibration.jsonl --data validate/data/tcp/held_out
	@./collsim validate --gated --out out/validate

# The parameters first: the intervals and the scores are those of new ones.
estimates: all ## estimate the libraries' parameters from published tables, record the scores
	./collsim validate published --estimate --out $(BUILD)/estimated >/dev/null
	$(Q)mv $(BUILD)/estimated/nccl_parameters.def algorithms/libraries/nccl/parameters.def
	$(Q)mv $(BUILD)/estimated/host_parameters.def algorithms/libraries/host/parameters.def
	$(Q)$(MAKE) --no-print-directory all
	./collsim validate published --leave-out --out $(BUILD)/left_out >/dev/null
	$(Q)mv $(BUILD)/left_out/score.csv validate/data/published/
	$(Q)mv $(BUILD)/left_out/nccl_intervals.def algorithms/libraries/nccl/intervals.def
	$(Q)$(MAKE) --no-print-directory all

# ---------------------------------------------------------------- emulated GPUs

# collsim-cuda by a C++ compiler, for tests: see tests/cuda/selftest.sh.  The
# files with kernels that wait for each other, or are waited for, have a second
# build for ThreadSanitizer; the others are shared.
EMU := build/emulated
EMU_CXX ?= $(firstword $(foreach name,g++ clang++ c++,$(shell command -v $(name))))
EMU_HEADERS := $(patsubst %,$(EMU)/src/%,$(wildcard validate/cuda/*.cuh validate/cuda/*.h validate/cuda/bench/*.cuh))
EMU_RACED := $(patsubst %,validate/cuda/%.cu.o,program staged session session_memory session_run run)
EMU_PLAIN := $(addprefix $(EMU)/plain/,$(CUDA_SOURCES:%=%.o) \
                 $(patsubst %,%.o,$(wildcard tests/cuda/*.cc))) \
             $(patsubst %.c,$(EMU)/plain/%.c.o,$(CUDA_PARTS))
EMU_TSAN := $(filter-out $(addprefix $(EMU)/plain/,$(EMU_RACED)),$(EMU_PLAIN)) \
            $(addprefix $(EMU)/tsan/,$(EMU_RACED))
EMU_FLAGS = -std=c++17 -O1 -g1 -w -Itests/cuda -I$(EMU)/src -I. \
            -include cuda_runtime.h -DCS_VERSION='"emulated"' -MMD -MP

$(EMU)/src/%: % tests/cuda/rewrite.sh tests/cuda/rewrite.sed tests/cuda/mutants.sed
	@mkdir -p $(@D)
	@tests/cuda/rewrite.sh $< >$@.new && mv $@.new $@

.SECONDARY: $(EMU_HEADERS) $(CUDA_SOURCES:%=$(EMU)/src/%)

$(EMU)/plain/%.cu.o: $(EMU)/src/%.cu | $(EMU_HEADERS)
	@mkdir -p $(@D)
	$(Q)$(EMU_CXX) $(EMU_FLAGS) -x c++ -c -o $@ $<

$(EMU)/tsan/%.cu.o: $(EMU)/src/%.cu | $(EMU_HEADERS)
	@mkdir -p $(@D)
	$(Q)$(EMU_CXX) $(EMU_FLAGS) -fsanitize=thread -x c++ -c -o $@ $<

$(EMU)/plain/%.cc.o: %.cc
	@mkdir -p $(@D)
	$(Q)$(EMU_CXX) $(EMU_FLAGS) -O2 -c -o $@ $<

$(EMU)/plain/%.c.o: %.c
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c17 -O1 -g -I. -D_GNU_SOURCE -MMD -MP -c -o $@ $<

$(EMU)/plain/collsim-cuda: $(EMU_PLAIN)
	$(Q)$(EMU_CXX) -o $@ $^ -ldl -lm

$(EMU)/tsan/collsim-cuda: $(EMU_TSAN)
	@mkdir -p $(@D)
	$(Q)$(EMU_CXX) -fsanitize=thread -o $@ $^ -ldl -lm

# TEST_SECONDS is for one test; all of this takes minutes.
cuda-selftest: all ## run the real kernels on emulated GPUs, and break them on purpose
	@TEST_SECONDS=3600 COLLSIM=$(BUILD)/collsim tests/run.sh tests/cuda/all.sh

# ---------------------------------------------------------------- tests

# Half a thousand programs that run for moments: their time is the compiler's and the
# linker's.  For a debugger there is MODE=debug.
ifeq ($(MODE),release)
$(BUILD)/tests/%.o: private ALL_CFLAGS += -O0 -g0
# gold links in half the time of the usual linker.
TEST_LDFLAGS := -Wl,--strip-debug $(if $(shell command -v ld.gold),-fuse-ld=gold)
# Links read an archive without what a debugger reads in two thirds of the time.
TEST_LIBRARY := $(BUILD)/tests/libcollsim.a

$(TEST_LIBRARY): $(LIBRARY)
	@mkdir -p $(@D)
	$(Q)strip --strip-debug -o $@ $<
endif
TEST_LIBRARY ?= $(LIBRARY)

$(TESTS): $(BUILD)/%: $(BUILD)/%.o $(TEST_SUPPORT) $(TEST_LIBRARY)
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(TEST_LDFLAGS) -o $@ $^ $(LIBS) -lcmocka

$(REPLAYS): $(BUILD)/%_replay: $(BUILD)/%.o $(BUILD)/tests/fuzz/replay.o $(TEST_LIBRARY)
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(TEST_LDFLAGS) -o $@ $^ $(LIBS)

programs: all $(TESTS) $(REPLAYS)

test: ## build and run every test
	@[ -n '$(WITH_GSL)' ] || { echo 'tests compare with GSL; run make test without GSL=no' >&2; exit 3; }
	@.ci/packages
	@$(MAKE) --no-print-directory -j$(JOBS) V=$(if $(filter 1,$(V)),1,) programs
	@COLLSIM=$(BUILD)/collsim JOBS=$(JOBS) \
	    $(if $(filter san tsan cov,$(MODE)),TEST_SECONDS=$${TEST_SECONDS-600}) \
	    tests/run.sh $(LONG) $(SYSTEM) $(GOLDEN) $(TESTS) $(REPLAYS)

mutate: ## how many one-token changes of the product the tests catch (MUTANTS, SEED, FILES, NAME)
	@.ci/packages
	@JOBS=$(JOBS) MUTANTS="$(MUTANTS)" SEED="$(SEED)" FILES="$(FILES)" NAME="$$NAME" \
	    tests/mutate/mutate.sh

check-all: ## tests, also with sanitizers, every fuzzer for FUZZ_SECONDS, mutants (hours)
	@FUZZ_SECONDS=$(FUZZ_SECONDS) JOBS=$(JOBS) tests/check_all.sh

check: ## test, then lint
	@$(MAKE) --no-print-directory test
	@$(MAKE) --no-print-directory lint

lint: ## formatting, clang-tidy, the rules a machine can check
	@.ci/lint

cov: ## line coverage of the tests
	@find build/cov -name '*.gcda' -delete 2>/dev/null || true
	@$(MAKE) --no-print-directory MODE=cov test; status=$$?; \
	tests/cov.sh build/cov; exit $$status

fuzz-%: ## fuzz a reader for FUZZ_SECONDS (default 60): make fuzz-units
	@$(MAKE) --no-print-directory MODE=fuzz -j$(JOBS) build/fuzz/tests/fuzz/fuzz_$*
	@mkdir -p build/fuzz/corpus/$* tests/fuzz/corpus/$*
	build/fuzz/tests/fuzz/fuzz_$* -max_total_time=$(FUZZ_SECONDS) -timeout=10 \
	    -rss_limit_mb=2048 -artifact_prefix=build/fuzz/$*- \
	    build/fuzz/corpus/$* tests/fuzz/corpus/$*

build/fuzz/tests/fuzz/fuzz_%: build/fuzz/tests/fuzz/fuzz_%.o build/fuzz/libcollsim.a
	$(Q)$(CC) $(ALL_CFLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBS)

golden-update: all ## rewrite what the golden transcripts expect
	@for file in $(GOLDEN); do \
	    COLLSIM=$(BUILD)/collsim tests/golden.sh --update $$file || exit 1; \
	done

bench: all ## measure the speed of the simulator (minutes)
	@./collsim bench

portable: all ## compare answers with those of a build for aarch64, by qemu
	@COLLSIM=$(BUILD)/collsim TEST_SECONDS=3600 tests/run.sh tests/portable/portable.sh

# ---------------------------------------------------------------- people

docs: all ## pages of the READMEs, tutorials, a glossary, an index of algorithms: build/docs
	@reports/site/make.sh $(BUILD)/collsim build/docs $(VERSION)

demo: ## install what is missing, build, run, sweep, plot
	@.ci/packages demo
	@$(MAKE) --no-print-directory -j$(JOBS) V=$(if $(filter 1,$(V)),1,) all
	./collsim --topo dgx.yaml --algo ring
	@mkdir -p out && rm -f out/demo.db out/demo.db-wal out/demo.db-shm
	./collsim --topo dgx.yaml --algo naive,ring,tree,ps -b 1M -e 1G -f 4 --db out/demo.db
	./collsim --topo dgx.yaml --algo naive,ring,tree,ps --ranks 2,3,4,5,6,7,8 \
	    --size 256MiB --db out/demo.db >/dev/null
	./collsim report --db out/demo.db --out out/demo --force
	@echo
	@echo 'The runs are in out/demo.db, the plots in out/demo/.'

format: ## clang-format every C file
	@find $(wildcard sim topo algorithms validate reports scenarios tests) \
	    \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' \) -exec clang-format -i {} +

install: all ## install under PREFIX (/usr/local), DESTDIR is honoured
	install -D -m 755 $(BUILD)/collsim "$(DESTDIR)$(PREFIX)/bin/collsim"
	if [ -x collsim-cuda ]; then \
	    install -D -m 755 collsim-cuda "$(DESTDIR)$(PREFIX)/bin/collsim-cuda"; \
	fi
	install -D -m 644 $(BUILD)/collsim.1 \
	    "$(DESTDIR)$(PREFIX)/share/man/man1/collsim.1"
	install -D -m 644 $(BUILD)/collsim.bash \
	    "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/collsim"

install-library: library ## install libcollsim, its header and collsim.pc under PREFIX
	mkdir -p "$(DESTDIR)$(PREFIX)" && cp -RP $(HOST)/include $(HOST)/lib "$(DESTDIR)$(PREFIX)/"

uninstall: ## remove what install and install-library put there
	rm -f "$(DESTDIR)$(PREFIX)/bin/collsim" \
	    "$(DESTDIR)$(PREFIX)/bin/collsim-cuda" \
	    "$(DESTDIR)$(PREFIX)/share/man/man1/collsim.1" \
	    "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/collsim" \
	    "$(DESTDIR)$(PREFIX)/include/collsim.h" "$(DESTDIR)$(PREFIX)/lib/pkgconfig/collsim.pc" \
	    "$(DESTDIR)$(PREFIX)/lib"/libcollsim.*

clean: ## remove everything that was built
	rm -rf build collsim collsim-cuda

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z%-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' \
	    Makefile

-include $(EMU_PLAIN:.o=.d) $(EMU_TSAN:.o=.d) $(CUDA_OBJECTS:.o=.d) $(TABLE_OBJECTS:.o=.d) $(OBJECTS:.o=.d) $(patsubst %.c,$(WASM)/%.d,$(WASM_SOURCES)) $(WITHOUT_GSL:.o=.d) $(BUILD)/library.d $(BUILD)/transports.d $(TESTS:=.d) $(TEST_SUPPORT:.o=.d) \
         $(FUZZ_SOURCES:%.c=$(BUILD)/%.d) $(BUILD)/tests/fuzz/replay.d
