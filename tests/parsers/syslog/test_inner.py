from datetime import datetime

import pytest

from parsers.syslog.syslog import FORMAT
from tests.support.message_lines import row

at = datetime.fromisoformat
NO_YEAR = (at("2000-04-01T20:00:00"), False, None)


def read(line: str) -> tuple[object, object, object]:
    found = row(FORMAT, line)
    return found["stamp"], found["has_year"], found.get("utc_offset_min")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        pytest.param(  # REAL
            "Apr 01 20:29:43 pg1 patroni[7381]: [patroni] 2020-04-01 20:29:43,620 INFO: no action.",
            (at("2020-04-01T20:29:43.620"), True, None),
            id="behind a prefix",
        ),
        pytest.param(  # ADAPTED
            "Jul 13 09:24:55 n1 mysqld[19412]: 2017-07-13 11:24:55 1402 [Note] WSREP: x",
            (at("2017-07-13T09:24:55"), True, None),
            id="another zone than the head's, neither known",
        ),
        pytest.param(  # ADAPTED
            "2026-11-24T15:17:45.950551+00:00 n3 mariadbd[62]: 2026-11-24 15:17:45 0 [Note] GCache DEBUG: opened:",
            (at("2026-11-24T15:17:45.950551"), True, 0),
            id="a word in the text of MySQL is no level",
        ),
        pytest.param(
            "Jul 13 09:24:55 n1 mysqld[19412]: 2017-07-13T11:24:55.25+02:00 0 [Note] x",
            (at("2017-07-13T09:24:55.25"), True, 0),
            id="a zone shows the head's",
        ),
        pytest.param(  # REAL
            'Dec 09 10:40:43 n1 bash[798]: {"level":"info","ts":"2023-12-09T09:40:43.291855Z","msg":"a"}',
            (at("2023-12-09T10:40:43.291855"), True, 60),
            id="object",
        ),
        pytest.param(
            'Dec 09 10:40:43 n1 bash[798]: {"ts":"2023-12-09T09:39:59.5Z","msg":"a"}',
            (at("2000-12-09T10:40:43"), False, None),
            id="object much older, in another zone: no evidence",
        ),
        pytest.param(
            "Dec 09 10:40:43 n1 etcd[798]: level=info ts=2023-12-09T09:40:43.29Z caller=a.go:5 msg=b",
            (at("2023-12-09T10:40:43.29"), True, 60),
            id="anywhere",
        ),
        pytest.param(
            "Feb  8 18:19:27 n1 redis-server[22]: 22:M 08 Feb 2024 17:19:27.448 * Marking node a as failing",
            (at("2024-02-08T18:19:27.448"), True, None),
            id="a month by its name",
        ),
        pytest.param(
            "Jan  1 00:00:01 n1 x[1]: done at 2019-12-31 23:00:01Z",
            (at("2020-01-01T00:00:01"), True, 60),
            id="New Year",
        ),
        pytest.param(  # REAL
            'Jan 08 22:16:57 n1 kubelet[9]: I0108 22:16:57.312242 1346259 file.go:175] "a"',
            (at("2000-01-08T22:16:57.312242"), False, None),
            id="klog: no year",
        ),
        pytest.param("Apr  1 20:00:00 n1 cron[1]: next at 2020-04-01 21:00:00Z", NO_YEAR, id="a time of a plan"),
        pytest.param("Apr  1 20:00:00 n1 cron[1]: copied 2020-03-30 20:00:00", NO_YEAR, id="another day"),
        pytest.param("Apr  1 20:00:00 n1 cron[1]: until 2020-04-01 20:00:05", NO_YEAR, id="another second"),
        pytest.param(
            "Apr  1 20:00:00 n1 cron[1]: 2020-04-01 20:07:00 is 7 minutes off", NO_YEAR, id="no zone is so far"
        ),
    ],
)
def test_stamp(line: str, expected: tuple[object, ...]) -> None:
    assert read(line) == expected


def test_prefix_does_not_hide_what_patroni_says() -> None:
    said = "[patroni] 2020-04-01 20:29:43,620 INFO: promoted self to leader by acquiring session lock"
    line = f"Apr 01 20:29:43 pg1 patroni[7381]: {said}"
    found = row(FORMAT, line, table="ha_event")
    assert (found["kind"], found["stamp"]) == ("leader", at("2020-04-01T20:29:43.620"))


def test_object_of_patroni_behind_a_head_is_read() -> None:
    # ADAPTED
    line = (
        'Nov 16 12:02:51 vm1 patroni[3]: {"time": "2020-11-16 12:02:51,341", "level": "INFO", '
        '"message": "Lock owner: vm1; I am vm1"}'
    )
    assert row(FORMAT, line)["text"] == "Lock owner: vm1; I am vm1"
    assert row(FORMAT, line, table="ha_event")["peer"] == "vm1"


def test_a_leap_day_beside_a_common_year_is_of_another_instant() -> None:
    assert read("Feb 29 10:24:55 n1 x[1]: 2017-03-01 10:24:55 1402 [Note] y") == (
        at("2000-02-29T10:24:55"),
        False,
        None,
    )
