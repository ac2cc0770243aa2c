#!/usr/bin/env bash
# Records the study: pgbench with synchronous_commit on against off, iostat and vmstat beside it.
# Usage: record.sh FOLDER [RUNS [SECONDS]]
# Needs PostgreSQL's programs (PGBIN, else those on the path) and sysstat; runs as any user but root.
# Starts a server of its own in a temporary folder, stops it, and touches nothing else. Whole runs are kept when it is run again.
set -euo pipefail

study=$(realpath "$1")
runs=${2:-10}
seconds=${3:-20}
export PATH="${PGBIN:-/usr/lib/postgresql/15/bin}:$PATH" LC_ALL=C TZ=UTC S_TIME_FORMAT=ISO
base=$(mktemp -d)
trap 'pg_ctl --pgdata "$base/data" --mode immediate stop >/dev/null 2>&1 || true; rm -rf "$base"' EXIT

initdb --pgdata "$base/data" --username bench --auth trust --no-instructions >/dev/null
cat >>"$base/data/postgresql.conf" <<CONF
listen_addresses = ''
unix_socket_directories = '$base'
shared_buffers = 256MB
max_wal_size = 4GB
checkpoint_timeout = 30min
autovacuum = off
CONF
pg_ctl --pgdata "$base/data" --log "$base/server.log" --wait start >/dev/null
export PGHOST=$base PGUSER=bench PGDATABASE=postgres
pgbench --initialize --scale 10 --quiet 2>/dev/null

record() { # setting, run
    local folder="$study/synchronous_commit=$1/run$(printf %02d "$2")"
    [[ -e $folder/pgbench.txt ]] && return
    mkdir -p "$folder"
    psql --quiet --command "vacuum pgbench_branches, pgbench_tellers" --command "truncate pgbench_history" \
        --command "checkpoint"
    psql --quiet --command "alter system set synchronous_commit = $1" --command "select pg_reload_conf()" >/dev/null
    sleep 1
    iostat -x -t 1 >"$folder/iostat.txt" &
    local io=$!
    vmstat -t 1 >"$folder/vmstat.txt" &
    local vm=$!
    pgbench --client 4 --jobs 2 --time "$seconds" --progress 1 --progress-timestamp --no-vacuum \
        >"$folder/pgbench.part" 2>&1
    kill -TERM $io $vm
    wait $io $vm 2>/dev/null || true
    mv "$folder/pgbench.part" "$folder/pgbench.txt"
}

for ((run = 1; run <= runs; run++)); do
    # the order alternates, so that a drift of the machine falls on both settings
    if ((run % 2)); then order="on off"; else order="off on"; fi
    for setting in $order; do
        record $setting "$run"
    done
done
