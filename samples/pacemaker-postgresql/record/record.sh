#!/usr/bin/env bash
# Records the study: a two-node cluster of Corosync, Pacemaker and PostgreSQL, whose active node loses its power under load.
# Usage: record.sh FOLDER [CRASHES]    CRASHES complete ones of each configuration, 10 when not given
# Runs as root. Everything it starts lives in namespaces that vanish with it, however it ends. Stopped and run again, it keeps
# the runs that were finished. What the machine needs: README.md beside this file.
set -euo pipefail

here=$(dirname "$(realpath "$0")")

fail() {
    echo "record.sh: $*" >&2
    exit 1
}

check_machine() {
    local missing=() tool
    [[ $(id -u) -eq 0 ]] || fail "must run as root, because it makes namespaces"
    for tool in corosync pacemakerd crm ip unshare nsenter setpriv iostat vmstat python3 \
        /usr/lib/ocf/resource.d/heartbeat/{IPaddr2,pgsql} "${PGBIN:-/usr/lib/postgresql/15/bin}"/{postgres,pgbench}; do
        command -v "$tool" >/dev/null || missing+=("$tool")
    done
    [[ ${#missing[@]} -eq 0 ]] || fail "not installed: ${missing[*]}; see README.md"
}

[[ $# -ge 1 && $# -le 2 ]] || fail "usage: record.sh FOLDER [CRASHES]"
crashes=${2:-10}
[[ $crashes =~ ^[1-9][0-9]*$ ]] || fail "CRASHES is a whole number, not '$crashes'"
check_machine
mkdir -p "$1"
study=$(realpath "$1")
exec 9>"$study/.recording"
flock --nonblock 9 || fail "$study is being recorded already"

bed=$(mktemp --directory --tmpdir="${BED:-/var/tmp}" failover.XXXXXX)
chmod 755 "$bed"
recorder=""
tear_down() {
    if [[ -n $recorder ]]; then
        kill -KILL "$recorder" 2>/dev/null || true
        wait "$recorder" 2>/dev/null || true
    fi
    rm -rf "$bed" "$study/.recording"
}
trap tear_down EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# the kill of the first process of the namespace ends all others, and with them the networks and mounts
setpriv --pdeathsig KILL unshare --mount --net --pid --fork --kill-child --mount-proc \
    bash "$here/study.sh" "$study" "$crashes" "$bed" 9>&- &
recorder=$!
wait "$recorder"
