#!/usr/bin/env bash
# The clients of the database, through the virtual address: a probe every 100 ms, and pgbench until it is lost, then again.
# Usage: client.sh PGBIN FOLDER TAIL
# Ends by itself when pgbench, after it was lost once, has run for TAIL seconds: the service is back.
set -euo pipefail

pgbin=$1
folder=$2
tail=$3
export LC_ALL=C TZ=UTC S_TIME_FORMAT=ISO
# without these a client hears nothing from a machine without power, and waits for minutes
database="host=10.77.0.10 user=postgres dbname=postgres connect_timeout=2 tcp_user_timeout=2000"
database+=" keepalives_idle=1 keepalives_interval=1 keepalives_count=2"

load() { # seconds
    "$pgbin/pgbench" --client 4 --jobs 2 --time "$1" --progress 1 --progress-timestamp --no-vacuum --max-tries 10 \
        --builtin tpcb-like@2 --file batch.sql@1 \
        --log --aggregate-interval 1 --log-prefix "$folder/transactions" "$database" >>"$folder/pgbench.txt" 2>&1
}

hostname client
# of its processors only: the disk is the nodes'; the head of the file says which machine all these files are of
stdbuf --output=L iostat -c -t 1 >"$folder/iostat.txt" &
cd "$(dirname "$(realpath "$0")")"
python3 probe.py 10.77.0.10 5432 postgres >"$folder/probe.csv" &
probe=$!
if load 3600; then exit 1; fi
until load "$tail"; do sleep 0.5; done
kill -TERM $probe
