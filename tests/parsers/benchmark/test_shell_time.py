import polars as pl
import pytest

from parsers.benchmark.shell_time import parse, recognise
from parsers.format import Recognition
from tests.support.measured import values, verdicts
from tests.support.message_lines import numbered

KSH = [
    # REAL
    "[134] [svtdbm@sun-ha3] /export/home/svtdbm > time db2start",
    "07-28-2003 10:27:04 0 0 SQL1063N DB2START processing was successful.",
    "SQL1063N DB2START processing was successful.",
    "",
    "real 0m13.39s user 0m0.42s sys 0m0.93s [135] [svtdbm@sun-ha3] /export/home/svtdbm > db2stop",
    "real 0m4.67s user 0m0.48s sys 0m0.89s",
]


PAGES = [["", f"{first}", "real 0.50", "user 0.0", "sys 0.0"] for first in ("<!DOCTYPE html>", ".TH TIME 1", '.\\" x')]


def test_three_fields_on_one_line_have_the_command_of_the_prompt() -> None:
    parsed = parse(numbered(KSH[:5]))
    assert values(parsed, "line_no", "part", "label", "metric", "unit", "value") == [
        (5, 1, "db2start", "elapsed_s", "s", 13.39),
        (5, 2, "db2start", "user_s", "s", 0.42),
        (5, 3, "db2start", "sys_s", "s", 0.93),
    ]
    assert verdicts(parsed) == "iPi P"
    (stamp,) = parsed.tables["instance_message"]["stamp"]
    assert str(stamp) == "2003-07-28 10:27:04"


def test_command_behind_the_fields_is_that_of_the_next_time() -> None:
    joined = "real 0m1s user 0m0s sys 0m0s [138] [a@b] /home > time db2stop 07-28-2003"
    found = values(
        parse(numbered(["$ time db2start", joined, "real 0m2s user 0m0s sys 0m0s"])), "label", "metric", "value"
    )
    assert found[::3] == [("db2start", "elapsed_s", 1), ("db2stop", "elapsed_s", 2)]


@pytest.mark.parametrize(
    ("lines", "label", "elapsed_s", "user_s", "sys_s"),
    [
        # REAL
        pytest.param(
            ["+ sleep 1.234", "", "real\t0m1.237s", "user\t0m0.001s", "sys\t0m0.000s"],
            "sleep 1.234",
            1.237,
            0.001,
            0,
            id="bash",
        ),
        pytest.param(["+ sleep 0.5", "real 0.50", "user 0.00", "sys 0.00"], "sleep 0.5", 0.5, 0, 0, id="POSIX"),
        # from manuals
        pytest.param(["real    1h2m3,4s", "user    0m0,5s", "sys     0m0s"], None, 3723.4, 0.5, 0, id="decimal comma"),
        pytest.param(
            [
                "0.10user 0.02system 1:01.50elapsed 0%CPU (0avgtext+0avgdata 2048maxresident)k",
                "0inputs+0outputs (0major)",
            ],
            None,
            61.5,
            0.1,
            0.02,
            id="GNU",
        ),
        pytest.param(
            [
                '\tCommand being timed: "./load.sh -x"',
                "\tUser time (seconds): 0.10",
                "\tSystem time (seconds): 0.02",
                "\tPercent of CPU this job got: 0%",
                "\tElapsed (wall clock) time (h:mm:ss or m:ss): 1:00:01",
                "\tExit status: 0",
            ],
            "./load.sh -x",
            3601,
            0.1,
            0.02,
            id="GNU -v",
        ),
        pytest.param(
            ["./load.sh  0.10s user 0.02s system 0% cpu 1:02.50 total"], "./load.sh", 62.5, 0.1, 0.02, id="zsh"
        ),
        pytest.param(["0.1u 0.02s 0:13.39 6.9% 0+0k 0+0io 0pf+0w"], None, 13.39, 0.1, 0.02, id="csh"),
        pytest.param(["0.1u 0.02s 0:13.39 6.9%\t0+0k 0+0io 0pf+0w"], None, 13.39, 0.1, 0.02, id="tcsh"),
    ],
)
def test_every_shell(lines: list[str], label: str | None, elapsed_s: float, user_s: float, sys_s: float) -> None:
    parsed = parse(numbered(lines))
    found = {metric: (label, value) for metric, label, value in values(parsed, "metric", "label", "value")}
    assert found == {"elapsed_s": (label, elapsed_s), "user_s": (label, user_s), "sys_s": (label, sys_s)}
    assert set(values(parsed, "summary_no")) == {(1,)}
    assert "R" not in verdicts(parsed)


def test_times_are_numbered_in_their_order() -> None:
    lines = ["real 1.0", "user 0.0", "sys 0.0", "real 2.0", "user 0.0", "sys 0.0"]
    found = values(parse(numbered(lines)), "metric", "summary_no", "value")
    assert found[::3] == [("elapsed_s", 1, 1), ("elapsed_s", 2, 2)]


def test_time_of_a_command_that_failed_is_invalid() -> None:
    lines = ["Command exited with non-zero status 1", "0.10user 0.02system 1:01.50elapsed 0%CPU (0k)"]
    assert set(values(parse(numbered(lines)), "is_valid", "doubt")) == {(False, lines[0])}


VERBOSE = ['\tCommand being timed: "load"', "\tElapsed (wall clock) time (h:mm:ss or m:ss): 0:01.50"]


@pytest.mark.parametrize(
    ("lines", "doubt"),
    [
        (["Command exited with non-zero status 3", *VERBOSE], "Command exited with non-zero status 3"),
        ([*VERBOSE, "\tExit status: 3"], "the command ended with status 3"),
        ([*VERBOSE, "\tExit status: 0"], None),
    ],
)
def test_what_gnu_time_says_of_the_end_counts_above_and_below(lines: list[str], doubt: str | None) -> None:
    again = values(parse(numbered([*lines, *VERBOSE])), "is_valid", "doubt")
    assert again == [(doubt is None, doubt), (True, None)]


@pytest.mark.parametrize(
    "texts", [KSH, ["real\t0m1.237s"], ["0.1u 0.02s 0:13.39 6.9% 0+0k"], ["0.1u 0.02s 0:13 6.9%\t0+0k"], ["real 0.50"]]
)
def test_own_files_are_recognised(texts: list[str]) -> None:
    assert isinstance(recognise(pl.Series(texts)), Recognition)


@pytest.mark.parametrize("texts", [["real life"], ["the real 5 things"], ["time passes"], ["user root"], *PAGES])
def test_other_files_are_not(texts: list[str]) -> None:
    assert not isinstance(recognise(pl.Series(texts)), Recognition)


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(["real\t1m 1.50s", "user\t0m 0.10s", "sys\t0m 0.05s"], id="busybox"),
        pytest.param(["    1m1.50s real     0m0.10s user     0m0.05s system"], id="mksh"),
        pytest.param(["       61.50 real         0.10 user         0.05 sys"], id="BSD"),
        pytest.param(
            ["Executed in   61.50 secs   fish", "   usr time  100.00 millis", "   sys time   50.00 millis"], id="fish"
        ),
    ],
)
def test_the_time_of_every_shell_is_read(lines: list[str]) -> None:
    frame = numbered(lines)
    assert isinstance(recognise(frame["text"]), Recognition)
    assert [value for (value,) in values(parse(frame), "value")] == pytest.approx([61.5, 0.1, 0.05])
