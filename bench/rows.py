"""A row of the results: our figure, and the figure of the plain libraries."""

import importlib.metadata
import json
import platform
from typing import Final

import apsw
import attrs

LIBRARIES: Final = (
    *("apsw", "attrs", "cryptography", "msgpack", "prompt-toolkit", "pyopenssl", "twisted"),
)


@attrs.frozen
class Row:
    """A figure of ours, and one for comparison."""

    name: str
    ours: float
    unit: str
    what: str
    """A short description."""
    beside: float | None = None
    """
    The figure of plain Twisted, SQLite, msgpack or prompt-toolkit, never of our own code; None if
    there is nothing to compare with.
    """
    beside_what: str = ""

    @property
    def ratio(self) -> float | None:
        """Our figure divided by `beside`; None if there is no comparison."""
        return None if not self.beside else self.ours / self.beside

    def as_json(self) -> str:
        ratio = self.ratio
        told = {
            "name": self.name,
            "ours": _rounded(self.ours),
            "beside": None if self.beside is None else _rounded(self.beside),
            "ratio": None if ratio is None else _rounded(ratio),
            "unit": self.unit,
            "what": self.what,
            "beside_what": self.beside_what,
        }
        return json.dumps(told | surroundings())

    def as_line(self) -> str:
        what = self.what + (f" / {self.beside_what}" if self.beside_what else "")
        shown = (_shown(number) for number in (self.ours, self.beside, self.ratio))
        ours, beside, ratio = shown
        return f"{self.name:<24} {ours:>10} {self.unit:<6} {beside:>10} {ratio:>8}  {what}"


HEAD: Final = f"{'':<24} {'ours':>10} {'':<6} {'beside':>10} {'ratio':>8}"


def surroundings() -> dict[str, object]:
    """Return the machine and the versions of Python, SQLite and the libraries."""
    versions = {name: importlib.metadata.version(name) for name in LIBRARIES}
    return {
        "machine": f"{platform.machine()}, {platform.system()} {platform.release()}",
        "versions": {
            "python": platform.python_version(),
            "sqlite": apsw.sqlite_lib_version(),
            **versions,
        },
    }


def _rounded(number: float) -> float:
    return float(f"{number:.4g}") if abs(number) < 1000 else round(number, 1)


def _shown(number: float | None) -> str:
    if number is None:
        return ""
    return f"{number:,.0f}" if abs(number) >= 1000 else f"{number:.3g}"
