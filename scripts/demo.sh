#!/usr/bin/env bash
#
# Shows hot items: the most viewed items of a shop in sliding windows, from a CSV
# file, and then live, as rows come in, on a PostgreSQL server of its own that is gone
# afterwards.
#
#	scripts/demo.sh			install what is missing, build, show, clean up
#	scripts/demo.sh --keep		leave the server running, to try more queries
#
# On Debian 12 root needs nothing else, and any other user the packages below.  The
# queries are in demo/hot_items.sql and demo/hot_items_live.sql, the file comes from
# demo/user_behavior.pl.
# Settings from the environment: see scripts/common.sh.

# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

packages=(
	"postgresql-$pg_major" "postgresql-server-dev-$pg_major"
	gcc libc6-dev libcsv-dev make perl-base
)
keep=false

main() {
	read_arguments "$@"
	begin
	say "1. Packages"
	need_packages "${packages[@]}"
	say "2. Build and install the extension apply_watermark"
	make_work_directory
	build
	install_extension
	say "3. A private PostgreSQL server in $work"
	start_server
	say "4. A file of user behaviour, by demo/user_behavior.pl"
	make_file
	say "5. Hot items, by demo/hot_items.sql"
	run as_server_user "$bindir/createdb" demo
	show hot_items
	say "6. The settings for continuous queries, and a restart"
	step "wal_level, shared_preload_libraries" restart allow_workers
	say "7. Hot items live, by demo/hot_items_live.sql"
	show hot_items_live
	say_what_is_next
}

read_arguments() {
	while (($# > 0)); do
		case $1 in
			--keep) keep=true ;;
			-h | --help) sed -n '3,/^$/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit ;;
			*) fail "unknown argument \"$1\"; try --help" ;;
		esac
		shift
	done
}

make_file() {
	csv=$work/user_behavior.csv
	perl "$tree/demo/user_behavior.pl" >"$csv"
	chmod 644 "$csv"
	say "  $(wc -l <"$csv") rows of user_id,item_id,category_id,behavior,action_time:"
	sed -n '1,3s/^/  /p' "$csv"
}

show() {
	local script=demo/$1.sql status=0

	run as_server_user "$bindir/psql" -X -q -v ON_ERROR_STOP=1 -v csv="$csv" \
		-f "$work/build/$script" demo || status=$?
	((status == 0)) || fail "$script failed"
}

say_what_is_next() {
	local as_owner=""

	if [[ $keep == false ]]; then
		say "The server is gone again.  To read: demo/hot_items.sql, demo/hot_items_live.sql."
		say "To try queries of your own on this data: scripts/demo.sh --keep"
		return
	fi
	keep_server=true
	rm -rf "$work/build"
	((EUID == 0)) && as_owner="runuser -u $server_user -- "
	cat <<-END
		The server is still running.  Open it with:

		  $bindir/psql -h $work -U postgres demo

		and type, for example:

		  SELECT window_end, item_id, views
		  FROM hot_items_1h WHERE rank = 1 ORDER BY window_end;

		  SELECT window_start, window_end, count(*)
		  FROM input_table AS b, TUMBLE(b, DESCRIPTOR(ts), INTERVAL '15' MINUTE)
		  WHERE behavior = 'buy' GROUP BY window_start, window_end ORDER BY window_start;

		Stop it with:

		  ${as_owner}$bindir/pg_ctl -D $work/data stop && rm -rf $work
	END
}

main "$@"
