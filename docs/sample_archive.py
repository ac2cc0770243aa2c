"""A sample of many small files as one archive in the wheel, from which `haledger demo` writes it."""

import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class SampleArchive(BuildHookInterface):  # type: ignore[type-arg]  # of any builder
    """Adds the archive; hatchling calls it when it builds a wheel. The same files give the same bytes."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Pack the sample, unless the wheel only points to the checkout."""
        if version == "editable":
            return
        folder = Path(self.root, "samples", self.config["sample"])
        self._scratch = TemporaryDirectory()  # until the build is over
        archive = Path(self._scratch.name, f"{folder.name}.tar.xz")
        with tarfile.open(archive, "w:xz", format=tarfile.PAX_FORMAT) as packed:
            for file in sorted(folder.rglob("*"), key=lambda each: (each.name, each)):  # logs that are alike
                packed.add(file, file.relative_to(folder).as_posix(), recursive=False, filter=_without_owner)
        build_data["force_include"][str(archive)] = f"haledger/_app/samples/{archive.name}"


def _without_owner(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.mtime, member.mode = 0, 0o755 if member.isdir() else 0o644
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member
