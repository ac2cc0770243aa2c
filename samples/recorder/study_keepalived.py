"""Two HAProxys behind an address that keepalived moves: how often the master says that it lives."""

import time
from collections.abc import Mapping, Sequence

from samples.recorder.bed import Machine, Moments
from samples.recorder.study import Knobs, Study
from samples.recorder.study_patroni import start_syslog

NODES = ("node1", "node2")
SERVICE = "10.78.0.100"
CONFIG = """global_defs {{
    vrrp_version 3
    script_user root
    enable_script_security
}}
vrrp_script haproxy {{
    script "/usr/bin/pgrep -x haproxy"
    interval {interval}
    fall 2
    rise 2
}}
vrrp_instance shop {{
    state BACKUP
    interface eth0
    virtual_router_id 51
    priority {priority}
    advert_int {advert_int}
    virtual_ipaddress {{
        {service}/24
    }}
    track_script {{
        haproxy
    }}
}}
"""
HAPROXY = """global
    log /dev/log local0
defaults
    mode http
    option httplog
    option dontlog-normal
    log global
    timeout connect 1s
    timeout client 5s
    timeout server 5s
frontend shop
    bind *:80
    default_backend web
backend web
    server web1 {web}:8000 check inter 1s
"""


class Keepalived:
    """The backup misses the master's advertisements, and takes the address."""

    def start(self, machines: Mapping[str, Machine], knobs: Knobs) -> None:
        """Start the web server, then HAProxy and keepalived on both nodes; node1 has the higher priority."""
        web = machines["web"]
        web.start("python3", "-m", "http.server", "8000", "--directory", web.make_folder("site", "root", 0o755))
        for name, priority in zip(NODES, (110, 100), strict=True):
            node = machines[name]
            start_syslog(node, "syslog")
            node.start("haproxy", "-W", "-f", node.write("haproxy.cfg", HAPROXY.format(web=web.address)))
            text = CONFIG.format(priority=priority, service=SERVICE, **knobs)
            node.start("keepalived", "-n", "-f", node.write("keepalived.conf", text))

    def _has_address(self, machine: Machine) -> bool:
        return SERVICE in machine.call("ip", "-4", "address", "show", "eth0", check=False)

    def is_ready(self, machines: Mapping[str, Machine]) -> bool:
        """Whether node1 alone has the address and the service answers there."""
        if not self._has_address(machines["node1"]) or self._has_address(machines["node2"]):
            return False
        return bool(machines["client"].call("curl", "-sf", "--max-time", "1", f"http://{SERVICE}/", check=False))

    def leader(self, machines: Mapping[str, Machine]) -> str:
        """The node that has the address."""
        return next(name for name in NODES if self._has_address(machines[name]))

    def kill(self, machine: Machine) -> Moments:
        """Kill HAProxy; keepalived beside it finds out."""
        return machine.kill("haproxy -W")

    def switch_over(self, machines: Mapping[str, Machine]) -> Moments:
        """Stop keepalived in order: it says good-bye."""
        before = time.time()
        machines["node1"].kill("keepalived -n", signal="TERM")
        return before, time.time()

    def probe(self, machines: Mapping[str, Machine]) -> Sequence[str]:  # noqa: ARG002  the same for every stack
        """A client of the address."""
        return ["http", f"{SERVICE}:80"]


KEEPALIVED = Study(
    name="keepalived-haproxy",
    stack=Keepalived(),
    nodes=NODES,
    others=("web",),
    configurations={
        "baseline": {"advert_int": "1", "interval": "2"},
        "advert-200ms": {"advert_int": "0.2", "interval": "2"},
    },
    tools=("keepalived", "haproxy", "rsyslogd", "curl", "pgrep"),
    private=("/var/lib/haproxy",),
    logs=("syslog",),
    calm_s=6,
)
