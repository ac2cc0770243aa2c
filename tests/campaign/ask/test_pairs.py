"""Studies beside their earlier selves: each finds its partner whatever folders are called, or is refused."""

import json
import re
from pathlib import Path

import pytest
from pypdf import PdfReader

from pipeline.ask.compare.studies import against_earlier
from tests.support.command import haledger

PGBENCH = """\
transaction type: <builtin: TPC-B (sort of)>
scaling factor: 10
query mode: simple
number of clients: 4
number of threads: 1
duration: 60 s
number of transactions actually processed: {count}
number of failed transactions: 0 (0.000%)
latency average = 40.0 ms
initial connection time = 5.000 ms
tps = {tps:.6f} (without initial connection time)
"""
CSV = "config,run,clients,duration_s,tps\n{name},{run},8,60,{tps}\n"
LAYOUTS = {
    "flat": "load_run{run}.{suffix}",
    "a folder a run": "run{run}/load.{suffix}",
    "one setting": "{name}/run{run}/load.{suffix}",
    "settings": "{setting}/run{run}/load.{suffix}",
    "a host a folder": "{name}/run{run}/dbhost/load.{suffix}",
}
KINDS = {"pgbench": ("txt", PGBENCH), "table": ("csv", CSV)}
SETTINGS = {"small": 1, "large": 2}
BEFORE, AFTER = 100, 80


def study(folder: Path, layout: str, kind: str, level: float) -> str:
    """Write five runs a setting; their throughput is about the level. The name of the study."""
    suffix, text = KINDS[kind]
    for setting, factor in SETTINGS.items() if "{setting}" in layout else (("", 1),):
        for run in range(1, 6):
            file = folder / layout.format(name=folder.name, setting=setting, run=run, suffix=suffix)
            file.parent.mkdir(parents=True, exist_ok=True)
            name = setting or folder.name
            tps = factor * level + run / 10
            file.write_text(text.format(name=name, run=run, tps=tps, count=round(60 * tps)))
    return folder.name


ELSE = {
    "other settings": {"a/run1/load.txt": PGBENCH, "b/run1/load.txt": PGBENCH},
    "other metric": {"load.csv": CSV.replace("tps", "elapsed_s").replace("{elapsed_s}", "{tps}")},
    "other tool": {"app.log": "2026-03-01 10:00:00 host app[1]: error: connection refused\n"},
    "cluster": {"engine_A.log": "2011/05/13 03:31:40 VCS INFO V-16-1-10077 Received new cluster membership\n"},
    "one of two": {"c/run1/load.txt": PGBENCH},
}
"""Studies that have nothing in common with one of the settings `small` and `large`."""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_ten_studies_meet_their_earlier_selves_under_other_names(tmp_path: Path, layout: str, kind: str) -> None:
    names = [
        study(tmp_path / name, LAYOUTS[layout], kind, level) for name, level in (("last-year", BEFORE), ("now", AFTER))
    ]
    for name in names:
        assert haledger("ingest", name, "--db", f"{name}.duckdb", cwd=tmp_path).returncode == 0
    history = haledger("history", *(f"{name}.duckdb" for name in names), "--of", "tps", cwd=tmp_path)
    settings = [f":{each}" for each in SETTINGS] if layout == "settings" else [""]
    compared = re.findall(r"(19\.9|20\.0)\W% less", history.stdout)
    assert (history.returncode, len(compared)) == (0, len(settings)), history.stdout
    found = [
        json.loads(
            haledger("compare", *(f"{name}.duckdb{each}" for name in reversed(names)), "--json", cwd=tmp_path).stdout
        )
        for each in settings
    ]
    then, now = (tmp_path / f"{name}.duckdb" for name in names)
    found += [each.to_dict() for each in against_earlier(now, then).comparisons.values()]  # as `report --against` does
    ratios = [pair["ratio"] for each in found for pair in each["pairs"] if pair["item"] == "tps"]
    assert ratios == pytest.approx([0.8] * 2 * len(settings), rel=0.01)


@pytest.mark.parametrize("files", ELSE.values(), ids=ELSE)
def test_studies_that_share_nothing_are_refused(tmp_path: Path, files: dict[str, str]) -> None:
    study(tmp_path / "now", LAYOUTS["settings"], "pgbench", AFTER)
    for name, text in files.items():
        (tmp_path / "other" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "other" / name).write_text(text.format(name="a", run=1, tps=BEFORE, count=60 * BEFORE))
    for name in ("now", "other"):
        assert haledger("ingest", name, "--db", f"{name}.duckdb", cwd=tmp_path).returncode == 0
    history = ("history", "other.duckdb", "now.duckdb", *(("--of", "tps") if "run1" in "".join(files) else ()))
    for command in (("report", "now", "--against", "other.duckdb"), history):
        refused = haledger(*command, cwd=tmp_path)
        assert refused.returncode == 2, refused.stderr
        assert re.search(
            r"(no configuration|nothing) in common: .*now has large, small: .*\(from pgbench\)", refused.stderr
        )
        pair = re.search(r"`haledger compare FILE:(.*) FILE:(.*)`", refused.stderr)
        assert (pair is not None) == ("run1" in "".join(files))
    assert not (tmp_path / "now-report").exists()


def test_the_last_report_is_found_named_and_its_drift_said_on_page_1(tmp_path: Path) -> None:
    study(tmp_path / "nightly", LAYOUTS["flat"], "pgbench", BEFORE)
    first = haledger("report", "nightly", "--against", "last", "-o", "monday-report", cwd=tmp_path)
    assert "no earlier report of nightly here" in first.stderr
    study(tmp_path / "nightly", LAYOUTS["flat"], "pgbench", AFTER)
    (tmp_path / "nightly" / "study.toml").write_text("[study]\nmargin_pct = 1\n")
    again = haledger(
        "report", "nightly", "--against", "last", "--label", "Monday", "-o", "tuesday-report", cwd=tmp_path
    )
    assert "compared with monday-report" in again.stderr
    page = PdfReader(tmp_path / "tuesday-report" / "report.pdf").pages[0].extract_text()
    assert re.search(r"nightly against Monday: .* instead of .*, 19.9.% less", page), page
    assert "5 files with 55 lines" in page  # study.toml is no log
    for beside_the_matter in ("Nothing is compared", "failed transactions", "time to connect"):
        assert beside_the_matter not in page.partition("Against the earlier study")[0]
