"""A coverage-guided fuzzer: inputs that reach new code are kept and mutated further.

Coverage is the set of pairs of consecutively executed lines in the watched files, recorded by
`sys.settrace`. The fuzzer needs only Python; the same seed tries the same inputs on every machine.
"""

import random
import re
import sys
import time
from collections.abc import Callable, Hashable, Iterable, Sequence
from types import CodeType, FrameType
from typing import Any, Final

import attrs

from protocol.errors import ProtocolError
from tests.kit.mutating import mutated

Target = Callable[[bytes], str]
"""Parses an input and names its kind in a word. Raises ProtocolError to refuse it."""

MAX_INPUT: Final = 4096
"""Maximum length of an input in bytes; longer ones are cut."""

_PARTICULARS: Final = re.compile(r"[0-9]+|[\"'].*", re.DOTALL)
"""The parts of an error that vary with the input: numbers and quoted text."""


@attrs.frozen
class Finding:
    """An input that raised an unexpected error."""

    data: bytes
    error: Exception


@attrs.frozen
class Report:
    """The result of a run of the fuzzer."""

    runs: int
    kept: tuple[bytes, ...]
    """Inputs that each reached something new, those of the corpus first."""
    reached: int
    """Number of line pairs and outcomes that were reached."""
    findings: tuple[Finding, ...]


@attrs.define
class Coverage:
    """Records which line followed which in the watched files."""

    folders: tuple[str, ...]
    """Path prefixes of the watched files."""
    seen: set[Hashable] = attrs.field(factory=set)
    _is_watched: dict[CodeType, bool] = attrs.field(factory=dict, repr=False)

    def is_new(self, target: Target, data: bytes) -> bool:
        """Run a target.

        Returns True if a line followed another for the first time. Raises the target's errors.
        """
        steps: set[Hashable] = set()
        before = sys.gettrace()
        sys.settrace(self._tracer(steps))
        try:
            steps.add(outcome_of(target, data))
        finally:
            sys.settrace(before)
            is_new = not steps <= self.seen
            self.seen |= steps
        return is_new

    def _tracer(self, steps: set[Hashable]) -> Callable[[FrameType, str, Any], Any]:
        def called(frame: FrameType, _event: str, _argument: Any) -> Any:
            code = frame.f_code
            watched = self._is_watched.get(code)
            if watched is None:
                watched = code.co_filename.startswith(self.folders)
                self._is_watched[code] = watched
            if not watched:
                return None
            last = 0

            def stepped(frame: FrameType, event: str, _argument: Any) -> Any:
                nonlocal last
                if event == "line":
                    steps.add((code, last, frame.f_lineno))
                    last = frame.f_lineno
                return stepped

            return stepped

        return called


def outcome_of(target: Target, data: bytes) -> str:
    """Return a target's result or refusal of an input, with numbers and names removed."""
    try:
        return target(data)
    except ProtocolError as error:
        return f"{error.code}: {_PARTICULARS.sub('', str(error))[:60]}"


def fuzz(
    target: Target,
    corpus: Sequence[bytes],
    coverage: Coverage,
    *,
    seed: int,
    runs: int | None = None,
    cpu_seconds: float | None = None,
    is_guided: bool = True,
) -> Report:
    """Mutate the corpus and the inputs added to it, until runs or CPU time are used up.

    Args:
        target: function under test.
        corpus: first inputs, at least one.
        coverage: recorder of the watched files; knows what was reached before.
        seed: seed of the mutations.
        runs: number of inputs tried beyond the corpus.
        cpu_seconds: budget of CPU time.
        is_guided: whether inputs that reach new code are mutated further.
    """
    dice = random.Random(seed)
    kept, findings = list[bytes](), list[Finding]()

    def tried(data: bytes) -> bool:
        try:
            return coverage.is_new(target, data)
        except Exception as error:  # noqa: BLE001 (that is what is looked for)
            findings.append(Finding(data, error))
            return False

    for data in corpus:
        if tried(data) or not is_guided:
            kept.append(data)
    kept = kept or list(corpus)
    count = 0
    for data in _inputs(kept, dice, runs, cpu_seconds):
        count += 1
        if tried(data) and is_guided:
            kept.append(data)
    return Report(count, tuple(kept), len(coverage.seen), _different(findings))


def _inputs(
    kept: list[bytes], dice: random.Random, runs: int | None, cpu_seconds: float | None
) -> Iterable[bytes]:
    """Yield mutations of kept inputs, which may grow meanwhile.

    Half of the parents are among the latest eight.
    """
    began, count = time.process_time(), 0
    while runs is None or count < runs:
        if cpu_seconds is not None and time.process_time() - began >= cpu_seconds:
            return
        count += 1
        parent = dice.choice(kept[-8:] if dice.randrange(2) else kept)
        if dice.randrange(8) == 0:
            parent = _crossed(parent, dice.choice(kept), dice)
        mutate = dice.choice([mutated, _one_byte_set])
        yield mutate(parent, dice)[:MAX_INPUT]


def _one_byte_set(data: bytes, dice: random.Random) -> bytes:
    """Set one random byte, and keep all bytes before it: they lead to the same code again."""
    at = dice.randrange(len(data) + 1)
    return data[:at] + dice.randbytes(1) + data[at + 1 :]


def _crossed(one: bytes, other: bytes, dice: random.Random) -> bytes:
    return one[: dice.randrange(len(one) + 1)] + other[dice.randrange(len(other) + 1) :]


def _different(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the shortest input for each pair of error and place that raised it."""
    found: dict[Hashable, Finding] = {}
    for finding in sorted(findings, key=lambda one: len(one.data)):
        found.setdefault(_place(finding.error), finding)
    return tuple(found.values())


def _place(error: Exception) -> Hashable:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return (type(error), trace and (trace.tb_frame.f_code.co_filename, trace.tb_lineno))
