"""An S3 server on this machine, and what is asked of it."""

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

SECRETS = {"AWS_ACCESS_KEY_ID": "AKIASECRETNAME", "AWS_SECRET_ACCESS_KEY": "secret-of-nobody"}


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


@contextmanager
def s3_server(log: Path) -> Iterator[Server]:
    """One that runs until the end, and writes its requests into a log."""
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
