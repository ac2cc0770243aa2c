"""Command line of the generator: `python -m samples.simulate [STUDY ...] [-o DIR] [--missing]`."""

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path

from samples.simulate import study_drbd, study_nfs, study_oltp

SAMPLES = Path(__file__).parents[1]
Written = tuple[Mapping[str, str], str]
"""Files of a study by path, and the truth about them as text."""

STUDIES: Mapping[str, Callable[[], Written]] = {
    "drbd-2005": study_drbd.study,
    "nfs-fcp-2009": study_nfs.study,
    "oltp-cluster-2003": study_oltp.study,
}
"""Studies of which git holds study.toml alone; `make setup` and the tests write their logs."""


def write_study(name: str, folder: Path) -> None:
    """Write a study's logs into `folder`/`name`, and the truth about them beside that folder."""
    files, truth = STUDIES[name]()
    for path, text in files.items():
        target = folder / name / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode("ascii"))
    manifest = folder / name / "study.toml"
    if not manifest.exists():
        manifest.write_bytes((SAMPLES / name / "study.toml").read_bytes())
    (folder / f"{name}.truth.csv").write_bytes(truth.encode("ascii"))


def write_missing() -> None:
    """Write the uncommitted studies that are not there yet, in place."""
    for name in STUDIES:
        if not (SAMPLES / f"{name}.truth.csv").exists():  # the last file that is written
            write_study(name, SAMPLES)


def main() -> None:
    """Write the studies that the command line names."""
    parser = argparse.ArgumentParser(
        prog="python -m samples.simulate", description="Write the simulated sample studies."
    )
    parser.add_argument("study", nargs="*", metavar="STUDY", help=f"one of {', '.join(STUDIES)}; default: all")
    parser.add_argument("-o", "--output", type=Path, default=SAMPLES, metavar="DIR", help="folder for the studies")
    parser.add_argument("--missing", action="store_true", help="only what git does not hold and is not there yet")
    options = parser.parse_args()
    if options.missing:
        write_missing()
        return
    unknown = set(options.study) - set(STUDIES)
    if unknown:
        parser.error(f"no such study: {', '.join(sorted(unknown))}; there are {', '.join(STUDIES)}")
    for name in options.study or STUDIES:
        write_study(name, options.output)


if __name__ == "__main__":
    main()
