"""An S3 server for the tests of object storage."""

from collections.abc import Iterator
from typing import Any

import pytest
import s3fs

from tests.support.s3_server import SECRETS, Server, s3_server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with s3_server(tmp_path_factory.mktemp("s3") / "log") as server:
        yield server


@pytest.fixture
def storage(server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    for name, value in {**SECRETS, "AWS_ENDPOINT_URL": server.url, "AWS_DEFAULT_REGION": "us-east-1"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    s3fs.S3FileSystem.clear_instance_cache()
    yield s3fs.S3FileSystem(use_listings_cache=False)
    s3fs.S3FileSystem.clear_instance_cache()
