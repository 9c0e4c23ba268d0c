"""
Fault reports: the type of an exception and its stack trace, without any values.

Lines have names of modules, functions and types, and line numbers. The message of an exception and
local variables are left out: they may name a hidden card, or text that somebody typed.
"""

import errno
import traceback
from collections.abc import Iterator
from types import FrameType, TracebackType

MAX_FRAMES = 100
"""Maximum number of frames of one traceback; the middle of a longer traceback is left out."""
MAX_CHAIN = 8
"""Maximum number of exceptions in a chain of causes, the latest first."""


def fault_lines(error: BaseException, trace: TracebackType | None) -> Iterator[str]:
    """
    Yield the types and stack traces of an exception and its causes.

    Args:
        error: the exception.
        trace: its traceback, given apart because the catcher may have removed it.
    """
    for at, one in enumerate(_chain(error)):
        if at > 0:
            yield ""
        # The message of an OSError names a path; its number names nobody.
        code = errno.errorcode.get(one.errno or 0, "") if isinstance(one, OSError) else ""
        told = f"{type(one).__module__}.{type(one).__qualname__} {code}".strip()
        yield told if at == 0 else f"which followed from {told}"
        yield from _frames(trace if at == 0 else one.__traceback__)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an exception and its causes, the latest first."""
    one: BaseException | None = error
    for _ in range(MAX_CHAIN):
        if one is None:
            return
        yield one
        one = one.__cause__ or (None if one.__suppress_context__ else one.__context__)


def _frames(trace: TracebackType | None) -> Iterator[str]:
    """Yield the lines of a stack trace, with modules instead of paths, which may name a person."""
    lines = [
        f"  {_module(frame)}:{number} in {frame.f_code.co_name}"
        for frame, number in traceback.walk_tb(trace)
    ]
    # The two ends of a runaway recursion say more than its middle.
    half = MAX_FRAMES // 2
    if len(lines) > MAX_FRAMES:
        lines = [*lines[:half], f"  … {len(lines) - MAX_FRAMES} more …", *lines[-half:]]
    yield from lines


def _module(frame: FrameType) -> str:
    """Return the module of a frame; for a frame that Twisted kept as text, the name of its file."""
    file = frame.f_code.co_filename.replace("\\", "/").rpartition("/")[2]
    return frame.f_globals.get("__name__") or file.removesuffix(".py")
