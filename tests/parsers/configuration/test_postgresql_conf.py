import pytest

from parsers.configuration.postgresql_conf import FORMAT
from parsers.format import Verdict
from tests.support.configuration_lines import confidence, values, verdicts

# REAL (PostgreSQL 15 on Debian), and `primary_conninfo` as ALTER SYSTEM writes it
CONF = [
    "# - Connection Settings -",
    "#listen_addresses = 'localhost'         # what IP address(es) to listen on;",
    "port = 5432                             # (change requires restart)",
    "shared_buffers = 128MB                  # min 128kB",
    "log_line_prefix = '%m [%p] %q%u@%d '    # special values:",
    "primary_conninfo = 'user=rep password=tiger host=''db 1'' port=5432'",
    "Wal_Level replica",
    "max_connections = ",
    "password_encryption",
]


def test_parameters_that_are_set() -> None:
    assert values(FORMAT, *CONF) == {
        "port": "5432",
        "shared_buffers": "128MB",
        "log_line_prefix": "%m [%p] %q%u@%d ",
        "primary_conninfo": "user=rep password=******** host='db 1' port=5432",
        "wal_level": "replica",
    }


def test_line_that_is_not_read_and_may_hold_a_secret_is_not_kept() -> None:
    ignored, parsed, rejected = Verdict.IGNORED, Verdict.PARSED, Verdict.REJECTED
    assert verdicts(FORMAT, *CONF) == [ignored] * 2 + [parsed] * 5 + [rejected, ignored]


@pytest.mark.parametrize("texts", [[], ["port = 5432"], ["shared_buffers = 1", "#", "a", "b", "c", "d"]])
def test_other_files_are_refused(texts: list[str]) -> None:
    assert confidence(FORMAT, *texts) == 0


def test_script_that_writes_a_configuration_is_none() -> None:
    settings_written = ["cat >>postgresql.conf <<CONF", "shared_buffers = 256MB", "max_wal_size = 4GB", "CONF"]
    assert confidence(FORMAT, *CONF) > 0
    assert confidence(FORMAT, "#!/usr/bin/env bash", *CONF) == confidence(FORMAT, "#!/bin/sh", *settings_written) == 0


def test_own_files_are_recognised() -> None:
    assert confidence(FORMAT, *CONF) >= 0.9
