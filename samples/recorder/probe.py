"""Asks a service the same question every 100 ms, over new connections each time, and notes what came of it.

Usage: probe.py KIND ADDRESS...

Prints CSV, one line a question, in the order in which they ended: when it was asked (UTC), `ok` or `failed`, after how
many milliseconds that was known, and why it failed. A question without an answer after one second has failed; the next
ones are asked all the same. Speaks the protocols of the servers itself, so that a question costs no process; servers
must trust the client. KIND is one of

redis-sentinel   asks all sentinels for the master and writes a key there
postgresql       a transaction id, which only a primary gives, of ADDRESS:PORT; of several whichever gives one
mysql            inserts a row of its own into `probe.answer` on ADDRESS:PORT as user `probe`
http             GET / of ADDRESS:PORT
"""

import asyncio
import csv
import itertools
import struct
import sys
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from datetime import UTC, datetime
from typing import Self

INTERVAL_S = 0.1
TIMEOUT_S = 1.0
Ask = Callable[[str], Coroutine[None, None, None]]


class ServerError(Exception):
    """The server answered, but with an error."""


async def first_of(ask: Ask, addresses: Sequence[str]) -> None:
    """Ask all at once; one that answers is enough. Raises the error of the last one where none does."""
    tasks = [asyncio.create_task(ask(address)) for address in addresses]
    try:
        errors = []
        for done in asyncio.as_completed(tasks):
            try:
                await done
            except (OSError, EOFError, ServerError) as error:
                errors.append(error)
            else:
                return
        raise errors[-1]
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class Connection:
    """One connection to `host:port`, closed at the end of the `async with`."""

    def __init__(self, address: str) -> None:
        self.host, _, self.port = address.partition(":")

    async def __aenter__(self) -> Self:
        self.reader, self.writer = await asyncio.open_connection(self.host, int(self.port))
        return self

    async def __aexit__(self, *_: object) -> None:
        self.writer.close()


async def redis_command(server: Connection, *words: str) -> list[str]:
    """Send one command and return the lines of the answer without lengths."""
    text = f"*{len(words)}\r\n" + "".join(f"${len(word)}\r\n{word}\r\n" for word in words)
    server.writer.write(text.encode())
    head = (await server.reader.readuntil(b"\r\n")).decode().strip()
    if head.startswith("-"):
        raise ServerError(head[1:])
    if not head.startswith("*"):
        return [head]
    return [(await server.reader.readuntil(b"\r\n")).decode().strip() for _ in range(2 * max(0, int(head[1:])))][1::2]


async def redis_master(sentinel: str, found: set[str]) -> None:
    """Ask one sentinel where the master is."""
    async with Connection(f"{sentinel}:26379") as server:
        host, port = await redis_command(server, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", "mymaster")
        found.add(f"{host}:{port}")


async def redis_sentinel(sentinels: Sequence[str]) -> None:
    """Ask the sentinels for the master, and write there."""
    found: set[str] = set()
    await first_of(lambda sentinel: redis_master(sentinel, found), sentinels)
    async with Connection(found.pop()) as server:
        await redis_command(server, "SET", "probe", str(time.time()))


async def postgresql_answer(reader: asyncio.StreamReader) -> None:
    """Read messages up to the one that says the server waits for a question."""
    while True:
        kind = await reader.readexactly(1)
        (length,) = struct.unpack("!I", await reader.readexactly(4))
        body = await reader.readexactly(length - 4)
        if kind == b"E":
            fields = [part.decode(errors="replace") for part in body.split(b"\0")]
            raise ServerError(next((part[1:] for part in fields if part.startswith("M")), "error"))
        if kind == b"Z":
            return


async def postgresql(address: str) -> None:
    """Ask for a transaction id, which a standby refuses."""
    head = struct.pack("!I", 3 << 16) + b"user\0postgres\0\0"
    question = b"select txid_current()\0"
    async with Connection(address) as server:
        server.writer.write(struct.pack("!I", 4 + len(head)) + head)
        await postgresql_answer(server.reader)
        server.writer.write(b"Q" + struct.pack("!I", 4 + len(question)) + question)
        await postgresql_answer(server.reader)
        server.writer.write(b"X" + struct.pack("!I", 4))


async def mysql_packet(server: Connection) -> bytes:
    """Read one packet; raises where it is an error."""
    head = await server.reader.readexactly(4)
    body = await server.reader.readexactly(int.from_bytes(head[:3], "little"))
    if body[:1] == b"\xff":
        raise ServerError(body[3:].decode(errors="replace"))
    return body


async def mysql(address: str) -> None:
    """Log in as `probe` without a password, and insert a row."""
    async with Connection(address) as server:
        await mysql_packet(server)
        abilities = 0x0001 | 0x0200 | 0x8000 | 0x00080000  # long password, protocol 4.1, its authentication, plugins
        login = struct.pack("<IIB23x", abilities, 1 << 24, 45) + b"probe\0" + b"\0" + b"mysql_native_password\0"
        server.writer.write(len(login).to_bytes(3, "little") + b"\1" + login)
        await mysql_packet(server)
        text = b"\3insert into probe.answer (at) values (now(6))"
        server.writer.write(len(text).to_bytes(3, "little") + b"\0" + text)
        await mysql_packet(server)
        server.writer.write(b"\1\0\0\0\1")


async def http(address: str) -> None:
    """GET / and expect 200."""
    async with Connection(address) as server:
        server.writer.write(b"GET / HTTP/1.0\r\n\r\n")
        status = (await server.reader.readline()).decode(errors="replace").strip()
        if " 200" not in status:
            raise ServerError(status or "closed without an answer")


KINDS: dict[str, Callable[[Sequence[str]], Awaitable[None]]] = {
    "redis-sentinel": redis_sentinel,
    "postgresql": lambda addresses: first_of(postgresql, addresses),
    "mysql": lambda addresses: first_of(mysql, addresses),
    "http": lambda addresses: first_of(http, addresses),
}


def note(*fields: str) -> None:
    """Print one line at once, so that a kill loses nothing."""
    csv.writer(sys.stdout, lineterminator="\n").writerow(fields)
    sys.stdout.flush()


async def probe(kind: str, addresses: Sequence[str]) -> None:
    """Ask once and print how that went."""
    asked_at, start_s = datetime.now(UTC), time.monotonic()
    outcome, reason = "ok", ""
    try:
        await asyncio.wait_for(KINDS[kind](addresses), TIMEOUT_S)
    except TimeoutError:
        outcome, reason = "failed", "no answer"
    except (OSError, EOFError, ServerError, ValueError) as error:
        outcome, reason = "failed", str(error) or type(error).__name__
    elapsed_ms = 1000 * (time.monotonic() - start_s)
    note(f"{asked_at:%Y-%m-%dT%H:%M:%S.%f}Z", outcome, f"{elapsed_ms:.1f}", reason)


async def main(kind: str, addresses: Sequence[str]) -> None:
    """Ask for ever, at times that do not depend on the answers."""
    note("asked_at", "outcome", "elapsed_ms", "reason")
    start_s = time.monotonic()
    async with asyncio.TaskGroup() as probes:
        for number in itertools.count(1):
            probes.create_task(probe(kind, addresses))
            await asyncio.sleep(max(0.0, start_s + number * INTERVAL_S - time.monotonic()))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2:]))
