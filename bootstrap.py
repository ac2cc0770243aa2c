"""Set up haledger in this checkout with nothing but Python's standard library.

`python3 bootstrap.py` makes .venv with the command and its libraries; `--dev` adds what the tests need.
On Debian and Ubuntu it installs missing system packages if it may; elsewhere, or without the right
to, it says exactly what is missing and how to get it. `make demo` and `make test` call it.
"""

import argparse
import compileall
import ctypes
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
OLDEST_PYTHON = (3, 11)
CODE = ("haledger", "parsers", "pipeline", "reports")

# What WeasyPrint loads at run time: text layout, its FreeType back end, and font subsetting.
LIBRARIES = {
    "libpango-1.0.so.0": "libpango-1.0-0",
    "libpangoft2-1.0.so.0": "libpangoft2-1.0-0",
    "libharfbuzz-subset.so.0": "libharfbuzz-subset0",
}

ADVICE = """
How to get it:
  Debian, Ubuntu   sudo apt-get install {debian}
  Fedora, RHEL     sudo dnf install python3 pango harfbuzz
  Arch             sudo pacman -S python pango harfbuzz
  macOS            brew install python pango
Then run the same command again.
"""

WITHOUT_PANGO = """\
Without Pango there is no PDF; the page, the tables and the figures are written all the same. For the PDF:
  {advice}"""

OTHERWISE = "   (Fedora: dnf install pango harfbuzz; Arch: pacman -S pango; macOS: brew install pango)"

UNSUPPORTED = {
    "win32": "haledger does not run on Windows itself. Use WSL with Debian or Ubuntu.",
    "musl": "haledger does not run on Alpine: DuckDB has no packages for musl. Use Debian or Ubuntu.",
}

LOWEST = re.compile(r"^([\w.-]+)(?:\[\w+\])?>=([0-9.]+)")

DOWNLOAD = re.compile(r"Downloading (?:\S*/)?([\w.]+?)-([0-9][\w.]*)\S* \(([0-9]+(?:\.[0-9]+)? MB)\)")
INSTALLING = re.compile(r"Installing collected packages: (.*)")


def say(text: str) -> None:
    """Tell the person at the terminal; standard output stays free for data."""
    print(text, file=sys.stderr, flush=True)  # noqa: T201 - this script is a command of its own


def loads(library: str) -> bool:
    """Tell whether the dynamic linker finds a library."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def has_pango() -> bool:
    """Tell whether text layout is there where library names differ from Linux."""
    names = ["libpango-1.0.dylib", "/opt/homebrew/lib/libpango-1.0.dylib", "/usr/local/lib/libpango-1.0.dylib"]
    return any(loads(name) for name in [*names, "libpango-1.0-0.dll"])


def missing_packages() -> list[str]:
    """List the Debian names of what this machine lacks."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    missing = []
    if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
        missing.append(f"python{version}-venv")
    if sys.platform.startswith("linux"):
        missing += [package for library, package in LIBRARIES.items() if not loads(library)]
    elif not has_pango():
        missing.append("libpango-1.0-0")
    return missing


def apt_get() -> list[str] | None:
    """Give the command that may install packages here, or None where there is none or no right to use it."""
    if shutil.which("apt-get") is None:
        return None
    if os.geteuid() == 0:
        return ["apt-get"]
    may_sudo = shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False)
    return ["sudo", "-n", "apt-get"] if may_sudo and may_sudo.returncode == 0 else None


def refuse_system() -> None:
    """Stop where the libraries that haledger needs cannot be had."""
    is_musl = sys.platform.startswith("linux") and Path("/etc/alpine-release").exists()
    reason = UNSUPPORTED.get("musl" if is_musl else sys.platform)
    if reason is not None:
        say(reason)
        sys.exit(1)


