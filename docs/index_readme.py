"""The README as an index of packages shows it: its links and images lead to the repository."""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

RELATIVE = re.compile(r"(!?)(\[[^\]]*\])\((?!\w+:|#)([^()\s]+)\)")


class IndexReadme(MetadataHookInterface):
    """Fills `readme`; hatchling calls it when it builds."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Lead each relative link to its file as it was at the release, or is on the main branch."""
        number = metadata["version"]
        place = f"v{number}" if re.fullmatch(r"[0-9.]+", number) else "main"

        def absolute(found: re.Match[str]) -> str:
            mark, words, file = found.groups()
            return f"{mark}{words}({metadata['urls']['Repository']}/{'raw' if mark else 'blob'}/{place}/{file})"

        text = RELATIVE.sub(absolute, Path(self.root, "README.md").read_text(encoding="utf-8"))
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
