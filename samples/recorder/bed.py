"""The test bed: machines as namespaces, joined by a switch, that lose their power or their cable."""

import shutil
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

NETWORK = "10.78.0"
ALIVE = "while :; do sleep 3600 & wait; done"
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
Moments = tuple[float, float]
"""Before and after a fault was caused, in seconds since 1970."""


class BedError(RuntimeError):
    """A machine or a program did not start. The message says which, and what it printed."""


def run(*command: str, check: bool = True, timeout: float = 60) -> str:
    """Run a command and return what it printed. Raises BedError where it fails and `check` is set."""
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=timeout)
    if check and done.returncode:
        raise BedError(f"{' '.join(command)}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def wait_until(seconds: float, holds: Callable[[], bool], every: float = 0.25) -> bool:
    """Wait until something holds; false where it does not within so many seconds."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(every)
    return True


@dataclass
class Machine:
    """One machine: network, mount, PID, UTS and IPC namespaces, a folder, and private folders for its programs."""

    name: str
    number: int
    folder: Path
    private: Sequence[str]
    launcher: subprocess.Popen[bytes] | None = None
    init: int = 0
    programs: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def address(self) -> str:
        """Address on the network."""
        return f"{NETWORK}.{self.number}"

    @property
    def log(self) -> Path:
        """Folder of its logs, `/var/log` inside."""
        return self.folder / "log"

    def plug_in(self) -> None:
        """Give it a fresh network namespace with one cable to the switch."""
        run("ip", "-n", "switch", "link", "del", self.name, check=False)
        run("ip", "netns", "del", self.name, check=False)
        run("ip", "netns", "add", self.name)
        run("ip", "-n", "switch", "link", "add", self.name, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        run("ip", "-n", "switch", "link", "set", self.name, "master", "bridge", "up")
        run("ip", "-n", self.name, "address", "add", f"{self.address}/24", "dev", "eth0")
        run("ip", "-n", self.name, "link", "set", "lo", "up")
        run("ip", "-n", self.name, "link", "set", "eth0", "up")

    def boot(self) -> None:
        """Start it: private folders, an init, no program yet."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.log.mkdir(parents=True)
        self.log.chmod(0o777)
        self.plug_in()
        net = f"--net=/run/netns/{self.name}"
        spaces = ("unshare", "--mount", "--uts", "--ipc", "--pid", "--fork", "--kill-child", "--mount-proc")
        self.launcher = subprocess.Popen(
            ["nsenter", net, *spaces, "bash", "-c", self._init()], stdin=subprocess.DEVNULL
        )
        if not wait_until(5, self._has_init, 0.02) or not wait_until(5, (self.folder / "up").exists, 0.02):
            raise BedError(f"{self.name} did not start")

    def _init(self) -> str:
        private = "\n".join(
            f"mkdir -p {path}; mount -t tmpfs -o mode=1777 tmpfs {path}" for path in ("/run", *self.private)
        )
        devices = "\n".join(f"touch /mnt/{name}; mount --bind /dev/{name} /mnt/{name}" for name in DEVICES)
        return f"""set -e
hostname {self.name}
{private}
mount --bind {self.log} /var/log
mount -t tmpfs tmpfs /mnt
{devices}
mkdir -m 1777 /mnt/shm
ln -s /proc/self/fd /mnt/fd
mount --move /mnt /dev
touch {self.folder}/up
{ALIVE}"""

    def _has_init(self) -> bool:
        if self.launcher is None or self.launcher.poll() is not None:
            raise BedError(f"{self.name} did not start")
        children = run("pgrep", "--parent", str(self.launcher.pid), check=False).split()
        self.init = int(children[0]) if children else 0
        return bool(self.init)

    def enter(self, command: Sequence[str], user: str | None = None) -> list[str]:
        """The command as it is run inside."""
        become = ("setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups") if user else ()
        spaces = ("--mount", "--uts", "--ipc", "--net", "--pid")
        return ["nsenter", "--target", str(self.init), *spaces, *become, *command]

    def call(self, *command: str, user: str | None = None, check: bool = True, timeout: float = 60) -> str:
        """Run a command inside and return what it printed."""
        return run(*self.enter(command, user), check=check, timeout=timeout)

    def start(
        self, *command: str, user: str | None = None, output: str = "console.out", env: Mapping[str, str] | None = None
    ) -> None:
        """Start a program inside; what it prints goes to a file of its log folder."""
        settings = [f"{name}={value}" for name, value in (env or {}).items()]
        with (self.log / output).open("ab") as file:
            self.programs.append(
                subprocess.Popen(
                    self.enter(["env", *settings, *command], user), stdin=subprocess.DEVNULL, stdout=file, stderr=file
                )
            )

    def kill(self, *patterns: str, signal: str = "KILL") -> Moments:
        """Send a signal to all programs of these names at once."""
        before = time.time()
        for pattern in patterns:
            run(*self.enter(["pkill", f"-{signal}", "-f", pattern]), check=False)
        return before, time.time()

    def cut(self) -> Moments:
        """Pull its cable out of the switch; it goes on running."""
        before = time.time()
        run("ip", "-n", "switch", "link", "set", self.name, "down")
        return before, time.time()

    def power_off(self) -> Moments:
        """End it with all its programs. The switch drops it first.

        A kernel that ends programs closes their connections, a machine without power does not.
        """
        before = time.time()
        # its own end of the cable keeps its carrier, so that no program notes a cable that is pulled
        run("ip", "-n", "switch", "link", "set", self.name, "nomaster")
        run("kill", "-KILL", str(self.init))
        return before, time.time()

    def stop(self) -> None:
        """End what is left of it."""
        if self.launcher is not None:
            run("kill", "-KILL", str(self.init or self.launcher.pid), check=False)
            self.launcher.wait(20)
        for program in self.programs:
            program.wait(20)
        self.programs, self.launcher = [], None

    def write(self, path: str, text: str, owner: str | None = None, mode: int = 0o644) -> str:
        """Write a file into its folder and return its path, the same inside and outside."""
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        target.chmod(mode)
        if owner:
            shutil.chown(target, owner, owner)
        return str(target)

    def make_folder(self, path: str, owner: str, mode: int = 0o700) -> str:
        """Make a folder of a user in its folder and return its path."""
        target = self.folder / path
        target.mkdir(parents=True, exist_ok=True)
        target.chmod(mode)
        shutil.chown(target, owner, owner)
        return str(target)


def build_switch() -> None:
    """Make the network that the machines are plugged into."""
    run("mount", "-t", "tmpfs", "tmpfs", "/run")
    run("ip", "netns", "add", "switch")
    run("ip", "-n", "switch", "link", "add", "bridge", "type", "bridge", "forward_delay", "0")
    run("ip", "-n", "switch", "link", "set", "bridge", "up")
