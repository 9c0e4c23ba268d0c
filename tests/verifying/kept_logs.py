"""Kept logs in `kept/`, which are never made again."""

import lzma
from pathlib import Path

from protocol.archive import load
from protocol.common.table import Stage
from protocol.validity import judge
from tests.verifying.logs import types, verifier

_KEPT = Path(__file__).parent / "kept"


def kept(name: str) -> bytes:
    """Return the file of a game."""
    return lzma.decompress((_KEPT / f"{name}.manse.xz").read_bytes())


def accept(name: str) -> None:
    """Check that both verifiers accept a game."""
    assert judge(load(kept(name))).room.stage is Stage.OVER
    verifier().verify(kept(name), types())
