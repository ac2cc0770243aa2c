"""Asks a PostgreSQL server for `select 1` every 100 ms, over a new connection each time, and notes what came of it.

Usage: probe.py HOST PORT USER

Prints CSV, one line a question, in the order in which they ended: when it was asked (UTC), `ok` or `failed`, after how
many milliseconds that was known, and why it failed. A question without an answer after one second has failed; the next
ones are asked all the same. Speaks version 3 of the server's protocol itself, so that a question costs no process; the
server must trust the user.
"""

import asyncio
import csv
import itertools
import struct
import sys
import time
from datetime import UTC, datetime

INTERVAL_S = 0.1
TIMEOUT_S = 1.0
PROTOCOL = 3 << 16

QUESTION = b"Q" + struct.pack("!I", 4 + len(b"select 1\0")) + b"select 1\0"
GOODBYE = b"X" + struct.pack("!I", 4)


class ServerError(Exception):
    """The server answered, but with an error."""


def greeting(user: str) -> bytes:
    """The first packet of a connection: protocol and user (the database of the same name)."""
    body = struct.pack("!I", PROTOCOL) + b"user\0" + user.encode() + b"\0\0"
    return struct.pack("!I", 4 + len(body)) + body


async def until_ready(reader: asyncio.StreamReader) -> None:
    """Read messages up to the one that says the server waits for a question."""
    while True:
        kind = await reader.readexactly(1)
        (length,) = struct.unpack("!I", await reader.readexactly(4))
        body = await reader.readexactly(length - 4)
        if kind == b"E":
            fields = [field.decode(errors="replace") for field in body.split(b"\0")]
            raise ServerError(next((field[1:] for field in fields if field.startswith("M")), "error"))
        if kind == b"Z":
            return


async def ask(host: str, port: int, user: str) -> None:
    """One question over one connection; returns when it was answered."""
    reader, writer = await asyncio.open_connection(host, port)
    try:
        writer.write(greeting(user))
        await until_ready(reader)
        writer.write(QUESTION)
        await until_ready(reader)
        writer.write(GOODBYE)
    finally:
        writer.close()


def note(*fields: str) -> None:
    """Print one line at once, so that a kill loses nothing."""
    csv.writer(sys.stdout, lineterminator="\n").writerow(fields)
    sys.stdout.flush()


async def probe(host: str, port: int, user: str) -> None:
    """Ask once and print how that went."""
    asked_at, start_s = datetime.now(UTC), time.monotonic()
    outcome, reason = "ok", ""
    try:
        await asyncio.wait_for(ask(host, port, user), TIMEOUT_S)
    except TimeoutError:
        outcome, reason = "failed", "no answer"
    except (OSError, asyncio.IncompleteReadError, ServerError) as error:
        outcome, reason = "failed", str(error)
    elapsed_ms = 1000 * (time.monotonic() - start_s)
    note(f"{asked_at:%Y-%m-%dT%H:%M:%S.%f}Z", outcome, f"{elapsed_ms:.1f}", reason)


async def main(host: str, port: int, user: str) -> None:
    """Ask for ever, at times that do not depend on the answers."""
    note("asked_at", "outcome", "elapsed_ms", "reason")
    start_s = time.monotonic()
    async with asyncio.TaskGroup() as probes:
        for number in itertools.count(1):
            probes.create_task(probe(host, port, user))
            await asyncio.sleep(max(0.0, start_s + number * INTERVAL_S - time.monotonic()))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
