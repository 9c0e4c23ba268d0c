"""
What is told of an exception: its kind and the places in the program, for whoever mends it.

A line holds names of modules, functions and types, and numbers of lines. It holds no value of
anything: the text of an exception, or a local, may name a hidden card or what somebody typed.
"""

import errno
import traceback
from collections.abc import Iterator
from types import FrameType, TracebackType

MAX_FRAMES = 100
"""Of one traceback; of a longer one the middle is left out."""
MAX_CHAIN = 8
"""Exceptions that led to one another, of which the first so many are told."""


def fault_lines(error: BaseException, trace: TracebackType | None) -> Iterator[str]:
    """
    Yield what an exception and those that it followed from are, and where they were raised.

    Args:
        error: the latest.
        trace: its traceback, which somebody who caught it may have taken away.
    """
    for at, one in enumerate(_chain(error)):
        if at > 0:
            yield ""
        yield ("" if at == 0 else "which followed from ") + _name(one)
        yield from _frames(trace if at == 0 else one.__traceback__)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an exception and those that it followed from, the latest first."""
    one: BaseException | None = error
    for _ in range(MAX_CHAIN):
        if one is None:
            return
        yield one
        one = one.__cause__ or (None if one.__suppress_context__ else one.__context__)


def _name(error: BaseException) -> str:
    """Return what kind of exception it is. Its text may hold anything, so it is left out."""
    name = f"{type(error).__module__}.{type(error).__qualname__}"
    code = errno.errorcode.get(error.errno or 0, "") if isinstance(error, OSError) else ""
    return f"{name} {code}".strip()


def _frames(trace: TracebackType | None) -> Iterator[str]:
    """Yield where it was raised: modules, not files, whose path may name a person."""
    lines = [
        f"  {_module(frame)}:{number} in {frame.f_code.co_name}"
        for frame, number in traceback.walk_tb(trace)
    ]
    half = MAX_FRAMES // 2
    if len(lines) > MAX_FRAMES:
        lines = [*lines[:half], f"  … {len(lines) - MAX_FRAMES} more …", *lines[-half:]]
    yield from lines


def _module(frame: FrameType) -> str:
    """Return the name of a module; of a frame that Twisted kept as text, that of its file."""
    file = frame.f_code.co_filename.replace("\\", "/").rpartition("/")[2]
    return frame.f_globals.get("__name__") or file.removesuffix(".py")
