"""
Coverage-guided search for input that a reader neither takes nor refuses; what `make fuzz` runs.

libFuzzer, by way of atheris, changes inputs and keeps those that reach code which no input had
reached. The first byte of an input picks the reader. An input that makes a reader raise anything
else than a refusal is written to a file beside the working directory, and named.
"""

import argparse
import importlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

MISSING: Final = (
    "atheris is not installed: there are wheels of it for Linux on x86-64 alone, which `make fuzz`"
    " installs there"
)
LONGEST: Final = 65_536
_PLANTED: Final = b"\x4d\x9a\x6e\xd3"


def main(arguments: Sequence[str]) -> int:
    """Search for so many seconds. Returns 0 where nothing was found; 2: it cannot run here."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__.split("\n")[1])
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--plant", action="store_true", help="search for a planted fault instead")
    options = parser.parse_args(arguments)
    try:
        # Only here: it is not on every machine.
        atheris: Any = importlib.import_module("atheris")
    except ImportError:
        sys.stderr.write(f"{MISSING}\n")
        return 2
    with atheris.instrument_imports(include=["protocol"]):
        from tests.protocol.readers import READERS, REFUSALS  # noqa: PLC0415 (instrumented)
    reads = [reader.read for reader in READERS.values()]
    if options.plant:
        reads = [atheris.instrument_func(_planted)]

    def one_input(data: bytes) -> None:
        if data:
            try:
                reads[data[0] % len(reads)](data[1:])
            except REFUSALS:
                return

    with TemporaryDirectory(prefix="manse-fuzz-") as corpus:
        for number, data in enumerate(_beginnings(READERS.values())):
            Path(corpus, str(number)).write_bytes(data)
        limits = (f"-max_total_time={options.seconds}", f"-max_len={LONGEST}", "-timeout=10")
        flags = (*limits, "-print_final_stats=1", "-artifact_prefix=fuzz-", "-seed=1")
        # It ends the process by itself: with status 0 when the time is over.
        atheris.Setup(
            [
                sys.argv[0],
                *flags,
                "-print_final_stats=1",
                "-artifact_prefix=fuzz-",
                "-seed=1",
                corpus,
            ],
            one_input,
        )
        atheris.Fuzz()
    return 0


def _beginnings(readers: Iterable[Any]) -> Iterator[bytes]:
    for at, reader in enumerate(readers):
        for data in reader.begin():
            yield bytes([at]) + data[: LONGEST - 1]


def _planted(data: bytes) -> None:
    """Raise what no reader may, at four bytes that chance finds once in four thousand million."""
    if len(data) > 3 and data[0] == _PLANTED[0]:  # noqa: SIM102 (each step is a branch of its own)
        if data[1] == _PLANTED[1]:  # noqa: SIM102
            if data[2] == _PLANTED[2]:  # noqa: SIM102
                if data[3] == _PLANTED[3]:
                    raise KeyError(data)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
