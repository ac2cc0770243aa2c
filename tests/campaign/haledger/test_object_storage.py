"""A study on a real S3 server of this machine gives the store of its folder; what goes wrong is explained.

`HALEDGER_S3_SAMPLES` names samples, `all` is every one.
"""

import os
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import duckdb
import pytest

from pipeline.discovery.address import study_at
from pipeline.ingest.ingest import ingest
from tests.campaign.haledger.test_cluster import copy
from tests.support.command import haledger
from tests.support.dask_cluster import served
from tests.support.s3_server import SECRETS, Server, put
from tests.support.same_rows import different

pytestmark = pytest.mark.filterwarnings("ignore")  # those of the S3 client are not ours

ROOT = Path(__file__).parents[3]
SAMPLES = ROOT / "samples"
OF_THE_PLACE = {"log.file_ledger", "log.archive", "log.stored_object", "main.store_info"}
"""What a store remembers of where its study was, so as to know it again."""


def samples() -> list[Path]:
    chosen = os.environ.get("HALEDGER_S3_SAMPLES", "failover-modern").split()
    if chosen == ["all"]:
        return [each for each in sorted(SAMPLES.iterdir()) if (each / "study.toml").is_file()]
    return [SAMPLES / each for each in chosen]


def test_a_bucket_has_the_relations_of_the_folder_and_is_not_read_again(
    server: Server, storage: Any, tmp_path: Path
) -> None:
    for sample in samples():
        study = tmp_path / sample.name / "study"
        study.parent.mkdir()
        copy(sample, study)
        with tarfile.open(study / "more.tar.gz", "w:gz") as archive:
            archive.add(next(each for each in sorted(sample.iterdir()) if each.is_dir()), "further")
        address = put(storage, study, "lab")
        here, there = study.parent / "here.duckdb", study.parent / "there.duckdb"
        ingest(study, here)
        outcome = haledger("ingest", address, "--db", there, cwd=tmp_path, environment=os.environ)
        assert outcome.returncode == 0, outcome.stderr
        assert set(different(here, there)) <= OF_THE_PLACE
        with duckdb.connect() as con:
            for name, place in (("here", here), ("there", there)):
                con.execute(f"attach '{place}' as {name} (read_only)")
            ledger = "select * exclude (modified_ns, etag) from {}.log.file_ledger"
            both = f"({ledger.format('here')} except {ledger.format('there')})"
            assert con.execute(both).fetchall() == []
        for secret in SECRETS.values():
            assert secret.encode() not in there.read_bytes()
            assert secret not in outcome.stdout + outcome.stderr
        server.requests()
        assert ingest(study_at(address), there).is_unchanged
        requests = server.requests()
        assert len(requests) == 2
        assert requests[0] == "HEAD /lab/study/study.toml"
        assert requests[1].startswith("GET /lab?list-type=2&prefix=study/")
        study_there, apart = study_at(address), study.parent / "apart.duckdb"
        with served(study.parent) as workers, workers.cluster(study_there) as cluster:
            ingest(study_there, apart, cluster=cluster)
        assert different(there, apart) == []
        storage.rm("lab/study", recursive=True)


def test_what_goes_wrong_is_explained_in_plain_words(
    server: Server, storage: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "small"
    folder.mkdir()
    (folder / "messages").write_text("Jul 28 10:27:04 sun-ha4 kernel: up\n" * 20)
    address = put(storage, folder, "other")
    db = str(tmp_path / "x.duckdb")

    def answer(*arguments: str) -> tuple[int, str]:
        storage.clear_instance_cache()
        outcome = haledger(*arguments, cwd=tmp_path, environment=os.environ)
        assert not any(secret in outcome.stdout + outcome.stderr for secret in SECRETS.values())
        assert "Traceback" not in outcome.stderr
        return outcome.returncode, outcome.stderr.strip().splitlines()[-1]

    code, words = answer("ingest", "s3://nowhere/x", "--db", db)
    assert (code, words[:65]) == (2, "haledger: s3://nowhere/x: no such bucket, prefix or object; give ")
    code, words = answer("ingest", address, "--db", "s3://other/x.duckdb")
    assert code == 2
    assert "results are written into local files" in words
    code, words = answer("init", address)
    assert code == 2
    assert "nothing is written into object storage" in words
    server.deny("0")
    try:
        code, words = answer("ingest", address, "--db", db)
    finally:
        server.deny("inf")
    assert code == 3
    assert "no permission" in words
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    code, words = answer("ingest", address, "--db", db)
    assert code == 3
    assert "Could not connect to the endpoint" in words
    for name in SECRETS:
        monkeypatch.delenv(name)
    code, words = answer("ingest", address, "--db", db)
    assert code == 3
    assert "no credentials were found" in words
    assert not Path(db).exists()


def test_a_folder_imports_no_file_system(tmp_path: Path) -> None:
    (tmp_path / "messages").write_text("Jul 28 10:27:04 sun-ha4 kernel: up\n" * 20)
    probe = (
        "import sys; from haledger.cli import main; "
        f"code = main(['ingest', {str(tmp_path)!r}, '--db', {str(tmp_path / 'x.duckdb')!r}]); "
        "print([name for name in ('fsspec', 's3fs', 'aiobotocore', 'aiohttp') if name in sys.modules]); sys.exit(code)"
    )
    outcome = subprocess.run([sys.executable, "-c", probe], cwd=ROOT, capture_output=True, text=True, check=True)
    assert outcome.stdout.strip().splitlines()[-1] == "[]"
