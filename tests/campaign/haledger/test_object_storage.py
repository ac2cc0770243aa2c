"""A study on a real S3 server of this machine gives the store of its folder; what goes wrong is explained.

`HALEDGER_S3_SAMPLES=all` takes every sample, otherwise one.
"""

import os
import re
import socket
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import duckdb
import pytest
import s3fs
from distributed import LocalCluster

from pipeline.cluster import Cluster
from pipeline.discovery.address import study_at
from pipeline.ingest.ingest import ingest
from tests.campaign.haledger.test_cluster import copy
from tests.support.command import haledger
from tests.support.dask_cluster import entry
from tests.support.same_rows import different

pytestmark = pytest.mark.filterwarnings("ignore")  # those of the S3 client are not ours

ROOT = Path(__file__).parents[3]
started: Any = LocalCluster  # without types
SAMPLES = ROOT / "samples"
SECRETS = {"AWS_ACCESS_KEY_ID": "AKIASECRETNAME", "AWS_SECRET_ACCESS_KEY": "secret-of-nobody"}
OF_THE_PLACE = {"log.file_ledger", "log.archive", "log.stored_object", "main.store_info"}
"""What a store remembers of where its study was, so as to know it again."""


class Server:
    """An S3 server, and the requests that it had."""

    def __init__(self, url: str, log: Path) -> None:
        self.url = url
        self._log = log
        self._passed = 0

    def requests(self) -> list[str]:
        """Those since the last call: `GET /bucket/key`."""
        content = self._log.read_text()
        new, self._passed = content[self._passed :], len(content)
        return [found[1] for line in new.splitlines() if (found := re.search(r"([A-Z]+ /\S*) HTTP/1.1", line))]

    def deny(self, after: str) -> None:
        """Check the rights of who asks from now on."""
        kind = {"Content-Type": "text/plain"}
        request = Request(f"{self.url}/moto-api/reset-auth", data=after.encode(), headers=kind)  # noqa: S310  ours
        with urlopen(request):  # noqa: S310  ours
            pass


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    log = tmp_path_factory.mktemp("s3") / "log"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    with log.open("w") as out, subprocess.Popen(command, stdout=out, stderr=out) as process:
        for _ in range(300):
            try:
                with socket.create_connection(("127.0.0.1", port)):
                    break
            except OSError:
                time.sleep(0.1)
        yield Server(f"http://127.0.0.1:{port}", log)
        process.terminate()


@pytest.fixture
def storage(server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    for name, value in {**SECRETS, "AWS_ENDPOINT_URL": server.url, "AWS_DEFAULT_REGION": "us-east-1"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    s3fs.S3FileSystem.clear_instance_cache()
    yield s3fs.S3FileSystem(use_listings_cache=False)
    s3fs.S3FileSystem.clear_instance_cache()


def put(storage: Any, folder: Path, bucket: str) -> str:
    if not storage.exists(bucket):
        storage.mkdir(bucket)
    for each in sorted(folder.rglob("*")):
        if each.is_file():
            place = f"{bucket}/{folder.name}/{each.relative_to(folder).as_posix()}"
            storage.pipe_file(place, each.read_bytes())
            at = storage.info(place)["LastModified"].timestamp()
            os.utime(each, (at, at))
    return f"s3://{bucket}/{folder.name}"


def samples() -> list[Path]:
    if os.environ.get("HALEDGER_S3_SAMPLES") == "all":
        return [each for each in sorted(SAMPLES.iterdir()) if (each / "study.toml").is_file()]
    return [SAMPLES / "failover-modern"]


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
        with started(
            2, processes=False, protocol="tcp", host="127.0.0.1", dashboard_address=None, silence_logs=50
        ) as workers:
            study_there, apart = study_at(address), study.parent / "apart.duckdb"
            with Cluster(workers.scheduler_address, entry(), study_there) as cluster:
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
