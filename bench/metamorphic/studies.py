"""The studies that are varied: a few runs of each sample, unpacked, with the true fault times beside."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from samples.files import SAMPLES, files


@dataclass(frozen=True, slots=True)
class Sample:
    """Some runs of a sample. `truth`: the file of true fault times beside it, of samples that were recorded."""

    name: str
    path: str
    configurations: tuple[str, ...]
    runs: tuple[str, ...] = ()
    truth: str = ""

    def write(self, folder: Path) -> Path:
        """Write them to a folder; give it."""
        for configuration in self.configurations:
            for path, content in files(SAMPLES / self.path, f"{configuration}/"):
                parts = path.split("/")
                if not self.runs or len(parts) < 3 or parts[1] in self.runs:
                    (folder / path).parent.mkdir(parents=True, exist_ok=True)
                    (folder / path).write_bytes(content)
        (folder / "study.toml").write_text(self._study_toml(), encoding="utf-8")
        return folder

    def _study_toml(self) -> str:
        """What logs without year or zone need, and the true times of the faults."""
        manifest = SAMPLES / self.path / "study.toml"
        declared = tomllib.loads(manifest.read_text(encoding="utf-8")) if manifest.exists() else {}
        kept = {key: declared.get("study", {}).get(key) for key in ("year", "timezone")}
        lines = ["[study]", *(f"{key} = {value!r}" for key, value in kept.items() if value is not None)]
        truths = tomllib.loads((SAMPLES / self.truth).read_text(encoding="utf-8"))["run"] if self.truth else []
        for each in truths:
            if each["configuration"] in self.configurations and f"run{each['run']:02}" in self.runs:
                lines += ["[[run]]", f'configuration = "{each["configuration"]}"', f"run = {each['run']}"]
                lines.append(f"true_fault_at = {each['true_fault_at'].isoformat()}")
        return "\n".join(lines) + "\n"


TWO = ("run01", "run02")
STUDIES = (
    Sample("vcs", "failover-2004", ("default", "tuned"), TWO),
    Sample("vcs-unsplit", "failover-modern", ("default", "tuned")),
    Sample("heartbeat", "drbd-2005", ("secondary-failure",), TWO),
    Sample("pacemaker", "pacemaker-postgresql", ("baseline", "short-token"), TWO, "pacemaker-postgresql.truth.toml"),
    Sample(
        "patroni", "leaders/patroni-postgresql", ("baseline", "ttl-20"), TWO, "leaders/patroni-postgresql.truth.toml"
    ),
    Sample("repmgr", "leaders/repmgr", ("baseline", "attempts-3"), TWO, "leaders/repmgr.truth.toml"),
    Sample("galera", "leaders/galera", ("baseline", "suspect-3s"), TWO, "leaders/galera.truth.toml"),
    Sample(
        "sentinel", "leaders/redis-sentinel", ("baseline", "down-after-1s"), TWO, "leaders/redis-sentinel.truth.toml"
    ),
    Sample(
        "keepalived",
        "leaders/keepalived-haproxy",
        ("baseline", "advert-200ms"),
        TWO,
        "leaders/keepalived-haproxy.truth.toml",
    ),
)
