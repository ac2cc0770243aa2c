"""check, verify and init from the command line: exit codes, JSON, what is on which stream."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import Outcome, haledger
from tests.support.failover_logs import on_days, write, write_run, write_timers

HOLDS = '[[claim]]\ntext = "Soon"\nmilestone = "complete"\nop = "<="\nvalue = 100\n'
UNDETERMINED = '[[claim]]\ntext = "Two runs"\nmilestone = "complete"\nconfiguration = "few"\nop = "<="\nvalue = 100\n'
FAILS = (
    '[[claim]]\ntext = "Impossible\x5cu001b[31m"\nmilestone = "complete"\nconfiguration = "many"\nop = "<"\nvalue = 1\n'
)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    study = tmp_path_factory.mktemp("check") / "logs"
    for configuration, runs in (("few", 2), ("many", 3)):
        write_timers(study / configuration)
        for number in range(1, runs + 1):
            write_run(study / configuration / f"run{number:02}")
    return on_days(study)


def check(logs: Path, manifest: str, *arguments: str) -> Outcome:
    write(logs / "study.toml", manifest)
    found = haledger("check", "logs", *arguments, cwd=logs.parent)
    assert "Traceback" not in found.stderr
    assert not list(logs.parent.glob("*.duckdb"))
    return found


def reported(found: Outcome) -> Any:  # JSON holds values of many types
    return json.loads(found.stdout)


@pytest.mark.parametrize(
    ("manifest", "arguments", "code"),
    [
        pytest.param(
            HOLDS.replace("op", 'configuration = "many"\nop') + UNDETERMINED,
            ("--fail-on", "excluded"),
            0,
            id="a claim that holds, one that cannot be determined, a rule that finds nothing",
        ),
        pytest.param(UNDETERMINED, ("--strict",), 5, id="one that cannot be determined counts if asked to"),
        pytest.param(FAILS, (), 5, id="an impossible one"),
        pytest.param("", ("--fail-on", "few_runs"), 5, id="a rule that finds something"),
        pytest.param("", ("--fail-on", "few_run"), 2, id="a rule that does not exist"),
        pytest.param(HOLDS.replace("complete", "complet"), (), 2, id="an unknown name"),
        pytest.param("[[claims]]\n", (), 2, id="a misspelt key"),
    ],
)
def test_check_exits_as_it_says(logs: Path, manifest: str, arguments: tuple[str, ...], code: int) -> None:
    found = check(logs, manifest, *arguments)
    assert found.returncode == code, found.stderr
    assert bool(found.stderr) == bool(code)
    assert bool(found.stdout) == (code != 2)


def test_check_shows_verdicts_values_and_doubts(logs: Path) -> None:
    found = check(logs, UNDETERMINED + FAILS)
    assert re.search(r"^CANNOT TELL  1\. Two runs$", found.stdout, re.MULTILINE)
    assert re.search(r"^FAIL +2\. Impossible\\x1b\[31m$", found.stdout, re.MULTILINE)
    assert "fewer than 3 runs give no interval" in " ".join(found.stdout.split())
    assert "found 40.25 s" in found.stdout
    assert re.search(r"^WARN +few_runs: ", found.stdout, re.MULTILINE)
    assert "\x1b" not in found.stdout + found.stderr
    assert found.stderr.strip() == "haledger: logs: 1 claim does not hold"


def test_check_says_the_same_to_machines(logs: Path) -> None:
    result = reported(check(logs, UNDETERMINED + FAILS, "--json", "--fail-on", "few_runs"))
    assert result["holds"] is False
    assert result["failures"] == ["1 claim does not hold", "few_runs was found (--fail-on)"]
    assert result["counts"] == {"PASS": 0, "FAIL": 1, "CANNOT TELL": 1}
    first, second = result["claims"]
    assert (first["verdict"], second["verdict"]) == ("CANNOT TELL", "FAIL")
    assert (second["value"], second["unit"], second["runs"]) == (40.25, "s", 3)
    assert second["ci95_low"] < 40.25 < second["ci95_high"]
    rules = {each["rule"]: each["verdict"] for each in result["rules"]}
    assert rules["few_runs"] == "FAIL"
    assert set(rules.values()) <= {"FAIL", "WARN", "NOTE"}


# --- verify ----------------------------------------------------------------------------------------------------------


def test_verify_exits_as_it_says(logs: Path, tmp_path: Path) -> None:
    write(logs / "study.toml", "")
    here = logs.parent
    assert haledger("ingest", "logs", "--db", str(tmp_path / "s.duckdb"), cwd=here).returncode == 0
    found = haledger("verify", str(tmp_path / "s.duckdb"), cwd=here)
    assert (found.returncode, found.stderr) == (0, "")
    assert [line.split()[0] for line in found.stdout.splitlines() if line[0] != " "] == ["holds"] * 5
    write(logs / "few" / "run01" / "new.txt", "new\n")
    broken = haledger("verify", str(tmp_path / "s.duckdb"), "--json", cwd=here)
    (logs / "few" / "run01" / "new.txt").unlink()
    assert broken.returncode == 5
    result = reported(broken)
    assert (result["kind"], result["holds"]) == ("store", False)
    assert [each["items"] for each in result["checks"] if each["check"] == "sources"] == [["new: few/run01/new.txt"]]
    assert "does not hold: sources" in broken.stderr


@pytest.mark.parametrize("content", [b"", b"%PDF-", b"%PDF-1.7 cut", b"SQLite format 3\0", bytes(5000), None])
def test_what_cannot_be_read_is_exit_4(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "file").write_bytes(content)
    found = haledger("verify", "file", cwd=tmp_path)
    assert (found.returncode, found.stdout) == (4, "")
    assert found.stderr.startswith("haledger: file: ")
    assert "Traceback" not in found.stderr


# --- init ------------------------------------------------------------------------------------------------------------


def test_init_writes_once(logs: Path) -> None:
    manifest = logs / "study.toml"
    manifest.unlink(missing_ok=True)
    here = logs.parent
    first = haledger("init", "logs", cwd=here)
    assert (first.returncode, first.stdout) == (0, "logs/study.toml\n")
    written = manifest.read_text(encoding="utf-8")
    assert list(tomllib.loads(written)["configuration"]) == ["few", "many"]
    manifest.write_text(written + "\n# mine\n", encoding="utf-8")
    second = haledger("init", "logs", cwd=here)
    assert second.returncode == 2
    assert "--force replaces it" in second.stderr
    assert manifest.read_text(encoding="utf-8").endswith("# mine\n")
    shown = haledger("init", "logs", "--stdout", cwd=here)
    schema, _, rest = written.partition("\n")
    assert (schema, (logs / "study.schema.json").is_file()) == ("#:schema ./study.schema.json", True)
    assert (shown.returncode, shown.stdout) == (0, rest)  # nothing lies beside it
    assert haledger("init", "logs", "--force", cwd=here).returncode == 0
    assert manifest.read_text(encoding="utf-8") == written
    result = reported(haledger("init", "logs", "--stdout", "--json", cwd=here))
    assert result == {"file": None, "text": rest}


def test_init_of_a_file_has_no_folder_to_write_to(logs: Path) -> None:
    log = logs / "many" / "run01" / "sun-ha4" / "engine_A.log"
    before = sorted(log.parent.iterdir())
    assert haledger("init", str(log), cwd=logs.parent).returncode == 2
    assert haledger("init", str(log), "--stdout", cwd=logs.parent).returncode == 0
    assert sorted(log.parent.iterdir()) == before
