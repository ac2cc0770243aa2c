"""Support bundles: what they note of clock, zone and names holds for the logs of their nodes."""

from pathlib import Path

import duckdb

from pipeline.ingest.ingest import ingest


def placed(study: Path, db: Path) -> dict[str, tuple[str | None, str | None, str | None, str]]:
    """Node, year source, zone and first instant of each log."""
    ingest(study, db)
    with duckdb.connect(str(db), read_only=True) as con:
        found = con.execute(
            "select path, node, year_source, timezone, first_at::varchar from source_file where format = 'syslog'"
        ).fetchall()
    return {str(path): (node, year, zone, at) for path, node, year, zone, at in found}


def write(study: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (study / name).parent.mkdir(parents=True, exist_ok=True)
        (study / name).write_text(text)


def messages(host: str, day: str) -> str:
    return "".join(f"{day} 11:11:1{second} {host} app[12]: step {second}\n" for second in range(5))


def test_crm_report_dates_and_names_its_nodes(tmp_path: Path) -> None:
    write(
        tmp_path / "study",
        {
            "members.txt": "alder birch \n",
            "alder/time.txt": "Time: Thu Jan  8 10:41:19 2015\nntpdc: \n",
            "alder/messages": messages("alder", "Dec 22"),
            "alder/timedatectl.txt": "Time zone: Europe/Berlin (CET, +0100)\n",
            "birch/date.txt": "Thu Jan  8 09:41:19 GMT 2015\n",
            "birch/messages": messages("birch", "Dec 22"),
        },
    )
    assert placed(tmp_path / "study", tmp_path / "a.duckdb") == {
        "alder/messages": ("alder", "sibling", "Europe/Berlin", "2014-12-22 10:11:10"),
        "birch/messages": ("birch", "sibling", "+00:00", "2014-12-22 11:11:10"),
    }


def test_bundles_of_two_nodes_are_one_configuration(tmp_path: Path) -> None:
    for host in ("alder", "birch"):
        top = f"sosreport-{host}-2015-01-08-abc"
        write(
            tmp_path / "study",
            {
                f"{top}/hostname": f"{host}\n",
                f"{top}/sos_commands/date/date": "Thu Jan  8 09:41:19 UTC 2015\n",
                f"{top}/sos_logs/sos.log": messages(host, "Jan  8"),
                f"{top}/var/log/cluster/old/messages": messages(host, "Dec 22"),
            },
        )
    ingest(tmp_path / "study", tmp_path / "a.duckdb")
    with duckdb.connect(str(tmp_path / "a.duckdb"), read_only=True) as con:
        found = con.execute(
            "select configuration, node, reason like '%collector%' from source_file "
            "where regexp_matches(path, '(sos.log|messages)$') order by all"
        ).fetchall()
    assert [each[:2] for each in found] == [("study", "alder"), ("study", "birch"), (None, None), (None, None)]
    assert [each[2] for each in found[2:]] == [True, True]


def test_rules_of_a_place_hold_in_summer_too(tmp_path: Path) -> None:
    write(
        tmp_path / "study",
        {
            "sosreport-alder-2015-01-08-abc/hostname": "alder\n",
            "sosreport-alder-2015-01-08-abc/sos_commands/systemd/timedatectl": (
                "      Local time: Thu 2015-01-08 10:41:19 CET\n  Universal time: Thu 2015-01-08 09:41:19 UTC\n"
                "       Time zone: Europe/Berlin (CET, +0100)\n"
            ),
            "sosreport-alder-2015-01-08-abc/var/log/messages": messages("alder", "Jul 22"),
        },
    )
    (found,) = placed(tmp_path / "study", tmp_path / "a.duckdb").values()
    assert found == ("alder", "filename", "Europe/Berlin", "2014-07-22 09:11:10")


def test_must_gather_has_folders_of_images_and_no_configuration(tmp_path: Path) -> None:
    top = "default/run01/must-gather.local.4157"
    image = f"{top}/quay-io-openshift-release-dev-sha256-1f5d2c"
    stamped = "".join(f"2026-05-12T10:31:0{second}.5Z step {second}\n" for second in range(5))
    write(
        tmp_path / "study",
        {
            f"{top}/timestamp": "2026-05-12 10:40:00.5 +0000 UTC m=+0.1\n2026-05-12 10:43:00.5 +0000 UTC m=+180.1\n",
            f"{image}/cluster-scoped-resources/core/nodes/worker-1.yaml": "kind: Node\n",
            f"{image}/namespaces/db/pods/pg-0/pg-0.yaml": "kind: Pod\n",
            f"{image}/namespaces/db/pods/pg-0/postgres/postgres/logs/current.log": stamped,
            "default/run01/alder/messages": messages("alder", "May 12"),
        },
    )
    ingest(tmp_path / "study", tmp_path / "a.duckdb")
    with duckdb.connect(str(tmp_path / "a.duckdb"), read_only=True) as con:
        found = con.execute("select distinct configuration, run from source_file where status = 'parsed'").fetchall()
        skipped = con.execute("select reason from source_file where path like '%timestamp'").fetchall()
    assert found == [("default", "run01")]
    assert skipped == [("when this bundle was collected",)]


def test_a_configuration_around_a_bundle_may_be_called_like_one(tmp_path: Path) -> None:
    top = "pcmk-tuned/sosreport-alder-2015-01-08-abc"
    files = {
        f"{top}/sos_commands/date/date": "Thu Jan  8 09:41:19 UTC 2015\n",
        f"{top}/var/log/messages": messages("alder", "Dec 22"),
    }
    write(tmp_path / "study", files)
    ingest(tmp_path / "study", tmp_path / "a.duckdb")
    with duckdb.connect(str(tmp_path / "a.duckdb"), read_only=True) as con:
        found = con.execute("select configuration from source_file where format = 'syslog'").fetchall()
    assert found == [("pcmk-tuned",)]
