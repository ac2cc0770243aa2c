"""The same study gives the same bytes in another process."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]


def test_same_input_same_bytes_also_in_another_process(written: Any, tmp_path: Path) -> None:
    script = (
        "from pathlib import Path; from reports.document.report import APPENDIX, FORMATS, write_report; import sys; "
        "write_report(Path(sys.argv[1]), Path(sys.argv[2]), formats=(*FORMATS, APPENDIX))"
    )
    environment = {**os.environ, "TZ": "Asia/Kathmandu", "PYTHONHASHSEED": "7", "PYTHONPATH": str(ROOT), "LC_ALL": "C"}
    environment.pop("SOURCE_DATE_EPOCH", None)
    subprocess.run(
        [sys.executable, "-W", "error", "-c", script, str(written.store), str(tmp_path / "again")],
        check=True,
        cwd=tmp_path,
        env=environment,
    )
    for name in written.result.files:
        assert (tmp_path / "again" / name).read_bytes() == (written.folder / name).read_bytes(), name
