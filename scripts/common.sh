# shellcheck shell=bash
#
# What demo.sh and test.sh share, sourced by both: packages, a build in a copy of
# the tree, an unprivileged user, a private server.
#
# Everything is made below one new directory, $work, which belongs to the server's
# user and is closed to others: the copy of the tree, the logs, the data directory
# and the server's only socket.  finish() stops the server and removes $work, on
# every way out.  The tree itself is only read, so that it may be one that the
# server's user cannot enter, and nothing built earlier counts.
#
# Settings, from the environment:
#	PG_MAJOR	major version of the Debian packages (15)
#	PG_CONFIG	pg_config of a server outside Debian's packages; none are
#			installed for it

set -euo pipefail

for variable in ${!PG@}; do
	[[ $variable == PG_CONFIG || $variable == PG_MAJOR ]] || unset "$variable"
done
unset MAKEFLAGS MAKELEVEL MFLAGS TMPDIR variable
export LC_ALL=C.UTF-8

tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
pg_major=${PG_MAJOR:-15}
pg_config=${PG_CONFIG:-/usr/lib/postgresql/$pg_major/bin/pg_config}
no_cluster=/etc/postgresql-common/createcluster.d/zz-apply-watermark.conf

make_options=()			# more arguments for make
copt=				# more options for the compiler
apt_log=
work=
server_user=
child=
keep_server=false

say() {
	printf '%s\n' "$*"
}

fail() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

# Call once, before anything else: every way out goes through finish().
begin() {
	exec {terminal}>&2
	trap finish EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 141' PIPE
	trap 'exit 143' TERM
}

finish() {
	local status=$?

	trap - EXIT
	trap '' HUP INT PIPE TERM
	stop_child
	[[ -z $apt_log ]] || rm -f "$no_cluster" "$apt_log"
	if [[ -n $work && $keep_server == false ]]; then
		stop_server || true
		rm -rf "$work"
		((status <= 128)) || printf '\nstopped; the server and its files are gone\n' >&"$terminal"
	fi
	exit "$status"
}

# The step's process and what it started, for bash waits with the trap until a
# command in the foreground is done.
stop_child() {
	[[ -n $child ]] || return 0
	kill -TERM -- "-$child" 2>/dev/null || true
	wait "$child" 2>/dev/null || true
	child=
}

# Runs a command that a signal to the script ends at once, with all of its
# children: it leads a process group of its own.
run() {
	local status=0

	set -m
	"$@" </dev/null &
	child=$!
	set +m
	wait "$child" || status=$?
	child=
	return "$status"
}

# A command with its output in a log, of which a failure shows the last lines.
# Usage: step "what it does" log-name [run] command argument ...
step() {
	local title=$1 log=$work/log/$2.log started=$SECONDS status=0

	shift 2
	printf '  %-44s' "$title"
	"$@" >"$log" 2>&1 || status=$?
	if ((status != 0)); then
		say "failed"
		tail -n 40 "$log" >&2
		fail "\"$title\" failed with status $status; above are the last lines of its output"
	fi
	say "$((SECONDS - started)) s"
}

# Packages ---------------------------------------------------------------------

