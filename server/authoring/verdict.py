"""The result of a script as lines for people, and as JSON."""

from collections.abc import Iterator
from typing import Any

import attrs

from server.authoring.scripted import Result


def lines(result: Result, *, is_whole: bool = False) -> Iterator[str]:
    """
    Yield the result of a script as lines.

    Args:
        result: the result of one script.
        is_whole: True to include every question with its answer.
    """
    script = result.script
    if is_whole:
        for asked in result.asked:
            yield f"seat {asked.seat + 1}: {asked.prompt}"
            picked = " and ".join(asked.picked) or "nothing"
            yield f"  {'chosen' if asked.is_scripted else 'not in the script'}: {picked}"
            yield from (f"    {choice}" for choice in asked.offered)
    verdict = "failed" if result.faults else "passed"
    yield f"{script.file}:{script.line}:1: {script.id}: {verdict}"
    for fault in result.faults:
        yield f"  {fault}"
    if result.at is not None:
        yield f"  offered in its place, to seat {result.at.seat + 1}: {result.at.prompt}"
        yield from (f"    {choice}" for choice in result.at.offered)
        yield from (f"    refused: {refusal}" for refusal in result.at.refused)


def as_json(result: Result) -> dict[str, Any]:
    """Return the result as a JSON object."""
    script, at = result.script, result.at
    return {
        "id": script.id,
        "file": script.file,
        "line": script.line,
        "passed": not result.faults,
        "faults": list(result.faults),
        "at": at and {**attrs.asdict(at), "seat": at.seat + 1},
        "answers": len(result.asked),
    }
