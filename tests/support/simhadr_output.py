"""Output of simhadr made to order: consistent totals for given settings, in the form that recorded runs have."""

from dataclasses import dataclass

PAGE = 4096


@dataclass(frozen=True, slots=True)
class Output:
    """A run as its settings and its outcome. `mode` None leaves the agreed mode out of the command line."""

    role: str = "primary"
    mode: str = "NEARSYNC"
    pages: int = 32
    flushes: int = 3130
    seconds: float = 4.000821
    options: str = ""
    conn_time: str = "2008-07-09_17:12:25_PDT"
    hosts: tuple[str, str] = ("10.0.0.1", "10.0.0.2")
    disk: tuple[float, float] | None = None
    shipping_us: int | None = None
    congestion_s: float = 0.0
    sockets: tuple[int, int] = (16384, 87380)
    stated_bytes: int | None = None

    def lines(self) -> list[str]:
        """All lines, without the distributions that no test asks for."""
        return [*self.head(), *self.connection(), *self.totals(), *self.distributions()]

    def text(self) -> str:
        """The lines as a file holds them."""
        return "\n".join(self.lines()) + "\n"

    def head(self) -> list[str]:
        here, there = self.hosts if self.role == "primary" else self.hosts[::-1]
        disk = f" -disk {self.disk[0]:g} {self.disk[1]:g}" if self.disk else ""
        ports = "-lport 4600 -rport 4601" if self.role == "primary" else "-lport 4601 -rport 4600"
        asked = (
            f" -syncmode {self.mode} -flushSize {self.pages} -t {int(self.seconds)}" if self.role == "primary" else ""
        )
        return [
            f"+ simhadr -role {self.role} -lhost {here} -rhost {there} {ports}{asked}{disk} {self.options}".rstrip()
            + " ",
            "",
            "Measured sleep overhead: 0.003608 second, using spin time 0.004329 second.",
            "",
            *self._host("local", here),
            *self._host("remote", there),
        ]

    def _host(self, side: str, address: str) -> list[str]:
        return [
            f"Resolving {side} host {address} via gethostbyname()",
            f"hostname={address}",
            "address_type=2 address_length=4",
            f"address: {address}",
            "",
        ]

    def connection(self) -> list[str]:
        greeting = "Sending" if self.role == "primary" else "Received"
        return [
            "Socket property upon connection",
            "BlockingIO=false",
            "NAGLE=false",
            f"SO_SNDBUF={self.sockets[0]}",
            f"SO_RCVBUF={self.sockets[1]}",
            "SO_LINGER: onoff=0, length=0",
            "",
            f"{greeting} handshake message:",
            f"syncMode={self.mode}",
            f"flushSize={self.pages}",
            f"connTime={self.conn_time}",
            "",
        ]

    def totals(self) -> list[str]:
        volume = self.flushes * self.pages * PAGE if self.stated_bytes is None else self.stated_bytes
        rate = volume / self.seconds / 1e6
        acks = 16 * self.flushes if self.mode in ("SYNC", "NEARSYNC") else 0
        sent, received = (volume, acks) if self.role == "primary" else (acks, volume)
        size = self.pages * PAGE
        each_s, waited_s = self.seconds / self.flushes, self.congestion_s
        stops, rate_in = 10 if waited_s else 0, received / self.seconds / 1e6
        writing: list[str] = []
        if self.disk:
            write_s = self.disk[1] + self.pages * PAGE / self.disk[0] / 1e6
            total_s = write_s * self.flushes
            writing = [
                f"disk speed: {self.disk[0]:.6f} MB/second, overhead: {self.disk[1]:.6f} second/write",
                f"Total {volume} bytes written in {total_s:.6f} seconds. {volume / total_s / 1e6:.6f} MBytes/sec",
                f"Total {self.flushes} write calls, {self.pages * 4.096:.3f} kBytes/write, {write_s:.6f} sec/write",
                "",
            ]
        return [
            f"{self.mode}: Total {volume} bytes in {self.seconds:.6f} seconds, {rate:.6f} MBytes/sec",
            f"Total {self.flushes} flushes, {each_s:.6f} sec/flush, {self.pages} pages ({size} bytes)/flush",
            "",
            *writing,
            f"Total {sent} bytes sent in {self.seconds:.6f} seconds. {sent / self.seconds / 1e6:.6f} MBytes/sec",
            f"Total {self.flushes} send calls, {sent // self.flushes / 1000:.3f} KBytes/send, ",
            f"Total {stops} congestions, {waited_s:.6f} seconds, {waited_s / 10:.6f} second/congestion",
            "",
            f"Total {received} bytes recv in {self.seconds:.6f} seconds. {rate_in:.6f} MBytes/sec",
            f"Total {self.flushes} recv calls, {received // self.flushes / 1000:.3f} KBytes/recv",
            "",
        ]

    def distributions(self) -> list[str]:
        if self.shipping_us is None:
            return []
        us, n = self.shipping_us, self.flushes
        return [
            "Distribution of log shipping time (unit is microsecond):",
            f"Total {n} numbers, Sum {us * n}, Min {us}, Max {us}, Avg {us}",
            f"Exactly {us:10d} {n:11d} numbers",
        ]


def disk_test(op: str, pages: int, calls: int, seconds: float) -> str:
    """Output of `simhadr -write` or `-read`."""
    plural, past = {"write": ("writes", "written"), "read": ("reads", "read")}[op]
    volume = calls * pages * PAGE / 1e6
    return "\n".join(
        [
            f"+ simhadr -{op} testFile -flushSize {pages} -t {int(seconds)} ",
            "use file system cache = false",
            "write behind caching = false",
            "",
            f"Total {calls} {plural} in {seconds:.6f} seconds, {seconds / calls:.6f} sec/{op}, {pages} pages/{op}",
            "",
            f"Total {volume:.6f} MBytes {past} in {seconds:.6f} seconds. {volume / seconds:.6f} MBytes/sec",
            "",
        ]
    )
