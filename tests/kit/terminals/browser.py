"""
A real headless Chromium, controlled by its DevTools protocol over a pipe.

Debian has it as `chromium-headless-shell`. If none is installed, `BROWSER` is None, and the tests
that need one are skipped and say so.
"""

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs
import pytest

BROWSER = next(
    filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "google-chrome"))), None
)
needs_browser = pytest.mark.skipif(
    BROWSER is None,
    reason="left out: no Chromium (Debian: chromium-headless-shell); pages were opened by nobody",
)
_IS_READY = "document.documentElement && document.documentElement.dataset.ready"
PATIENCE = 60.0
"""Maximum seconds for any answer; then the browser counts as hung."""
_EXEC = (
    "import os, sys; os.dup2(int(sys.argv[1]), 3); os.dup2(int(sys.argv[2]), 4); "
    "os.execv(sys.argv[3], sys.argv[3:])"
)
"""Code that moves the pipes to where the browser looks for them, and then becomes the browser."""


@attrs.define(eq=False)
class Tab:
    """One open page."""

    _sink: int
    _source: int
    _session: str = ""
    _serial: int = 0
    _read: bytes = b""
    told: list[Mapping[str, Any]] = attrs.field(factory=list)
    """Messages that the browser sent unasked: errors, requests, violations of the policy."""

    def do(self, method: str, **params: object) -> Mapping[str, Any]:
        """Send a command to the browser, and return its result."""
        self._serial += 1
        message: dict[str, object] = {"id": self._serial, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._sink, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._serial:
                assert "error" not in answer, answer
                result: Mapping[str, Any] = answer["result"]
                return result
            self.told.append(answer)

    def _next(self) -> Mapping[str, Any]:
        until = time.monotonic() + PATIENCE
        while b"\0" not in self._read:
            assert select.select([self._source], [], [], until - time.monotonic())[0], "it hangs"
            part = os.read(self._source, 1 << 20)
            assert part, "the browser is gone"
            self._read += part
        message, _, self._read = self._read.partition(b"\0")
        answer: Mapping[str, Any] = json.loads(message)
        return answer

    def attach(self) -> None:
        """Open an empty page and subscribe to its events."""
        target = self.do("Target.createTarget", url="about:blank")["targetId"]
        attached = self.do("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.do(f"{domain}.enable")

    def size(self, columns: int, rows: int, *, is_phone: bool) -> None:
        """Set the size of the window in CSS pixels."""
        self.do(
            "Emulation.setDeviceMetricsOverride",
            width=columns,
            height=rows,
            deviceScaleFactor=1,
            mobile=is_phone,
        )
        self.do("Emulation.setTouchEmulationEnabled", enabled=is_phone)

    def open(self, path: Path) -> None:
        """Open a local page and wait until its script has run."""
        self.do("Page.navigate", url=path.as_uri())
        until = time.monotonic() + PATIENCE
        while self.value(_IS_READY) != "yes":
            assert time.monotonic() < until, self.faults()
            time.sleep(0.02)

    def value(self, expression: str) -> Any:
        """Return the value of a JavaScript expression."""
        answer = self.do("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        text = {"text": key} if len(key) == 1 else {}
        self.do("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self.do("Input.dispatchKeyEvent", type="keyUp", key=key)

    def swipe(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Draw a finger across the page."""
        points = [[{"x": x, "y": y}] for x, y in (start, end)]
        self.do("Input.dispatchTouchEvent", type="touchStart", touchPoints=points[0])
        self.do("Input.dispatchTouchEvent", type="touchMove", touchPoints=points[1])
        self.do("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def picture(self) -> bytes:
        """Return a screenshot as PNG."""
        return base64.b64decode(self.do("Page.captureScreenshot", format="png")["data"])

    def faults(self) -> list[Mapping[str, Any]]:
        """Return the page's errors, console messages and network requests."""
        wrong = {"Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"}
        return [each for each in self.told if each.get("method") in wrong or _is_request(each)]


def _is_request(told: Mapping[str, Any]) -> bool:
    if told.get("method") != "Network.requestWillBeSent":
        return False
    address: str = told["params"]["request"]["url"]
    return not address.startswith(("file:", "blob:"))


@contextmanager
def browsing(profile: Path) -> Iterator[Tab]:
    """Start a browser with an empty profile, and end it."""
    assert BROWSER is not None
    to_read, to_write = os.pipe()
    from_read, from_write = os.pipe()
    theirs = [fcntl.fcntl(fd, fcntl.F_DUPFD, 10) for fd in (to_read, from_write)]
    os.close(to_read)
    os.close(from_write)
    options = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")
    process = subprocess.Popen(
        [
            *(sys.executable, "-c", _EXEC, *map(str, theirs), BROWSER, *options),
            *("--remote-debugging-pipe", "--no-first-run", f"--user-data-dir={profile}"),
        ],
        pass_fds=theirs,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    for fd in theirs:
        os.close(fd)
    try:
        tab = Tab(to_write, from_read)
        tab.attach()
        yield tab
    finally:
        # At the end of its pipe the browser ends with all its processes.
        os.close(to_write)
        os.close(from_read)
        process.kill()
        process.wait()
