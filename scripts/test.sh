#!/usr/bin/env bash
#
# Tests everything, from the packages to the last suite, on a server of its own
# that is gone afterwards.
#
#	scripts/test.sh
#
# On Debian 12 root needs nothing else, and any other user the packages below.  A
# suite that fails does not keep the next ones from running; the exit status tells
# whether all passed.  Settings from the environment: see scripts/common.sh.

# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

packages=(
	"postgresql-$pg_major" "postgresql-server-dev-$pg_major" "postgresql-$pg_major-pgtap"
	gcc libc6-dev libcsv-dev make perl-base
)
summary=()
passed=0
failed=0
skipped=0

main() {
	(($# == 0)) || fail "takes no arguments"
	begin
	say "Packages"
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
	suite readme run_readme
	suite demo run_demo
	summarize
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
	summary+=("$(printf '%-8s %4d s  %s' "$name" "$((SECONDS - started))" "$last")")
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
	grep -oE 'All [0-9]+ tests passed\.|[0-9]+ of [0-9]+ tests failed' "$log" ||
		say "the suite did not come to its end"
	return "$status"
}

run_readme() {
	if [[ ! -f $tree/README.md ]]; then
		say "skipped: there is no README.md"
		return 77
	fi
	as_server_user env -C build perl test/readme.pl --psql "$bindir/psql" README.md
}

# The demo's queries on the demo's file, and all that they print.
run_demo() (
	cd "$work"
	perl build/demo/user_behavior.pl >user_behavior.csv
	chmod 644 user_behavior.csv
	createdb demo
	psql -X -q -v ON_ERROR_STOP=1 -v csv="$work/user_behavior.csv" \
		-f build/demo/hot_items.sql demo 2>&1 | sed "s|$work|/directory|" >hot_items.out
	if ! diff -u build/demo/hot_items.out hot_items.out; then
		say "the output is not demo/hot_items.out"
		return 1
	fi
	say "$(grep -c '' hot_items.out) lines of output, as in demo/hot_items.out"
)

summarize() {
	say ""
	say "=== summary, on $(postgres --version)"
	printf '%s\n' "${summary[@]}"
	say ""
	say "$passed passed, $failed failed, $skipped skipped"
	((failed == 0))
}

main "$@"
