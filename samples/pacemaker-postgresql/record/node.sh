#!/usr/bin/env bash
# Boots one node; runs as the init of the node's own PID, mount, UTS and IPC namespaces and ends as pacemakerd.
# Usage: node.sh NAME DISK    DISK holds the node's log/, corosync/ and cib.xml
set -euo pipefail

name=$1
disk=$2
export LC_ALL=C TZ=UTC S_TIME_FORMAT=ISO
export PCMK_logfile=/var/log/pacemaker.log PCMK_logfacility=none

private_folders() {
    mount -t tmpfs tmpfs /run
    mount -t tmpfs tmpfs /dev/shm
    mount -t tmpfs tmpfs /var/lib/corosync
    mount -t tmpfs tmpfs /var/lib/pacemaker
    mount --bind "$disk/corosync" /etc/corosync
    mount --bind "$disk/log" /var/log
    install --directory /run/lock /run/resource-agents
    install --directory --owner hacluster --group haclient --mode 0750 /run/crm \
        /var/lib/pacemaker/{blackbox,cib,cores,pengine}
    install --directory --owner postgres --group postgres /run/postgresql
    install --owner hacluster --group haclient --mode 0600 "$disk/cib.xml" /var/lib/pacemaker/cib/cib.xml
}

hostname "$name"
private_folders
# a cluster manager that gives up reboots its machine through this file; the machine is not the node
if [[ -e /proc/sysrq-trigger ]]; then mount --bind /dev/null /proc/sysrq-trigger; fi
ip link set lo up

stdbuf --output=L iostat -x -t 1 >/var/log/iostat.txt &
stdbuf --output=L vmstat -t 1 >/var/log/vmstat.txt &
corosync -f &
until corosync-quorumtool -s >/dev/null 2>&1 || [[ $? -eq 2 ]]; do sleep 0.1; done
exec pacemakerd >/var/log/pacemakerd.out 2>&1
