#!/usr/bin/env bash
# Records the runs; started by record.sh in namespaces of its own. Usage: study.sh FOLDER CRASHES BED
set -euo pipefail

here=$(dirname "$(realpath "$0")")
study=$1
crashes=$2
bed=$3
pgbin=${PGBIN:-/usr/lib/postgresql/15/bin}
export LC_ALL=C TZ=UTC

scale=20
load_s=30 # of pgbench before the crash
tail_s=10 # of pgbench after the service is back
started_limit_s=90
outage_limit_s=180

configurations=(baseline short-token close-checkpoints short-token-close-checkpoints)
# one factor at a time: corosync's token timeout (ms); PostgreSQL's max_wal_size and checkpoint_timeout
declare -A token_ms=([baseline]=5000 [short-token]=1000 [close-checkpoints]=5000 [short-token-close-checkpoints]=1000)
declare -A wal_size=([baseline]=16GB [short-token]=16GB [close-checkpoints]=256MB [short-token-close-checkpoints]=256MB)
declare -A checkpoints=([baseline]=1h [short-token]=1h [close-checkpoints]=30s [short-token-close-checkpoints]=30s)

say() { echo "$(date +%T) $*" >&2; }
fail() {
    echo "record.sh: $*" >&2
    exit 1
}
# shellcheck source-path=SCRIPTDIR source=testbed.sh
source "$here/testbed.sh"

# --- the book of runs: truth.toml, one [[run]] for each folder ----------------------------------------------------------

runs_of() { # configuration, complete or all
    awk -v configuration="configuration = \"$1\"" -v which="$2" '
        function count() { if (mine && (which == "all" || !excluded)) runs++; mine = excluded = 0 }
        $0 == "[[run]]" { count() }
        $0 == configuration { mine = 1 }
        /^exclude = / { excluded = 1 }
        END { count(); print runs + 0 }' "$study/truth.toml"
}

utc() { # seconds since 1970 with microseconds
    date --utc --date "@$1" +%Y-%m-%dT%H:%M:%S.%6NZ
}

enter() { # configuration, run, moments of the crash or nothing, why it is incomplete or nothing
    local before after
    read -r before after <<<"$3" || true
    printf '[[run]]\nconfiguration = "%s"\nrun = %d\n' "$1" "$2"
    if [[ -n $before ]]; then
        printf '# the node vanished between this moment and %s\ntrue_fault_at = %s\n' "$(utc "$after")" "$(utc "$before")"
    fi
    if [[ -n $4 ]]; then printf 'exclude = "%s"\n' "$4"; fi
    echo
}

# --- one run ------------------------------------------------------------------------------------------------------------

wait_until() { # seconds, command...
    local end=$((SECONDS + $1))
    until "${@:2}" >/dev/null 2>&1; do
        ((SECONDS < end)) || return 1
        sleep 0.5
    done
}

is_running() { kill -0 "${init[$1]}"; }
has_ended() { ! is_running "$1"; }
serves() { from_client 'select 1' && [[ $(on_node node1 crm_resource --locate --resource database) == *node1* ]]; }
is_whole() { [[ $(on_node node1 crm_node --partition) == *node1*node2* ]]; }
membership_changes() { grep --count 'A processor failed' "$bed/node2/log/corosync.log"; }

crash() { # configuration; sets moments and reason
    moments="" reason=""
    start_node node1 "${token_ms[$1]}"
    start_node node2 "${token_ms[$1]}"
    plug_in client
    if ! wait_until "$started_limit_s" serves || ! wait_until 20 is_whole; then
        reason="the service did not start on node1 of a cluster of two within $started_limit_s s"
        return
    fi
    keep_configuration "$1"

    mkdir "$bed/client"
    start_machine client bash "$here/client.sh" "$pgbin" "$bed/client" "$tail_s"
    sleep "$load_s"
    if ! is_running client || ! is_running node1 || [[ $(membership_changes) != 0 ]]; then
        reason="the cluster or its clients were disturbed before the crash"
        return
    fi
    moments=$(power_off node1)
    wait_until "$outage_limit_s" has_ended client || reason="the clients were not served again within $outage_limit_s s of the crash"
}

keep_configuration() { # configuration: its files, once
    local folder="$study/$1"
    [[ -e $folder/crm-configure.txt ]] && return
    mkdir -p "$folder"
    cp "$bed/node1/corosync/corosync.conf" "$folder/corosync.conf"
    cp /srv/postgresql/postgresql.conf "$folder/postgresql.conf"
    on_node node1 crm configure show >"$bed/crm-configure.txt" 2>"$bed/crm.out" ||
        fail "crm configure show: $(<"$bed/crm.out")"
    mv "$bed/crm-configure.txt" "$folder/crm-configure.txt"
}

stop_all() {
    local name
    for name in client node1 node2; do stop_machine "$name"; done
}

collect() { # folder
    local name log
    mkdir -p "$1/client"
    for name in node1 node2; do
        mkdir "$1/$name"
        for log in corosync.log pacemaker.log postgresql.log iostat.txt vmstat.txt; do
            if [[ -e $bed/$name/log/$log ]]; then cp "$bed/$name/log/$log" "$1/$name/"; fi
        done
    done
    if [[ -d $bed/client ]]; then cp "$bed"/client/* "$1/client/"; fi
}

record_run() { # configuration, run
    local folder moments reason name
    folder="$study/$1/run$(printf %02d "$2")"
    say "$1 run $2"
    rm -rf "$bed/client" "$bed/run"
    restore_database "${wal_size[$1]}" "${checkpoints[$1]}"
    crash "$1"
    stop_all
    collect "$bed/run"
    if [[ -n $reason ]]; then
        say "$1 run $2 is incomplete: $reason"
        echo "$reason" >"$bed/run/INCOMPLETE.txt"
    fi
    # a folder without an entry is what an interrupted recorder left of a run; it is recorded again
    rm -rf "$folder"
    mkdir -p "$study/$1"
    cp --recursive "$bed/run" "$folder"
    enter "$1" "$2" "$moments" "$reason" >>"$study/truth.toml"
}

# --- the study ----------------------------------------------------------------------------------------------------------

record_until() { # configuration, complete runs
    local attempts=3
    while (($(runs_of "$1" complete) < $2)); do
        ((attempts-- > 0)) || fail "three incomplete runs of $1 one after the other; see INCOMPLETE.txt in their folders"
        record_run "$1" $(($(runs_of "$1" all) + 1))
    done
}

is_recorded() {
    local configuration
    for configuration in "${configurations[@]}"; do
        (($(runs_of "$configuration" complete) >= crashes)) || return 1
    done
}

record_study() {
    local round place
    for ((round = 1; round <= crashes; round++)); do
        for ((place = 0; place < ${#configurations[@]}; place++)); do
            # the order alternates, so that a drift of the machine falls on all configurations
            if ((round % 2)); then
                record_until "${configurations[place]}" "$round"
            else
                record_until "${configurations[-1 - place]}" "$round"
            fi
        done
    done
}

touch "$study/truth.toml"
if is_recorded; then exit; fi
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /srv
mkdir /srv/postgresql "$bed/disk"
mount --bind "$bed/disk" /srv/postgresql
chmod 777 /run
chown postgres: /srv/postgresql
chmod 700 /srv/postgresql
say "preparing the test bed in $bed"
build_switch
prepare_cib
prepare_database "$scale"
record_study
