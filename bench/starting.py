"""
The measures of starting: a process that imports what a command runs, beside its libraries alone.

What a command imports without using it is waited for at every start.
"""

import subprocess
import sys

from bench.timing import Measure

_CLIENT_LIBRARIES = (
    "attrs",
    "cryptography.hazmat.primitives.asymmetric.ed25519",
    "msgpack",
    "prompt_toolkit.application",
    "twisted.internet.endpoints",
    "twisted.internet.ssl",
)
_SERVER_LIBRARIES = (*_CLIENT_LIBRARIES[:3], *_CLIENT_LIBRARIES[4:], "apsw", "yaml")
_STARTS = {
    "start": (
        "start what `manse play` runs",
        ("client.commands.sessions", "client.terminal.app"),
        _CLIENT_LIBRARIES,
    ),
    "serve": ("start what `manse serve` runs", ("server.serving",), _SERVER_LIBRARIES),
}
NAMES = tuple(_STARTS)


def start_measure(name: str) -> Measure:
    """Return the measure of this name, of `NAMES`."""
    what, modules, libraries = _STARTS[name]
    return Measure(
        name,
        what,
        "import the libraries that it uses",
        work=lambda: _import(modules),
        yardstick=lambda: _import(libraries),
        count=1,
        unit="starts",
    )


def _import(modules: tuple[str, ...]) -> None:
    subprocess.run([sys.executable, "-c", f"import {', '.join(modules)}"], check=True)  # noqa: S603 (our own names)
