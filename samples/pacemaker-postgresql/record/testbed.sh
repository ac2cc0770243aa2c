# The test bed: nodes, clients and the network between them. Sourced by study.sh, which runs in namespaces of its own, so that
# nothing here can reach, or outlive, what is not the recorder's.
# Needs: here (this folder), bed (a scratch folder on a disk), pgbin.
# shellcheck shell=bash disable=SC2154

declare -A address=([node1]=10.77.0.1 [node2]=10.77.0.2 [client]=10.77.0.100)
declare -A launcher=() init=()

build_switch() {
    ip netns add switch
    ip -n switch link add bridge type bridge forward_delay 0
    ip -n switch link set bridge up
}

plug_in() { # name: a fresh network namespace, with one cable to the switch
    ip -n switch link del "$1" 2>/dev/null || true
    ip netns del "$1" 2>/dev/null || true
    ip netns add "$1"
    ip -n switch link add "$1" type veth peer name eth0 netns "$1"
    ip -n switch link set "$1" master bridge up
    ip -n "$1" address add "${address[$1]}/24" dev eth0
    ip -n "$1" link set lo up
    ip -n "$1" link set eth0 up
}

start_machine() { # name, command...: in namespaces of its own; killing its init ends all of it
    local name=$1
    shift
    plug_in "$name"
    nsenter --net="/run/netns/$name" \
        unshare --mount --uts --ipc --pid --fork --kill-child --mount-proc "$@" </dev/null >>"$bed/$name.out" 2>&1 &
    launcher[$name]=$!
    until init[$name]=$(pgrep --parent "${launcher[$name]}"); do
        kill -0 "${launcher[$name]}" || fail "$name did not start: $(<"$bed/$name.out")"
        sleep 0.05
    done
}

stop_machine() { # name
    [[ -n ${launcher[$1]:-} ]] || return 0
    kill -KILL "${init[$1]}" 2>/dev/null || true
    wait "${launcher[$1]}" 2>/dev/null || true
    unset "launcher[$1]" "init[$1]"
}

start_node() { # name, token timeout in ms
    local disk="$bed/$1"
    rm -rf "$disk"
    mkdir -p "$disk/log/crmsh" "$disk/corosync"
    sed "s/@TOKEN_MS@/$2/" "$here/corosync.conf" >"$disk/corosync/corosync.conf"
    cp "$bed/cib.xml" "$disk/cib.xml"
    start_machine "$1" bash "$here/node.sh" "$1" "$disk"
}

on_node() { # name, command...
    nsenter --target "${init[$1]}" --mount --uts --ipc --net --pid "${@:2}"
}

from_client() { # SQL, through the virtual address
    ip netns exec client env PGCONNECT_TIMEOUT=2 \
        "$pgbin/psql" --host 10.77.0.10 --username postgres --no-psqlrc --quiet --tuples-only --command "$1" postgres
}

power_off() { # name: prints the moments before the cable is cut and after the kill, between which the node vanished
    # the cable first: a dying kernel would still tell its peers that connections are closed, a machine without power does not
    local before=$EPOCHREALTIME
    ip -n switch link set "$1" down
    kill -KILL "${init[$1]}"
    echo "$before $EPOCHREALTIME"
}

prepare_cib() { # the cluster's resources, as a file that both nodes boot with
    cibadmin --empty >"$bed/cib.xml"
    sed "s|@PGBIN@|$pgbin|g" "$here/service.crm" >"$bed/service.crm"
    CIB_file="$bed/cib.xml" crm --force configure load replace "$bed/service.crm" >"$bed/crm.out" 2>&1 ||
        fail "the cluster's resources were not accepted: $(<"$bed/crm.out")"
}

prepare_database() { # scale
    install --directory --owner postgres "$bed/prepared"
    runuser --user postgres -- "$pgbin/initdb" --pgdata "$bed/prepared" --username postgres --auth trust --no-instructions >/dev/null
    cat "$here/pg_hba.conf" >"$bed/prepared/pg_hba.conf"
    local server=("$pgbin/pg_ctl" --pgdata "$bed/prepared" --wait --silent --log "$bed/prepared/initial.log")
    runuser --user postgres -- "${server[@]}" --options "-h '' -k /run" start
    runuser --user postgres -- "$pgbin/pgbench" --host /run --initialize --scale "$1" --quiet postgres 2>/dev/null
    runuser --user postgres -- "${server[@]}" stop
    rm "$bed/prepared/initial.log"
}

restore_database() { # max_wal_size, checkpoint_timeout
    find /srv/postgresql -mindepth 1 -delete
    cp --archive "$bed/prepared/." /srv/postgresql
    cat "$here/postgresql.conf" - >/srv/postgresql/postgresql.conf <<CONF
max_wal_size = $1
checkpoint_timeout = $2
CONF
    sync --file-system /srv/postgresql
}
