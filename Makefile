# apply_watermark: event time for PostgreSQL.
#
#   make                build against the server of PG_CONFIG
#   make install        install into it
#   make installcheck   run the pgTAP suites against a running server, and those of several
#                       sessions if it is set up for continuous queries
#   make check-layers   check which headers each source file may include

EXTENSION = apply_watermark
PG_CONFIG ?= pg_config
EXTVERSION = $(shell sed -n "s/^default_version *= *'\(.*\)'/\1/p" $(EXTENSION).control)

MODULE_big = $(EXTENSION)
OBJS = $(patsubst %.c,%.o,$(sort $(wildcard src/*.c)))
OUR_HEADERS = $(wildcard src/*.h)

# The install script, in the order in which its parts build on each other.
SQL_PARTS = sql/$(EXTENSION).sql sql/flink.sql sql/connector.sql sql/engine.sql sql/flink_sql.sql
DATA_built = sql/$(EXTENSION)--$(EXTVERSION).sql
DATA = $(filter-out $(DATA_built), $(wildcard sql/$(EXTENSION)--*--*.sql))

TESTS = $(sort $(wildcard test/sql/*.sql))
REGRESS = $(patsubst test/sql/%.sql,%,$(TESTS))
REGRESS_OPTS = --inputdir=test --load-extension=pgtap --load-extension=$(EXTENSION)

# Sessions that meet the worker of continuous queries, which the server must have.
ifneq (,$(filter installcheck,$(MAKECMDGOALS)))
HAS_WORKERS = $(shell "$$($(PG_CONFIG) --bindir)/psql" -XAtq -d postgres -c "SELECT 'yes' \
	WHERE current_setting('wal_level') = 'logical' \
		AND current_setting('shared_preload_libraries') LIKE '%$(EXTENSION)%'")
ifeq (yes,$(HAS_WORKERS))
ISOLATION = $(patsubst test/isolation/specs/%.spec,%,$(sort $(wildcard test/isolation/specs/*.spec)))
ISOLATION_OPTS = --inputdir=test/isolation --load-extension=$(EXTENSION)
endif
endif

# The server's headers as system headers: their warnings are not ours.
PG_CPPFLAGS = -isystem $(shell $(PG_CONFIG) --includedir-server)
PG_CFLAGS = -Wextra
SHLIB_LINK = -lcsv
EXTRA_CLEAN = $(DATA_built)

PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)

$(DATA_built): $(SQL_PARTS) $(EXTENSION).control
	cat $(SQL_PARTS) > $@

$(OBJS): $(OUR_HEADERS)

installcheck: check-layers check-version

check-layers:
	$(PERL) test/check_layers.pl src

# The control file has the version; META.json must repeat it.
check-version:
	test "$$(grep -c '"version": "$(EXTVERSION)"' META.json)" = 2

.PHONY: check-layers check-version
