"""Studies that no sample is like, each written by a function of its name into a folder."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from tests.support.failover_logs import CRASH, on_days, slower, write, write_run, write_timers
from tests.support.outcome_logs import write_outcomes
from tests.support.partition_logs import vcs, write_sides
from tests.support.simhadr_output import Output

IOSTAT = (
    "Linux 6.1.0 (elm-1) \t11/20/2025 \t_x86_64_\t(2 CPU)\n\n"
    "11/20/2025 10:00:00 AM\nDevice             tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn\n"
    "sda               1.00         4.00        12.00        400       1200\n\n"
)


def configuration(folder: Path, delays_s: Iterable[float], *, first_day: int = 0) -> None:
    """Runs of a day each, each later by so many seconds."""
    write_timers(folder)
    for number, seconds in enumerate(delays_s):
        write_run(folder / f"run{number + 1:03d}", slower(seconds, crash=CRASH + timedelta(days=first_day + number)))


def one_run(study: Path) -> None:
    """One configuration, one run."""
    configuration(study / "default", [0])


def only_disks(study: Path) -> None:
    """Ten minutes of iostat, and nothing else."""
    seconds = (
        IOSTAT.replace("10:00:00", f"10:{n // 60:02d}:{n % 60:02d}").partition("\n\n")[2] for n in range(0, 600, 10)
    )
    write(study / "iostat.log", IOSTAT.partition("\n\n")[0] + "\n\n" + "".join(seconds))


def only_monitors(study: Path) -> None:
    """A monitor of vmstat, a snapshot of HADR and the begin of a benchmark: nothing that stands for a run."""
    names = "r b swpd free buff cache si so bi bo in cs us sy id wa"
    values = "".join(f" 1 0 0 9 9 9 0 0 5 {n} 9 9 {n} 3 {90 - n} 7\n" for n in range(20))
    write(study / "node1" / "vmstat.txt", f"procs ---memory--- --swap-- --io-- -system- --cpu--\n {names}\n{values}")
    head = (
        "            Database Snapshot\n\nDatabase name = ORDERS\nSnapshot timestamp = 11/20/2025 12:30:00.111111\n\n"
    )
    hadr = "Role = Primary\nState = Peer\nSynchronization mode = Nearsync\nConnection status = Connected, 11-20-2025\n"
    write(study / "node1" / "snap.txt", f"{head}HADR Status\n{hadr}")
    write(study / "sysbench.log", "".join(f"[ {n}s ] thds: 8 tps: {100 + n % 5}.00 qps: 0\n" for n in range(1, 31)))


def only_errors(study: Path) -> None:
    """An hour of errors of one file system."""
    lines = (f"Nov 20 10:{n:02d}:00 elm-1 kernel: EXT4-fs error (device sda1): bad block {n}\n" for n in range(60))
    write(study / "messages", "".join(lines))


def only_planned(study: Path) -> None:
    """A switch that somebody ordered."""
    write_outcomes(study / "default", "vcs", ["ordered"])


def only_simhadr(study: Path) -> None:
    """The simulator's output of two synchronisation modes and three buffer sizes, each three times."""
    for place, mode in enumerate(("SYNC", "ASYNC")):
        for step, pages in enumerate((8, 32, 128)):
            for number in range(3):
                at = datetime(2008, 7, 9 + place, 17, 10 * step + number, 25)  # noqa: DTZ001  as it is printed
                output = Output(
                    mode=mode,
                    pages=pages,
                    flushes=(9000 // (step + 1) + 20 * number) * (place + 1),
                    conn_time=f"{at:%Y-%m-%d_%H:%M:%S}_PDT",
                )
                for each in (output, replace(output, role="standby")):
                    write(study / mode.lower() / f"run{3 * step + number + 1}" / f"{each.role}.txt", each.text())


def one_failed(study: Path) -> None:
    """Three configurations; one of their six runs failed."""
    for number, scenarios in enumerate((["healthy", "healthy"], ["healthy", "faulted"], ["healthy", "healthy"])):
        write_outcomes(study / f"disks {number}", "vcs", scenarios)
    on_days(study)


def forty_configurations(study: Path) -> None:
    """Forty of three runs each."""
    for number in range(40):
        configuration(study / f"c{number:02d}", [number, number + 1, number + 2], first_day=4 * number)


def two_times_a_hundred(study: Path) -> None:
    """Two configurations of a hundred runs."""
    for number, name in enumerate(("default", "tuned")):
        configuration(study / name, [each % 7 - 3.0 * number for each in range(100)], first_day=120 * number)


def twelve_nodes(study: Path) -> None:
    """Clusters of twelve; in each of three runs another node dies."""
    nodes = [(f"sun-ha{number:02d}", number) for number in range(12)]
    write_timers(study / "default")
    for lost in range(3):
        mates = {node: [other for other in nodes if other not in (node, nodes[lost])] for node in nodes}
        taken = (
            vcs(node, nodes[lost], mates=mates[node], starts=node == nodes[lost + 1])
            for node in nodes
            if node != nodes[lost]
        )
        dead = vcs(nodes[lost], *mates[nodes[lost]], had_service=True, dies_s=-1, boots_s=240)
        write_sides(study / "default" / f"run{lost + 1}", dead, *taken)
    on_days(study)


def three_hours(study: Path) -> None:
    """Failovers of three hours."""
    configuration(study / "default", [10_800, 10_805, 10_810])


def four_kinds(study: Path) -> None:
    """Four kinds of fault, two runs each."""
    configuration(study / "default", range(8))
    kinds = ("power off", "kill", "network cut", "disk full")
    write(
        study / "study.toml", "".join(f'[[run]]\nrun = "run{n + 1:03d}"\nfault = "{kinds[n % 4]}"\n' for n in range(8))
    )


def an_outlier(study: Path) -> None:
    """One run of twenty took four minutes more."""
    configuration(study / "default", [0, 1, 2, 1, 0, 2, 1, 0, 1, 240])
    configuration(study / "tuned", [-3, -2, -1, -2, -3, -1, -2, -3, -2, -1], first_day=20)


def five_scripts(study: Path) -> None:
    """Names of configurations in five scripts."""
    for number, name in enumerate(("по умолчанию", "既定値", "افتراضي", "ברירת מחדל", "προεπιλογή")):
        configuration(study / name, [number, number + 1, number + 2], first_day=4 * number)


def cut_logs(study: Path) -> None:
    """Logs of the cluster that begin amid the failover."""
    configuration(study / "default", [0, 1, 2])
    for log in study.rglob("engine_A.log"):
        lines = log.read_text().splitlines(keepends=True)
        log.write_text("".join(lines[len(lines) // 3 :]))


ODD_STUDIES: dict[str, Callable[[Path], None]] = {
    each.__name__: each
    for each in (
        *(
            one_run,
            only_disks,
            only_monitors,
            only_errors,
            only_planned,
            only_simhadr,
            one_failed,
            forty_configurations,
        ),
        *(two_times_a_hundred, twelve_nodes, three_hours, four_kinds, an_outlier, five_scripts, cut_logs),
    )
}
