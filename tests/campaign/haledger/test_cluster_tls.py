"""A cluster whose connections are encrypted: certificates that fit, that are wrong, and that are absent."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.command import haledger, ran

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="certificates are made by openssl")

SERVE = """
import sys
from distributed import LocalCluster, Security
if __name__ == "__main__":
    ca, cert, key = sys.argv[1:]
    security = Security(
        tls_ca_file=ca, tls_scheduler_cert=cert, tls_scheduler_key=key, tls_worker_cert=cert, tls_worker_key=key,
        tls_client_cert=cert, tls_client_key=key, require_encryption=True,
    )
    cluster = LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address=None, host="tls://127.0.0.1", security=security,
        silence_logs=50,
    )
    print(cluster.scheduler_address, flush=True)
    sys.stdin.read()
    cluster.close()
"""
NAMES = ("CA_FILE", "CLIENT__CERT", "CLIENT__KEY")
OPTIONS = ("--tls-ca-file", "--tls-cert", "--tls-key")


def certified(folder: Path, name: str) -> tuple[Path, Path]:
    """A certificate that nobody but itself vouches for, and its key."""
    cert, key = folder / f"{name}.pem", folder / f"{name}.key"
    subprocess.run(
        f"openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN={name} -keyout {key} -out {cert}".split(),
        check=True,
        capture_output=True,
    )
    return cert, key


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path, Path, Path]]:
    """An address, a certificate with its key, and a certificate of somebody else."""
    folder = tmp_path_factory.mktemp("tls")
    (cert, key), (other, _) = certified(folder, "ours"), certified(folder, "other")
    command = [sys.executable, "-c", SERVE, str(cert), str(cert), str(key)]
    root = Path(__file__).parents[3]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip(), cert, key, other
        process.communicate()


@pytest.fixture
def study(tmp_path: Path) -> Path:
    (tmp_path / "study").mkdir()
    (tmp_path / "study" / "messages").write_text("Mar  2 10:00:00 alder app[7]: all is well\n")
    return tmp_path / "study"


def test_files_named_by_options_or_by_variables_open_the_connection(
    scheduler: tuple[str, Path, Path, Path], study: Path, tmp_path: Path
) -> None:
    address, cert, key, _ = scheduler
    asked = ("ingest", study, "--engine", "dask", "--scheduler", address, "--db")
    files = [str(cert), str(cert), str(key)]
    options = [each for pair in zip(OPTIONS, files, strict=True) for each in pair]
    by_options = haledger(*asked, tmp_path / "a.duckdb", *options, cwd=tmp_path)
    assert by_options.returncode == 0, by_options.stderr
    command = [sys.executable, "-m", "haledger", *map(str, asked), str(tmp_path / "b.duckdb")]
    variables = {f"DASK_DISTRIBUTED__COMM__TLS__{name}": file for name, file in zip(NAMES, files, strict=True)}
    root = str(Path(__file__).parents[3])
    by_variables = ran(*command, env={"PATH": "", "PYTHONPATH": root, **variables}, cwd=tmp_path)
    assert by_variables.returncode == 0, by_variables.stderr


def test_what_is_wrong_with_certificates_is_said_in_one_line(
    scheduler: tuple[str, Path, Path, Path], study: Path, tmp_path: Path
) -> None:
    address, cert, key, other = scheduler
    asked = ("ingest", study, "--engine", "dask", "--db", tmp_path / "x.duckdb", "--scheduler")
    for options, words in (
        ((address,), "TLS needs --tls-ca-file FILE, or the variable DASK_DISTRIBUTED__COMM__TLS__CA_FILE"),
        ((address, "--tls-ca-file", cert, "--tls-cert", cert, "--tls-key", tmp_path / "no"), "cannot be read"),
        ((address, "--tls-ca-file", cert, "--tls-cert", other, "--tls-key", key), "belong together"),
        ((address, "--tls-ca-file", other, "--tls-cert", cert, "--tls-key", key), "no Dask scheduler answers there"),
        (("tcp://127.0.0.1:9", "--tls-ca-file", cert), "--tls-* go with an address tls://"),
        (("tls://me:hunter2@127.0.0.1:9",), "has no user and no password"),
    ):
        refused = haledger(*asked, *options, cwd=tmp_path)
        assert refused.returncode == 2, (options, refused.stderr)
        assert words in refused.stderr
        assert "Traceback" not in refused.stderr
        assert "hunter2" not in refused.stderr
