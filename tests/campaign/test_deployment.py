"""haledger where other programs start it: GitHub Actions, pre-commit and a container."""

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from docs import worked_pages

ROOT = Path(__file__).parents[2]
INPUT = re.compile(r"\$\{\{ inputs\.([\w-]+) \}\}")
PINNED = re.compile(r"uses: [\w/-]+@[0-9a-f]{40}  # v[\d.]+")
CLAIM = '[[claim]]\ntext = "Enough transactions"\nmeasurement = "tps"\nop = ">"\nvalue = {}\n'
HOLDS, FAILS = 90, 110
RESULTS = "config,run,clients,duration_s,tps\n" + "".join(f"a,{run},8,60,{100 + run}\n" for run in range(1, 6))


@pytest.fixture(params=[pytest.param((HOLDS, 0), id="holds"), pytest.param((FAILS, 5), id="fails")])
def study(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, int]:
    """A study with one claim, and the exit code of its check."""
    folder = tmp_path / "my study"
    folder.mkdir()
    (folder / "results.csv").write_text(RESULTS)
    (folder / "study.toml").write_text(CLAIM.format(request.param[0]))
    return folder, request.param[1]


def test_the_action_writes_the_report_and_fails_with_a_claim(study: tuple[Path, int], tmp_path: Path) -> None:
    folder, code = study
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    environment = worked_pages.environment(tmp_path) | {"GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}
    codes = []
    for report, against in (("first", ""), ("second", "first")):
        given = {"study": folder.name, "report": report, "against": against, "check": "--strict --fail-on excluded"}
        assert set(action["inputs"]) == given.keys()
        for step in action["runs"]["steps"]:
            if step.get("run", "").startswith("haledger "):
                own = {name: given["".join(INPUT.findall(text))] for name, text in step["env"].items()}
                bash = ["bash", "-e", "-o", "pipefail", "-c", step["run"]]
                codes.append(subprocess.run(bash, cwd=tmp_path, env=environment | own, check=False).returncode)
    assert codes == [0, code, 0, code]
    assert "Enough transactions" in (tmp_path / "summary.md").read_text()
    assert "earlier" not in {each.stem for each in (tmp_path / "first" / "tables").iterdir()}
    assert "earlier" in {each.stem for each in (tmp_path / "second" / "tables").iterdir()}


def test_the_hook_fails_with_a_claim(study: tuple[Path, int], tmp_path: Path) -> None:
    folder, code = study
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    command = [*shlex.split(hook["entry"]), folder.name]
    assert (hook["id"], hook["pass_filenames"]) == ("haledger-check", False)
    found = subprocess.run(command, cwd=tmp_path, env=worked_pages.environment(tmp_path), check=False)
    assert found.returncode == code


def test_every_action_is_pinned_by_its_hash() -> None:
    files = [ROOT / "action.yml", *(ROOT / ".github" / "workflows").glob("*.yml")]
    uses = {line.strip("- ") for file in files for line in file.read_text().splitlines() if "uses:" in line}
    assert len(uses) > 3
    assert [line for line in uses if not PINNED.fullmatch(line)] == []


@pytest.mark.slow
def test_steps_of_the_container_file_give_a_command_that_reports(tmp_path: Path) -> None:
    """Without a tool for images, in a root file system: RUN and COPY as they stand, then the command as its user."""
    if os.geteuid() != 0 or shutil.which("mmdebstrap") is None:
        pytest.skip("a root file system needs root and mmdebstrap")
    root, dist = tmp_path / "root", tmp_path / "dist"
    made = f"mmdebstrap --quiet --variant=minbase --include=ca-certificates bookworm {root}".split()
    if subprocess.run(made, check=False).returncode != 0:
        pytest.skip("no Debian packages can be fetched here")
    for file in ("etc/pip.conf", "etc/ssl/certs/ca-certificates.crt", "etc/resolv.conf"):  # how this machine fetches
        if Path("/", file).is_file():
            shutil.copy(Path("/", file), root / file)
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", dist, "-t", "wheel"], cwd=ROOT, check=True)
    shutil.copy(ROOT / "constraints.txt", tmp_path)
    lines = (ROOT / "Containerfile").read_text().replace("\\\n", "").splitlines()
    instructions = [(word, rest) for word, _, rest in (line.partition(" ") for line in lines) if word.isupper()]
    user = dict(instructions)["USER"]
    for word, rest in instructions:
        if word == "RUN":
            subprocess.run(["chroot", root, "sh", "-e", "-c", rest], check=True)
        elif word == "COPY":
            *sources, target = rest.split()
            place = root / target.strip("/")
            place.mkdir(parents=True)
            for source in (found for each in sources for found in tmp_path.glob(each)):
                shutil.copy(source, place)
    work = root / dict(instructions)["WORKDIR"].strip("/")
    work.mkdir()
    work.chmod(0o777)
    (work / "results.csv").write_text(RESULTS)
    entry = shlex.join(ast.literal_eval(dict(instructions)["ENTRYPOINT"]))
    clean = f"chroot --userspec={user}:{user} {root} env -i PATH=/usr/local/bin:/usr/bin:/bin sh -c".split()
    subprocess.run([*clean, f"cd /work && {entry} report results.csv -o paper"], check=True)
    assert (work / "paper" / "report.pdf").read_bytes().startswith(b"%PDF")
