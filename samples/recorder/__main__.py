"""Command line of the recorder: `sudo python3 -m samples.recorder STUDY FOLDER [--rounds N]`.

Everything it starts lives in namespaces of its own, and ends with them, however it ends.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from samples.recorder.plan import record
from samples.recorder.study import Study
from samples.recorder.study_galera import GALERA
from samples.recorder.study_keepalived import KEEPALIVED
from samples.recorder.study_patroni import PATRONI
from samples.recorder.study_redis import REDIS
from samples.recorder.study_repmgr import REPMGR

STUDIES = {study.name: study for study in (PATRONI, REDIS, KEEPALIVED, GALERA, REPMGR)}
INSIDE = "HALEDGER_RECORDER_BED"
NAMESPACES = ("unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc")


def _complain(parser: argparse.ArgumentParser, study: Study) -> None:
    """End with a message where the machine lacks something."""
    if os.geteuid():
        parser.error("must run as root, because it makes namespaces")
    missing = [tool for tool in ("ip", "unshare", "nsenter", "setpriv", *study.tools) if not shutil.which(tool)]
    if missing:
        parser.error(f"not installed: {', '.join(missing)}; see samples/leaders/README.md")


def main() -> int:
    """Record the study that the command line names; return the exit code."""
    parser = argparse.ArgumentParser(prog="python3 -m samples.recorder", description="Record a study of failovers.")
    parser.add_argument("study", choices=sorted(STUDIES), metavar="STUDY", help=", ".join(sorted(STUDIES)))
    parser.add_argument(
        "folder", type=Path, metavar="FOLDER", help="where the study is written to; runs in it are kept"
    )
    parser.add_argument(
        "--rounds", type=int, metavar="N", help="runs of each configuration; all of the plan when not given"
    )
    options = parser.parse_args()
    study = STUDIES[options.study]
    _complain(parser, study)
    if bed := os.environ.get(INSIDE):
        record(study, options.folder.resolve(), Path(bed), options.rounds or len(study.plan))
        return 0
    options.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="recorder.", dir="/var/tmp") as bed:
        Path(bed).chmod(0o755)
        command = [
            "setpriv",
            "--pdeathsig",
            "KILL",
            *NAMESPACES,
            sys.executable,
            "-m",
            "samples.recorder",
            *sys.argv[1:],
        ]
        return subprocess.run(
            command, check=False, env={**os.environ, INSIDE: bed, "TZ": "UTC", "LC_ALL": "C"}
        ).returncode


if __name__ == "__main__":
    sys.exit(main())
