"""A headless Chromium driven through its DevTools protocol over a pipe: no further library, no port.

`HALEDGER_CHROMIUM` names the program; else it is looked for on the PATH. Everything that a page asks of a network, and
what its content security policy refuses, is collected.
"""

import json
import os
import shutil
import subprocess
import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from select import select
from typing import Any

import pytest

PATIENCE_S = 60.0
NAMES = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = (
    "--headless=new",
    "--no-sandbox",  # containers give it none; only pages that we wrote are opened
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)


def program() -> str | None:
    """Where a Chromium is, if there is one."""
    return os.environ.get("HALEDGER_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


MARKS = [
    pytest.mark.skipif(program() is None, reason="no Chromium on the PATH or in HALEDGER_CHROMIUM"),
    pytest.mark.xdist_group("browser"),
]
"""Of a module of tests in a browser, which all run one after the other."""


class BrowserError(Exception):
    """The browser refused a command, or a page's script failed."""


@dataclass
class Browser:
    """One tab. `requests` are addresses that the page asked for, `complaints` what its console holds."""

    commands: int
    answers: int
    session: str = ""
    last_id: int = 0
    waiting: bytes = b""
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    loads: int = 0

    def call(self, method: str, **parameters: object) -> Any:  # the protocol's answers are JSON
        """Give a command and wait for its answer."""
        self.last_id += 1
        message: dict[str, object] = {"id": self.last_id, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        wanted = self.last_id
        while True:
            answer = self._next()
            if answer.get("id") == wanted:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']}")
                return answer["result"]

    def open(self, page: Path, *, has_scripts: bool = True) -> None:
        """Open a file and wait until it has loaded."""
        self.call("Emulation.setScriptExecutionDisabled", value=not has_scripts)
        loads = self.loads
        self.call("Page.navigate", url=page.resolve().as_uri())
        while self.loads == loads:
            self._next()

    def run(self, script: str) -> Any:
        """The value of an expression in the page; a promise is waited for."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise BrowserError(str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def reload(self, truth: str) -> None:
        """Load the page again, at the address that it has now, and wait until an expression holds in it."""
        loads = self.loads
        self.call("Page.reload")
        while self.loads == loads:
            self._next()
        self.wait(truth)

    def wait(self, truth: str) -> None:
        """Wait until an expression holds, as long as an answer may take."""
        deadline = time.monotonic() + PATIENCE_S
        while not self.run(truth):
            if time.monotonic() > deadline:
                raise BrowserError(f"not within {PATIENCE_S:g} s: {truth}")
            time.sleep(0.02)

    def press(self, key: str, *, shift: bool = False) -> None:
        """Press a key, down and up."""
        text = {"text": "\r" if key == "Enter" else key} if len(key) == 1 or key == "Enter" else {}
        code = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32}.get(key, 0)
        for kind in ("keyDown", "keyUp"):
            more = text if kind == "keyDown" else {}
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=key,
                windowsVirtualKeyCode=code,
                modifiers=8 if shift else 0,
                **more,
            )

    def look(self, *, width: int = 1000, height: int = 1000, scheme: str = "light", media: str = "screen") -> None:
        """Set the window's size, the colour scheme and the medium."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", media=media, features=features)

    def point(self, selector: str) -> None:
        """Move the pointer to the middle of the first element of a selector."""
        x, y = self._middle(selector)
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, selector: str) -> None:
        """Press the mouse on the middle of the first element of a selector."""
        x, y = self._middle(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def hold(self, *, width: int = 390, height: int = 844) -> None:
        """Be a telephone: a small screen, and fingers in place of a mouse. `put_down` ends it."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2, mobile=True)
        self.call("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)

    def put_down(self) -> None:
        """Be no telephone any more."""
        self.call("Emulation.setTouchEmulationEnabled", enabled=False)
        self.call("Emulation.clearDeviceMetricsOverride")

    def tap(self, selector: str) -> None:
        """Touch the middle of the first element of a selector with a finger."""
        self.swipe([self._middle(selector)])

    def swipe(self, *places: list[tuple[float, float]]) -> None:
        """Put fingers down at the first places, move them to each of the next, and take them away."""
        for number, fingers in enumerate(places):
            points = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(fingers)]
            self.call("Input.dispatchTouchEvent", type="touchMove" if number else "touchStart", touchPoints=points)
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        self.run("new Promise((done) => setTimeout(done, 400))")  # a tap is a click a moment later

    def picture(self) -> bytes:
        """What is seen, as PNG."""
        return b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def paper(self) -> bytes:
        """What a print gives, as PDF."""
        self.call("Emulation.setEmulatedMedia", media="")
        return b64decode(self.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True)["data"])

    def _middle(self, selector: str) -> tuple[float, float]:
        """Where the first element of a selector is in the window, once it rests there: pages scroll smoothly.

        Of a text on several lines the first: the middle of them all may be beside it.
        """
        found = self.run(
            f"(async () => {{ const e = document.querySelector({json.dumps(selector)});"
            " for (let last = ''; ;) {"
            " e.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});"
            " const r = e.getClientRects()[0] || e.getBoundingClientRect();"
            " const now = [r.x + r.width / 2, r.y + r.height / 2];"
            " if (now.join() === last) return now;"
            " last = now.join(); await new Promise((done) => setTimeout(done, 30)); } })()"
        )
        return float(found[0]), float(found[1])

    def _next(self) -> dict[str, Any]:
        deadline = time.monotonic() + PATIENCE_S
        while b"\0" not in self.waiting:
            if not select([self.answers], [], [], max(0.0, deadline - time.monotonic()))[0]:
                raise BrowserError(f"no answer within {PATIENCE_S:g} s")
            self.waiting += os.read(self.answers, 1 << 20)
        line, self.waiting = self.waiting.split(b"\0", 1)
        message: dict[str, Any] = json.loads(line)
        self._note(message.get("method"), message.get("params", {}))
        return message

    def _note(self, method: str | None, reported: dict[str, Any]) -> None:
        if method == "Page.loadEventFired":
            self.loads += 1
        elif method == "Network.requestWillBeSent":
            self.requests.append(reported["request"]["url"][:200])
        elif method == "Log.entryAdded":
            self.complaints.append(reported["entry"]["text"])
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(str(reported["exceptionDetails"]))


@contextmanager
def opened(folder: Path) -> Iterator[Browser]:
    """A browser with its profile in a folder of the test's own."""
    found = program()
    if found is None:
        raise BrowserError("there is no Chromium")
    their_commands, commands = os.pipe()
    answers, their_answers = os.pipe()

    def as_three_and_four() -> None:
        # first out of the way of each other, then where Chromium expects them
        one, other = os.dup2(their_commands, 13), os.dup2(their_answers, 14)
        os.dup2(one, 3)
        os.dup2(other, 4)

    process = subprocess.Popen(
        [found, *OPTIONS, f"--user-data-dir={folder}", "about:blank"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        close_fds=False,
        preexec_fn=as_three_and_four,  # noqa: PLW1509  our tests start no threads
    )
    os.close(their_commands)
    os.close(their_answers)
    try:
        browser = Browser(commands, answers)
        pages = browser.call("Target.getTargets")["targetInfos"]
        target = next(each["targetId"] for each in pages if each["type"] == "page")
        browser.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Log", "Runtime"):
            browser.call(f"{domain}.enable")
        yield browser
    finally:
        process.kill()
        process.wait()
        os.close(commands)
        os.close(answers)
