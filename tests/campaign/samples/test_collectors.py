"""What collectors pack gives the tables of the plain logs: 22 archives of eight layouts, made of the samples' logs.

Layouts: sos, crm report (crmsh), hb_report, crm_report (Pacemaker, `pcs cluster report`), hagetcf, db2support, a dump
of Kubernetes (`kubectl cluster-info dump`), must-gather. SOURCE of their trees: sosreport/sos, ClusterLabs/crmsh,
ClusterLabs/pacemaker, openshift/must-gather; hagetcf, db2support and kubectl RECONSTRUCTED. Each holds what its
collector adds: copies of the logs, state, files of the tool.
"""

import bz2
import gzip
import io
import lzma
import re
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pipeline.ingest.ingest import ingest
from tests.support.same_numbers import numbers
from tests.support.sample import made_once, sample_files

NUMBERS = {
    "run": "configuration, run, fault_at, fault_at_low, fault_at_high, fault_source, lost_node, surviving_node, flags",
    "milestone": 'configuration, run, stack, milestone, "at", elapsed_s, elapsed_low_s, elapsed_high_s, resolution_s',
    "phase": "configuration, run, phase, start_s, end_s",
    "run_outcome": "configuration, run, outcome",
    "milestone_stats": "configuration, milestone, runs, mean_s, stddev_s, ci95_low_s, ci95_high_s",
    "cluster_timer": "distinct configuration, token_s, consensus_s, deadtime_s, peerinact_s",
    "parameter": "distinct configuration, scope, name, value",
    "event": 'configuration, run, node, "at", source, text',
}
COMPRESSORS: Mapping[str, Callable[[Path, str], Any]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
PRINTED = re.compile(r"([\d-]{10}) ([\d:.]{12}) UTC ")
Files = Mapping[str, bytes]
"""Contents by path."""


def logs(folder: Path) -> dict[str, bytes]:
    """The files of a folder of a sample."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


def packed(path: Path, top: str, files: Files) -> None:
    """An archive as its collector names it, of one folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files.items():
                archive.writestr(f"{top}{name}", content)
        return
    with COMPRESSORS[path.suffix](path, "wb") as stream, tarfile.open(fileobj=stream, mode="w|") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(f"{top}{name}")
            member.size, member.mtime = len(content), 1790000000
            archive.addfile(member, io.BytesIO(content))


ZONE = b"""\
      Local time: Sat 2026-11-21 18:00:00 UTC
  Universal time: Sat 2026-11-21 18:00:00 UTC
       Time zone: Etc/UTC (UTC, +0000)
"""


@dataclass(frozen=True, slots=True)
class Run:
    """A run of a sample: its logs by node, and the configuration of the cluster."""

    name: str
    number: int
    nodes: Mapping[str, Files]
    shared: Files


def sos(study: Path, run: Run) -> None:
    for node, files in run.nodes.items():
        top = f"sosreport-{node}-case{run.number}-2026-11-2{run.number}-abcdefg"
        tree = {
            "version.txt": b"sosreport: 4.7.2\n",
            "hostname": f"{node}\n".encode(),
            "date": ZONE,
            "sos_commands/host/hostname": f"{node}\n".encode(),
            "sos_commands/pacemaker/crm_mon_-1_-A_-n_-r_-t": b"Cluster Summary:\n  * 2 nodes configured\n",
            "sos_commands/corosync/corosync-cmapctl": b"runtime.config.totem.token (u32) = 5000\n",
            "sos_commands/pacemaker/crm_report/" + node + "/corosync.log": files["corosync.log"],
            "sos_logs/sos.log": b"2026-11-21 18:00:01,123 INFO: [plugin:host] collecting\n",
            "sos_reports/manifest.json": b'{"version": "4.7.2"}\n',
            "etc/corosync/corosync.conf": run.shared["corosync.conf"],
            "sos_commands/pacemaker/crm_configure_show": run.shared["crm-configure.txt"],
            "var/lib/pgsql/data/postgresql.conf": run.shared["postgresql.conf"],
            "var/log/cluster/corosync.log": files["corosync.log"],
            "var/log/pacemaker/pacemaker.log": files["pacemaker.log"],
            "var/lib/pgsql/data/log/postgresql.log": files["postgresql.log"],
            **{f"var/log/sa/{name}": files[name] for name in ("iostat.txt", "vmstat.txt")},
        }
        packed(study / run.name / f"{top}.tar.xz", f"{top}/", tree)


def report(top: str, *, names: Callable[[str], str], noise: Files) -> Callable[[Path, Run], None]:
    """A report of the cluster: a folder a node, what is equal at the top."""

    def write(study: Path, run: Run) -> None:
        tree: dict[str, bytes] = {
            "analysis.txt": next(iter(next(iter(run.nodes.values())).values())),
            "description.txt": b"Report of a failover\nDate: Sat Nov 21 18:00:00 UTC 2026\n",
            "members.txt": f"{' '.join(run.nodes)}\n".encode(),
            **run.shared,
            **noise,
        }
        for node, files in run.nodes.items():
            tree[f"{node}/RUNNING"] = f"{node}\n".encode()
            tree[f"{node}/pengine/pe-input-12.bz2"] = bz2.compress(
                b'<cib crm_feature_set="3.0.14"><configuration/></cib>\n'
            )
            tree[f"{node}/sysinfo.txt"] = b"platform: Linux\nkernel release: 6.1\n"
            tree[f"{node}/permissions.txt"] = b"Checking problems with permissions and ownership of system files:\nOK\n"
            tree |= {f"{node}/{names(name)}": content for name, content in files.items()}
        day = f"{top}-Sat-2{run.number}-Nov-2026"
        packed(study / run.name / f"{day}.tar.bz2", f"{day}/", tree)

    return write


def hagetcf(study: Path, run: Run) -> None:
    for node, files in run.nodes.items():
        top = f"hagetcf.0{run.number}12_1031.{node}"
        tree = {
            "etc/VRTSvcs/conf/config/main.cf": run.shared["main.cf"],
            "etc/VRTSvcs/conf/sysname": f"{node}\n".encode(),
            "etc/llttab": run.shared["llttab"],
            "etc/gabtab": run.shared["gabtab"],
            "var/VRTSvcs/log/engine_A.log": files["engine_A.log"],
            "var/log/messages": files["messages"],
            "db2dump/db2diag.log": files["db2diag.log"],
            "hares.out": b"#Resource    Attribute    System    Value\ndb2_ip  Enabled  global  1\n",
            "hasys.out": b"#System  Attribute  Value\n",
            "uname.out": b"SunOS 5.8\n",
        }
        packed(study / run.name / f"{top}.tar.gz", f"{top}/", tree)

    beside(study, {name: run.shared[name] for name in run.shared.keys() - {"main.cf", "llttab", "gabtab"}})


def beside(study: Path, files: Files) -> None:
    """What no collector packs lies at the top, as in the sample."""
    for name, content in files.items():
        (study / name).write_bytes(content)


def db2support(study: Path, run: Run) -> None:
    """The cluster's logs lie beside: db2support packs those of DB2."""
    for node, files in run.nodes.items():
        tree = {
            "db2support.html": b"<html><body><h1>db2support</h1></body></html>\n",
            "DB2DUMP/db2diag.log": files["db2diag.log"],
            "DB2CONFIG/db2nodes.cfg": f"0 {node} 0\n".encode(),
            "STMM/stmm.0.log": b"",
            "detailed_system_info.html": b"<html></html>\n",
        }
        place = study / run.name / node
        packed(place / "db2support.zip", "", tree)
        for name, content in files.items():
            if name != "db2diag.log":
                (place / name).write_bytes(content)
    beside(study, run.shared)


def kubernetes(study: Path, run: Run) -> None:
    """The server's log of each pod; the rest of the run lies beside."""
    top, tree = f"cluster-dump-{run.number}", dict[str, bytes]()
    tree["nodes.json"] = b'{"kind": "NodeList", "apiVersion": "v1", "items": []}\n'
    tree["default/events.json"] = b'{"kind": "EventList", "apiVersion": "v1", "items": []}\n'
    for node, files in run.nodes.items():
        marks = [
            f"==== {word} logs for container postgres of pod default/{node} ====\n".encode()
            for word in ("START", "END")
        ]
        tree[f"default/{node}/logs.txt"] = marks[0] + files["postgresql.log"] + marks[1]
        for name, content in files.items():
            if name != "postgresql.log":
                (study / run.name / node).mkdir(parents=True, exist_ok=True)
                (study / run.name / node / name).write_bytes(content)
    packed(study / run.name / f"{top}.tar.gz", f"{top}/", tree)
    beside(study, run.shared)


def stamped(log: bytes) -> bytes:
    """The lines as the runtime of containers stamps them, here at the times that the server printed."""
    found, instant = [], ""
    for line in log.decode().splitlines():
        if printed := PRINTED.match(line):
            instant = f"{printed[1]}T{printed[2]}000000Z"
        found.append(f"{instant} {line}\n")
    return "".join(found).encode()


def must_gather(study: Path, run: Run) -> None:
    """The server's log of each pod below the folder of an image; the rest of the run lies beside."""
    top = f"must-gather.local.415724594470821040{run.number}"
    image = "quay-io-openshift-release-dev-ocp-v4-0-art-dev-sha256-1f5d2c"
    tree = {
        "timestamp": b"2026-11-21 18:00:00.1 +0000 UTC m=+0.1\n2026-11-21 18:03:00.1 +0000 UTC m=+180.1\n",
        "event-filter.html": b"<html><body><table></table></body></html>\n",
        f"{image}/version": b"openshift/must-gather\n4.15.0\n",
    }
    for node, files in run.nodes.items():
        pod = f"{image}/namespaces/db/pods/{node}"
        tree |= {
            f"{image}/cluster-scoped-resources/core/nodes/worker-{node}.yaml": b"apiVersion: v1\nkind: Node\n",
            f"{pod}/{node}.yaml": f"kind: Pod\nspec:\n  nodeName: worker-{node}\n".encode(),
            f"{pod}/postgres/postgres/logs/current.log": stamped(files["postgresql.log"]),
            f"{pod}/postgres/postgres/logs/previous.log": b"",
        }
        (study / run.name / node).mkdir(parents=True)
        for name, content in files.items():
            if name != "postgresql.log":
                (study / run.name / node / name).write_bytes(content)
    packed(study / run.name / f"{top}.tar.gz", f"{top}/", tree)
    beside(study, run.shared)


@dataclass(frozen=True, slots=True)
class Layout:
    """A collector, the sample whose logs it packs, and how many archives come of two runs."""

    write: Callable[[Path, Run], None]
    sample: str
    archives: int


LAYOUTS = {
    "sos": Layout(sos, "pacemaker-postgresql/baseline", 4),
    "crm report": Layout(report("crm_report", names=str, noise={}), "pacemaker-postgresql/baseline", 2),
    "crm_report of Pacemaker": Layout(
        report("pcmk", names=lambda name: name + ".extract.txt" if name.endswith(".log") else name, noise={}),
        "pacemaker-postgresql/baseline",
        2,
    ),
    "hb_report": Layout(
        report("hb_report", names=lambda name: f"{name}.txt" if name == "ha-log" else name, noise={}),
        "drbd-2005/link-failure",
        2,
    ),
    "hagetcf": Layout(hagetcf, "failover-2004/default", 4),
    "db2support": Layout(db2support, "failover-2004/default", 4),
    "kubernetes": Layout(kubernetes, "pacemaker-postgresql/baseline", 2),
    "must-gather": Layout(must_gather, "pacemaker-postgresql/baseline", 2),
}


def runs(sample: Path) -> list[Run]:
    found = []
    for number, name in enumerate(("run01", "run02"), 1):
        nodes = {
            each.name: logs(each)
            for each in sorted((sample / name).iterdir())
            if each.is_dir() and each.name != "client"
        }
        found.append(Run(name, number, nodes, logs(sample)))
    return found


def plain(study: Path, run: Run) -> None:
    for node, files in run.nodes.items():
        (study / run.name / node).mkdir(parents=True)
        for name, content in files.items():
            (study / run.name / node / name).write_bytes(content)
    beside(study, run.shared)


def ingest_plain(sample: Path, folder: Path) -> None:
    for run in runs(sample):
        plain(folder / "plain" / "tested", run)
    ingest(folder / "plain", folder / "plain.duckdb")


def test_there_are_more_than_twenty() -> None:
    assert sum(each.archives for each in LAYOUTS.values()) == 22


@pytest.mark.slow
@pytest.mark.parametrize("name", LAYOUTS)
def test_archives_of_a_collector_give_the_tables_of_the_plain_logs(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    layout = LAYOUTS[name]
    study, _, configuration = layout.sample.partition("/")
    sample = sample_files(study, tmp_path_factory) / configuration
    unpacked = made_once(f"plain logs of {layout.sample}", tmp_path_factory, partial(ingest_plain, sample))
    for run in runs(sample):
        layout.write(tmp_path / "packed" / "tested", run)
    archives = [path for path in (tmp_path / "packed").rglob("*") if path.suffix in {".xz", ".bz2", ".gz", ".zip"}]
    assert len(archives) == layout.archives
    ingest(tmp_path / "packed", tmp_path / "packed.duckdb")
    expected, found = numbers(unpacked / "plain.duckdb", NUMBERS), numbers(tmp_path / "packed.duckdb", NUMBERS)
    assert expected["event"]
    assert expected["milestone"] or name == "hb_report"  # of the sample's link failures nothing was taken over
    for relation in NUMBERS:
        known, given = set(expected[relation]), set(found[relation])
        missing = [row for row in expected[relation] if row not in given]
        more = [row for row in found[relation] if row not in known]
        assert (relation, missing[:3], more[:3], len(found[relation])) == (relation, [], [], len(expected[relation]))
