"""Verdicts of three readers of a file: both verifiers, and one that knows only `types.json`."""

import contextlib
import random
from collections.abc import Iterator, Mapping

from protocol.archive import BadArchive, load_for_audit
from protocol.audit import audit
from protocol.validity import judge
from tests.protocol.readers.outsider import Wrong, decode, frames, need
from tests.protocol.readers.typed import Types
from tests.verifying.files import taken_apart
from tests.verifying.logs import types, verifier
from tests.verifying.rules.forging import RULES, Forgery, NothingToForge, Rule
from tests.verifying.rules.pools import pool

VALID = "valid"
Verdict = str | int | None
"""Place of a fault: a record, None for the file itself, or nowhere."""

ROUNDS = 3
"""Number of tries to forge each file, since places in it are random."""


def ours(data: bytes, step: int = 4) -> tuple[Verdict, str]:
    """Return the verdict of `manse verify`, up to a step of section 14, and its reason."""
    try:
        archive = load_for_audit(data)
        if step > 3:
            audit(archive)
        elif step > 1:
            judge(archive)
    except BadArchive as wrong:
        return wrong.sequence, wrong.reason
    return VALID, ""


def theirs(data: bytes) -> tuple[Verdict, str]:
    """Return the verdict of `verify.py`, which knows steps 1 and 2, and its reason."""
    module = verifier()
    try:
        module.verify(data, types())
    except module.Wrong as wrong:
        reason, sequence = wrong.args
        return sequence, reason
    return VALID, ""


def third(data: bytes) -> tuple[Verdict, str]:
    """Return what `types.json` alone says of the shapes in a file, with the reason."""
    reader, at = Types(types()), None
    try:
        parts = _up_to_the_seal(data)
        header = decode(parts[0][4:])
        reader.check({"is": "class", "name": "Header"}, header)
        for at in range(header[-1]):
            need(at + 1 < len(parts), "no line")
            line = decode(parts[at + 1][4:])
            reader.check({"is": "class", "name": "Line"}, line)
            reader.record(line[0], {slot: value for slot, (_salt, value) in line[1]})
        at = None
        for words in parts[header[-1] + 1 : -1]:
            reader.check({"is": "class", "name": "WordsOf"}, decode(words[4:]))
    except (Wrong, ValueError) as wrong:
        return at, str(wrong)
    return VALID, ""


def _up_to_the_seal(data: bytes) -> list[bytes]:
    """Return the frames up to the seal, or up to the end of a truncated file."""
    found = []
    with contextlib.suppress(Wrong):
        for frame in frames(data):
            found.append(frame)
            if frame[4:10] == b"\x92\xa4seal":
                break
    return found


def forged(rule: Rule, number: int) -> tuple[bytes, int | None]:
    """Return a file that breaks a rule, and the record to be named. Raises NothingToForge."""
    rng = random.Random(f"{rule.name} {number}")
    files = [data for name in rule.pools for data in pool(name)]
    for data in rng.sample(files * ROUNDS, len(files) * ROUNDS):
        file = taken_apart(data)
        forgery = Forgery(rng, file)
        try:
            place = rule.forge(forgery)
        except NothingToForge:
            continue
        return forgery.result(), place
    raise NothingToForge(rule.name)


def complaints(rule: Rule, number: int) -> Iterator[str]:
    """Yield the mistakes of the three readers about one forgery."""
    data, place = forged(rule, number)
    what = f"{rule.name!r} {number}, to be named at {place}"
    mine, why = ours(data)
    if mine != place:
        yield f"{what}: ours {mine} ({why})"
    other, said = theirs(data)
    if other != (place if rule.step < 3 else VALID):
        yield f"{what}: verify.py {other} ({said}); ours {mine} ({why})"
    if rule.step == 4 and number and ours(data, step=3)[0] != VALID:
        yield f"{what}: it breaks a rule of another step: {ours(data, step=3)}"
    if rule.step > 1 and number % 4:
        # Its shapes are right, so the third reader has little to find.
        return
    shape, reason = third(data)
    if shape != (place if rule.is_shape else VALID):
        yield f"{what}: by types.json {shape} ({reason}); ours {mine} ({why})"


def all_complaints(first: int, count: int, rules: Mapping[str, Rule] = RULES) -> list[str]:
    """Return the readers' mistakes about `count` forgeries, which follow from their numbers."""
    names = list(rules)
    found: list[str] = []
    for number in range(first, first + count):
        found += complaints(rules[names[number % len(names)]], number // len(names))
    return found