# Installs those of the packages that are missing; root only.
need_packages() {
	local missing=() package

	command -v dpkg-query >/dev/null || return 0
	for package; do
		[[ -n ${PG_CONFIG:-} && $package == postgresql* ]] && continue
		is_installed "$package" || missing+=("$package")
	done
	if ((${#missing[@]} == 0)); then
		say "  all packages are there"
		return 0
	fi
	say "  missing: ${missing[*]}"
	((EUID == 0)) || fail "as root, run: apt-get install ${missing[*]}"
	install_packages "${missing[@]}"
}

is_installed() {
	[[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# In the foreground, since an interrupted dpkg leaves its mess to the next one.
# The server's package would create a cluster and start it: not for us.
install_packages() {
	local status=0 started=$SECONDS

	apt_log=$(mktemp /tmp/apply_watermark.apt.XXXXXX)
	mkdir -p "${no_cluster%/*}"
	say "create_main_cluster = false" >"$no_cluster"
	printf '  %-44s' "apt-get install"
	{
		apt-get -q update &&
			DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Dpkg::Use-Pty=0 \
				install --no-install-recommends "$@"
	} </dev/null >"$apt_log" 2>&1 || status=$?
	if ((status != 0)); then
		say "failed"
		tail -n 40 "$apt_log" >&2
		fail "the packages could not be installed"
	fi
	rm -f "$no_cluster" "$apt_log"
	say "$((SECONDS - started)) s"
}

# Users ------------------------------------------------------------------------

# A server refuses to run as root: then it runs as "postgres", whom the packages
# create.
choose_user() {
	server_user=$(id -un)
	if ((EUID == 0)); then
		server_user=postgres
		id "$server_user" >/dev/null 2>&1 || server_user=nobody
	fi
}

# Becomes a command of the server's user, inside $work.  No process stays between,
# as one of runuser would, so that signals reach the command.
as_server_user() {
	cd "$work"
	if ((EUID == 0)); then
		HOME=$work exec setpriv --reuid "$server_user" --regid "$(id -g "$server_user")" \
			--init-groups "$@"
	fi
	HOME=$work exec "$@"
}

# The build --------------------------------------------------------------------

# Needs the packages; sets $work, $server_user and $bindir.
make_work_directory() {
	choose_user
	work=$(mktemp -d /tmp/apply_watermark.XXXXXX)
	mkdir "$work/log" "$work/build"
	provide_server
	[[ -x $pg_config ]] || fail "there is no $pg_config; set PG_CONFIG"
	bindir=$("$pg_config" --bindir)
	copy_tree
}

# Where the server's programs are not installed by packages: may make them below
# $work, and set $pg_config and $make_options.
provide_server() {
	:
}

# The sources without what was built from them.
copy_tree() {
	tar -C "$tree" --exclude=./.git --exclude='*.o' --exclude='*.bc' --exclude='*.so' \
		--exclude='./sql/apply_watermark--[0-9].[0-9].[0-9].sql' \
		--exclude=./results --exclude=./tmp_check -cf - . |
		tar -C "$work/build" --no-same-owner -xf -
}

build() {
	step "make${copt:+ with $copt}" make run make -s -C "$work/build" -j "$(nproc)" \
		PG_CONFIG="$pg_config" COPT="$copt" "${make_options[@]}"
}

# Installs into the server, or, for a user who may not, into a private copy of it.
# From here on $work is the server user's.
install_extension() {
	local target

	if [[ -w $("$pg_config" --pkglibdir) && -w $("$pg_config" --sharedir)/extension ]]; then
		step "make install" install run make -s -C "$work/build" PG_CONFIG="$pg_config" \
			"${make_options[@]}" install
	else
		target=$work/postgres
		copy_server "$target"
		step "make install (a private copy of the server)" install \
			make -C "$work/build" PG_CONFIG="$pg_config" DESTDIR="$target" \
			"${make_options[@]}" with_llvm=no install
		bindir=$target$bindir
	fi
	chmod 700 "$work"
	if ((EUID == 0)); then
		chown -R "$server_user": "$work"
	fi
}

# A server finds its files from where its program is: programs are copied, and the
# rest is linked but for the directories that the extension adds to.
copy_server() {
	local target=$1 libdir sharedir

	libdir=$("$pg_config" --pkglibdir)
	sharedir=$("$pg_config" --sharedir)
	mkdir -p "$target$bindir" "$target$libdir" "$target$sharedir/extension"
	cp "$bindir"/{postgres,initdb,pg_ctl} "$target$bindir"
	ln -s "$bindir"/{psql,createdb,pg_dump,pg_restore} "$target$bindir"
	ln -s "$libdir"/*.so "$target$libdir"
	find "$libdir" -mindepth 1 -maxdepth 1 \( -name bitcode -o -name '*.bc' \) \
		-exec ln -s -t "$target$libdir" {} +
	ln -s "$sharedir"/extension/* "$target$sharedir/extension"
	find "$sharedir" -mindepth 1 -maxdepth 1 ! -name extension -exec ln -s -t "$target$sharedir" {} +
	rm -f "$target$libdir"/apply_watermark* "$target$sharedir"/extension/apply_watermark*
}

# The server -------------------------------------------------------------------

# Who enters $work is trusted: root, and the server's user.
start_server() {
	step "initdb" initdb run as_server_user "$bindir/initdb" -D "$work/data" -U postgres \
		-A trust -E UTF8 --locale=C -N
	cat >>"$work/data/postgresql.conf" <<-END
		listen_addresses = ''
		unix_socket_directories = '$work'
		fsync = off
		timezone = 'UTC'
		log_timezone = 'UTC'
	END
	step "start a server" start control_server -l "$work/log/server.log" start
	export PGHOST=$work PGUSER=postgres PGCLIENTENCODING=UTF8
}

# What continuous queries need, and a restart: the server starts without.
allow_workers() {
	printf '%s\n' 'wal_level = logical' "shared_preload_libraries = 'apply_watermark'" \
		>>"$work/data/postgresql.conf"
	control_server -l "$work/log/server.log" restart
}

stop_server() {
	[[ -f $work/data/postmaster.pid ]] || return 0
	{ control_server -m fast stop || control_server -m immediate stop; } >/dev/null 2>&1
}

# In the foreground, so that a signal finds the server either there or not.  A
# server that stays must not hold what the script writes to.
control_server() {
	(as_server_user "$bindir/pg_ctl" -D "$work/data" -w -t 30 "$@" </dev/null {terminal}>&-)
}
