"""What the store masks is gone from an anonymous copy too: both ask one table of secrets."""

from pathlib import Path

import pytest

from parsers import secret
from pipeline.ask.anonymise.anonymise import anonymise
from pipeline.ingest.ingest import ingest

CONFIGURATIONS = {
    "main.cf": 'include "types.cf"\ncluster c (\n\tUserNames = { a = "Emu11Wild" }\n\tSecInfo = "Emu12Wild"\n\t)\n',
    "drbd.conf": 'resource r0 {\n  net {\n    shared-secret "Emu13Wild";\n  }\n'
    "  on sun-1 {\n    device /dev/drbd0;\n    disk /dev/sdb1;\n    address 10.0.0.1:7788;\n  }\n}\n",
    "corosync.conf": "totem {\n  version: 2\n  token: 3000\n  key: Emu14Wild\n}\n",
    "sysctl.conf": "vm.swappiness = 1\nnet.ipv4.tcp_fastopen_key = Emu15Wild\nvm.overcommit_memory = 2\n",
    "postgresql.conf": "max_connections = 10\nwal_level = replica\narchive_command = 'PGPASSWORD=Emu16Wild cp %p'\n",
    "haresources": "sun-1 IPaddr::10.0.0.1/24/eth0 drbddisk::r0 apc::operator::Emu17Wild\n",
    "messages": "Mar  2 10:00:00 sun-1 app[7]: token=Emu18Wild\nMar  2 10:00:01 sun-1 app[7]: -pEmu16Wild Emu13Wild\n",
}


def test_what_is_masked_in_a_store_is_in_no_file_of_the_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    masked: list[str] = []

    def mask(value: str) -> str:
        masked.append(value)
        return secret.MASK

    monkeypatch.setattr(secret, "mask", mask)
    for name, text in CONFIGURATIONS.items():
        (tmp_path / "study" / "run1" / "sun-1").mkdir(parents=True, exist_ok=True)
        (tmp_path / "study" / "run1" / "sun-1" / name).write_text(text)
    ingest(tmp_path / "study", tmp_path / "store.duckdb")
    values = {value.strip('"') for value in masked}
    assert {f"Emu{number}Wild" for number in range(11, 19)} <= values
    done = anonymise(tmp_path / "study", tmp_path / "copy")
    assert done.left_out == ()
    copied = "\n".join(each.read_text() for each in done.folder.rglob("*") if each.is_file())
    assert [value for value in values if value in copied] == []
