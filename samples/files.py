"""The files of samples. Git holds the logs of recorded studies as an archive for each configuration."""

import tarfile
from collections.abc import Iterator
from pathlib import Path

SAMPLES = Path(__file__).parent
ARCHIVE = ".tar.xz"


def files(folder: Path, under: str = "") -> Iterator[tuple[str, bytes]]:
    """Path and content of the files of a folder, archives unpacked. `under`: how the paths begin."""
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        name = path.relative_to(folder).as_posix()
        if name.endswith(ARCHIVE):
            if under.startswith(stem := name.removesuffix(ARCHIVE)) or stem.startswith(under):
                yield from ((each, content) for each, content in _members(path, name) if each.startswith(under))
        elif name.startswith(under):
            yield name, path.read_bytes()


def _members(path: Path, name: str) -> Iterator[tuple[str, bytes]]:
    beside = name[: -len(path.name)]
    with tarfile.open(path) as archive:
        for member in archive:
            if (content := archive.extractfile(member)) is not None:
                yield beside + member.name, content.read()


def unpack(name: str, folder: Path, under: str = "") -> Path:
    """Write the files of a sample to a folder; give the folder."""
    for path, content in files(SAMPLES / name, under):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return folder