def provide_system_packages(*, dev: bool) -> None:
    """Install what is missing, or say what is missing; stop unless it is only the PDF that is missing."""
    missing = missing_packages()
    if not missing:
        return
    command = apt_get()
    if command is None and not dev and not any(name.endswith("-venv") for name in missing):
        say(WITHOUT_PANGO.format(advice=f"sudo apt-get install {' '.join(missing)}" + OTHERWISE))
        return
    if command is None:
        say("haledger cannot be set up yet. Missing on this machine: " + ", ".join(missing))
        say(ADVICE.format(debian=" ".join(missing)))
        sys.exit(1)
    say("Installing missing system packages: " + ", ".join(missing))
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run([*command, "update", "-qq"], env=quiet, check=False)
    install = [*command, "install", "-y", "-qq", "--no-install-recommends", *missing]
    done = subprocess.run(install, env=quiet, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        say(done.stdout)
        say("The system packages could not be installed; the lines above say why.")
        say(ADVICE.format(debian=" ".join(missing)))
        sys.exit(1)


def fingerprint(*, dev: bool) -> str:
    """Identify what an environment was made from, so that an unchanged one is left alone."""
    digest = hashlib.sha256()
    for name in ("pyproject.toml", "constraints.txt", "bootstrap.py"):
        digest.update((ROOT / name).read_bytes())
    digest.update(f"{sys.version} {ROOT} {dev}".encode())
    return digest.hexdigest()


def provide_environment(*, dev: bool) -> None:
    """Make .venv with the pinned libraries, unless it already is what it should be; add to it what the tests need."""
    marks = {each: VENV / (".haledger-dev" if each else ".haledger") for each in (False, True)}
    made = [each for each, mark in marks.items() if mark.exists() and mark.read_text() == fingerprint(dev=each)]
    if dev in made or True in made:
        return
    began = time.monotonic()
    constraint = ["-c", str(ROOT / "constraints.txt")]
    groups = ["--group", f"{ROOT / 'pyproject.toml'}:dev"] if dev else []
    steps = {"the libraries": [*constraint, *groups, "-e", str(ROOT)]}
    if made:
        say("Adding to .venv what the tests need, once.")
    else:
        say("Setting up .venv, once: about 140 MB to download, one to three minutes.")
        say("  an environment for Python packages")
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(VENV)], check=True)
        steps = {"a recent pip": ["--upgrade", "pip>=25.1"]} | steps
    for name, step in steps.items():
        say(f"  {name} ({time.monotonic() - began:.0f} s so far)")
        if install(step) != 0:
            say("Python packages could not be installed; the lines above say why.")
            say("This step needs a Python package index, reached as pip is configured on this machine.")
            sys.exit(1)
    marks[dev].write_text(fingerprint(dev=dev))
    say(f"  .venv is ready after {time.monotonic() - began:.0f} s.")


def compile_code() -> None:
    """Compile what changed: where Python keeps no bytecode, each command takes a third of a second more."""
    for name in CODE:
        compileall.compile_dir(ROOT / name, quiet=2)


def install(arguments: "list[str]") -> int:
    """Let pip install something, and say which large packages come; its exit code."""
    command = [str(VENV / "bin" / "python"), "-m", "pip", "install", "--progress-bar", "off", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as pip:
        for line in pip.stdout or ():
            if found := DOWNLOAD.search(line):
                say("    {} {} ({})".format(*found.groups()))
            elif found := INSTALLING.search(line):
                count = len(found.group(1).split(", "))
                say(f"    installing {count} package{'s' if count > 1 else ''}")
    return pip.returncode


def provide_lowest() -> None:
    """Make .venv-lowest with the oldest libraries that pyproject.toml allows, and all else as new as they allow."""
    import tomllib

    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    lowest = [f"{found.group(1)}=={found.group(2)}" for each in wanted if (found := LOWEST.match(each))]
    folder = ROOT / ".venv-lowest"
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet"]
    subprocess.run([*pip, "--upgrade", "pip>=25.1"], check=True)
    subprocess.run([*pip, *lowest, "-e", str(ROOT)], check=True)
    say("Installed: " + ", ".join(lowest))


def main() -> None:
    """Check Python, provide system packages, provide the environment."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dev", action="store_true", help="also install what the tests need")
    parser.add_argument("--lowest", action="store_true", help="make .venv-lowest with the oldest libraries allowed")
    options = parser.parse_args()
    refuse_system()
    if sys.version_info < OLDEST_PYTHON:
        found = ".".join(map(str, sys.version_info[:3]))
        say(f"haledger needs Python 3.11 or later; this is {found} ({sys.executable}).")
        say("Debian 12 and Ubuntu 24.04 have it as python3. Elsewhere: make PYTHON=/path/to/python3.11 demo")
        sys.exit(1)
    provide_system_packages(dev=options.dev)
    if options.lowest:
        provide_lowest()
        return
    provide_environment(dev=options.dev)
    compile_code()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        say("interrupted")
        sys.exit(130)
