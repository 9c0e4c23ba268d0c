"""Mutations: small changes of a file, in its bytes or values; most are sealed again."""

import random
from collections.abc import Callable
from typing import Any

from protocol import codec
from tests.verifying.files import File, Line, Plain, listed, taken_apart, tupled

Mutation = Callable[[random.Random, File], None]


def mutated(rng: random.Random, data: bytes) -> bytes:
    """Return a file with one change; most are chained and signed again."""
    if rng.random() < 0.1:
        return _other_bytes(rng, data)
    file = taken_apart(data)
    rng.choice(MUTATIONS)(rng, file)
    if rng.random() < 0.3:
        file.committed_anew()
    return file.sealed()


def _other_bytes(rng: random.Random, data: bytes) -> bytes:
    at = rng.randrange(len(data))
    how = rng.randrange(3)
    if how == 0:
        return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
    return data[:at] if how == 1 else data[:at] + rng.randbytes(1) + data[at:]


def _line(rng: random.Random, file: File) -> Line:
    return rng.choice(file.lines)


def _in_public(rng: random.Random, file: File) -> None:
    """Change one value somewhere in a record's public parts."""
    line = _line(rng, file)
    line.public = _changed(rng, line.public)


def _in_head(rng: random.Random, file: File) -> None:
    """Change sequence, time, origin or tag of a record."""
    line, part = _line(rng, file), rng.randrange(4)
    if part == 3:
        line.public[3] = rng.choice(file.lines).tag
    else:
        line.public[part] = rng.choice([-3, -2, -1, 0, 1, line.public[part] + 1, 1 << 53, 1 << 60])


def _in_fields(rng: random.Random, file: File) -> None:
    line = _line(rng, file)
    line.public[4] = _changed(rng, line.public[4])


def _in_opened(rng: random.Random, file: File) -> None:
    """Change the value of a secret, and commit to the new value."""
    lines = [line for line in file.lines if line.openings]
    if lines:
        opening = rng.choice(rng.choice(lines).openings)
        value = _changed(rng, listed(codec.unpack(opening[1][1])))
        opening[1][1] = codec.pack(tupled(value))
        file.committed_anew()


def _openings(rng: random.Random, file: File) -> None:
    """Leave out, repeat, exchange or move openings of a record."""
    lines = [line for line in file.lines if line.openings]
    if not lines:
        return
    line = rng.choice(lines)
    how, at = rng.randrange(5), rng.randrange(len(line.openings))
    if how == 0:
        del line.openings[at]
    elif how == 1:
        line.openings.append(line.openings[at])
    elif how == 2:
        line.openings.reverse()
    elif how == 3:
        line.openings[at] = [line.openings[at][0] + rng.choice([-1, 1, 300]), line.openings[at][1]]
    else:
        salt = line.openings[at][1][0]
        line.openings[at] = [line.openings[at][0], [salt[:-1], line.openings[at][1][1]]]


def _audiences(rng: random.Random, file: File) -> None:
    """Change who may know a secret, or a commitment."""
    lines = [line for line in file.lines if line.public[5]]
    secret = rng.choice(rng.choice(lines).public[5])
    if rng.random() < 0.8:
        secret[0] = rng.choice([[], [0], [1], [0, 1], [1, 0], [0, 0], [*secret[0], 2], [-1]])
    else:
        secret[1] = rng.choice([b"", rng.randbytes(32), secret[1] + b"\0"])


def _records(rng: random.Random, file: File) -> None:
    """Leave out, repeat or exchange records, or end early."""
    at, how = rng.randrange(len(file.lines)), rng.randrange(4)
    if how == 0:
        del file.lines[at]
    elif how == 1:
        line = file.lines[at]
        file.lines.insert(at, Line([*line.public], line.openings))
    elif how == 2:
        other = rng.randrange(len(file.lines))
        file.lines[at], file.lines[other] = file.lines[other], file.lines[at]
    else:
        del file.lines[at:]
    if rng.random() < 0.8:
        file.renumbered().committed_anew()


def _header(rng: random.Random, file: File) -> None:
    at = rng.choice([1, 2, 3, 4, 5])
    file.header[at] = rng.choice([file.header[at], "room", True, False, -2, -1, 0, 1, 50, 1 << 60])


MUTATIONS: tuple[Mutation, ...] = (
    *(_in_public, _in_head, _in_fields, _in_fields, _in_fields, _in_opened, _openings),
    *(_audiences, _records, _records, _header),
)


def _changed(rng: random.Random, plain: Plain) -> Plain:
    """Return a value with one change somewhere in it."""
    if isinstance(plain, list) and plain and rng.random() < 0.85:
        at = rng.randrange(len(plain))
        return [*plain[:at], _changed(rng, plain[at]), *plain[at + 1 :]]
    return _another(rng, plain)


def _another(rng: random.Random, plain: Plain) -> Plain:
    choices: list[Any] = [None, 0, "", b"", []]
    if isinstance(plain, bool):
        choices = [not plain] * 4 + [int(plain)]
    elif isinstance(plain, int):
        choices = [
            plain + 1,
            plain - 1,
            -plain,
            0,
            1,
            1 << 32,
            1 << 53,
            (1 << 53) + 1,
            True,
            str(plain),
        ]
    elif isinstance(plain, str):
        choices = [plain + "x", plain[:-1], "", plain * 50, "lot", "take_back", plain.encode()]
    elif isinstance(plain, bytes):
        choices = [plain + b"\0", plain[:-1], plain[::-1], b"", rng.randbytes(len(plain)), "text"]
    elif isinstance(plain, list):
        choices = [plain + plain[-1:], plain[:-1], plain[::-1], [*plain, 0], [], None]
    return rng.choice(choices)
