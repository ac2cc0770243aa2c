import pytest

from parsers.hadr_tools.simhadr_command import COMMAND, WRAPPED, asked_for


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        # REAL (seed 002)
        (
            "-role primary -lhost brant -lport 46000 -rhost auklet -rport 46000",
            {
                "role": "primary",
                "local_host": "brant",
                "own_host": "brant",
                "local_port": 46000,
                "remote_host": "auklet",
                "remote_port": 46000,
            },
        ),
        # REAL (recorded)
        (
            "-syncmode superasync -disk 177.5 0.000425",
            {"asked_syncmode": "SUPERASYNC", "disk_mb_s": 177.5, "disk_overhead_s": 0.000425},
        ),
        ("-rcu -t 2", {"asked_syncmode": "RCU", "asked_s": 2.0}),
        ("-flushSize 2 -n 9 -target 0.05", {"asked_pages": 2, "asked_flushes": 9, "target_mb_s": 0.05}),
        ("-write testFile -flushSize 1", {"role": "write", "test_file": "testFile", "asked_pages": 1}),
        ("-testDisk /db2/log", {"role": "test_disk", "test_file": "/db2/log"}),
        ("-testSleep 0.001", {"role": "test_sleep", "test_file": None}),
        ("-verbose -cache", {"is_verbose": True, "is_cached": True}),
        ("-lport 123456 -syncmode FASTER -role judge", {"local_port": None, "asked_syncmode": None, "role": None}),
        ("-t", {"asked_s": None}),
        ("-disk 50", {"disk_mb_s": 50.0, "disk_overhead_s": None}),
        ("-unheard of", {}),
        ("", {}),
    ],
)
def test_options_say_what_is_asked_for(arguments: str, expected: dict[str, object]) -> None:
    assert asked_for(arguments) == expected


@pytest.mark.parametrize("host", ["127.0.0.1", "9.47.73.49", "localhost", "::1"])
def test_an_address_names_no_host(host: str) -> None:
    assert asked_for(f"-lhost {host}") == {"local_host": host, "own_host": None}


@pytest.mark.parametrize(
    "text",
    ["+ simhadr", "+ simhadr -testSleep 0.001 ", "+ ./simhadr -n 1", "+ simhadr_linux -n 1", r"+ C:\t\simhadr.exe -n"],
)
def test_command_line_is_known(text: str) -> None:
    assert COMMAND.fullmatch(text.strip())


def test_command_line_is_not_a_word_about_it() -> None:
    assert not COMMAND.fullmatch("simhadr was started with -role primary")


def test_wrapped_line_holds_options_and_is_indented() -> None:
    assert WRAPPED.fullmatch("          -sockSndBuf 64000 -sockRcvBuf 64000 ")  # REAL (seed 002)
    assert not WRAPPED.fullmatch("-sockSndBuf 64000")
    assert not WRAPPED.fullmatch("   measured again - it was slower")
