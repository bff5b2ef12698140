#!/usr/bin/env bash
#
# Runs conformance cases, inputs and queries with the rows that Apache Flink gave, by hand
# and as continuous queries, on a PostgreSQL server of its own that is gone afterwards.
#
#	scripts/conformance.sh [--case PATTERN] [--verbose] [DIRECTORY]
#
# DIRECTORY has one directory a case, in the format that test/conformance/README.md
# describes; without it, the cases of test/conformance are run.  The last line is
# "N passed, N failed, N skipped"; the exit status tells whether none failed.
#
# On Debian 12 root needs nothing else, and any other user the packages below.
# Settings from the environment: see scripts/common.sh.

# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

packages=(
	"postgresql-$pg_major" "postgresql-server-dev-$pg_major"
	gcc libc6-dev libcsv-dev make perl
)
runner_arguments=()
directory=$tree/test/conformance

main() {
	read_arguments "$@"
	begin
	say "Packages"
	need_packages "${packages[@]}"
	say "Build"
	make_work_directory
	build
	install_extension
	say "Server"
	start_server
	step "wal_level, shared_preload_libraries" restart allow_workers
	PATH=$bindir:$PATH
	run perl "$tree/test/conformance.pl" "${runner_arguments[@]}" "$directory"
}

read_arguments() {
	while (($# > 0)); do
		case $1 in
			--case)
				(($# > 1)) || fail "--case takes a pattern"
				runner_arguments+=(--case "$2")
				shift
				;;
			--verbose) runner_arguments+=(--verbose) ;;
			-h | --help) sed -n '3,/^$/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit ;;
			-*) fail "unknown argument \"$1\"; try --help" ;;
			*) directory=$1 ;;
		esac
		shift
	done
	[[ -d $directory ]] || fail "there is no directory \"$directory\""
}

main "$@"
