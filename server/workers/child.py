"""
The program of a worker process: keeps copies of rooms, and works out what follows from inputs.

It reads and writes pipes alone: no store, no network, no clock. What it writes is only a proposal.
Its copy goes on as if that were made durable; where it was not, the next input has another head,
and the copy is made anew. The process ends when the server does, by the end of its pipe.
"""

import gc
import os
import select
import signal
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from protocol.fault_report import fault_lines
from server.kernel import snapshot
from server.kernel.chance import Entropy, seeded
from server.kernel.errors import RecordNeeded, Refused, RuleFailed
from server.kernel.rest_point import Folding, RestPoint
from server.kernel.room import Room
from server.kernel.steps import Steps
from server.lobby.rooms.snapshots import code_of
from server.packs.compiled import unpickled
from server.packs.shelf import PackShelf
from server.system.entropy import SystemEntropy
from server.system.garbage import THRESHOLDS, freeze
from server.workers import messages as say

_IDLE_SECONDS: Final = 5.0
"""After so long without a message all garbage is collected, once."""
_BYTES_AT_ONCE: Final = 1 << 16


class Copies:
    """The copies of rooms that one worker keeps."""

    def __init__(self, entropy: Entropy) -> None:
        """Keep none; what is new and secret in a record is drawn from this entropy."""
        self._shelf = PackShelf()
        self._entropy = entropy
        self._rooms: dict[str, Room] = {}
        self._faults: dict[str, str] = {}
        """By room of which there should be a copy, why there is none."""
        self._saving: deque[Steps[say.FromWorker]] = deque()

    def answer(self, told: say.ToWorker) -> say.FromWorker | None:
        """Do what a message says; return what is said to it, if anything is said at once."""
        match told:
            case say.Input():
                return self._follow(told)
            case say.Save():
                return self._save(told)
            case say.Copy():
                self._keep(told)
            case say.Drop(room_id):
                self._drop(room_id)
            case say.Pack(body):
                self._add(body)
            case say.Loaded():
                freeze()
                return say.Ready()
        return None

    @property
    def has_more_to_do(self) -> bool:
        """Whether `go_on` would do anything."""
        return bool(self._saving)

    def go_on(self) -> say.FromWorker | None:
        """Do a step of what nobody waits for; return what is to be said once it is done."""
        try:
            next(self._saving[0])
        except StopIteration as end:
            self._saving.popleft()
            saved: say.FromWorker = end.value
            return saved
        return None

    def _add(self, body: bytes) -> None:
        pack = unpickled(body)
        if pack is not None:
            self._shelf.packs[pack.digest] = pack

    def _drop(self, room_id: str) -> None:
        self._rooms.pop(room_id, None)
        self._faults.pop(room_id, None)

    def _keep(self, copy: say.Copy) -> None:
        """Keep a copy in place of an earlier one; none where it cannot be made."""
        self._drop(copy.room_id)
        try:
            room = self._loaded(copy)
        except Exception as error:  # noqa: BLE001 (the server plays that room by itself)
            self._faults[copy.room_id] = "\n".join(fault_lines(error, error.__traceback__))
        else:
            self._rooms[copy.room_id] = room

    def _loaded(self, copy: say.Copy) -> Room:
        room = Room(copy.room_id, self._shelf, self._entropy)
        rest = snapshot.load(copy.rest, copy.room_id, code_of, seeded)
        folding = Folding(rest, room.chances_of)
        folding.add(copy.room_id, copy.tail)
        folding.recalled.update(copy.recalled)
        room.load(folding)
        if room.halted is not None:
            raise room.halted
        return room

    def _follow(self, asked: say.Input) -> say.FromWorker:
        room = self._rooms.get(asked.room_id)
        if room is None or room.head != asked.head:
            return say.Behind(asked.serial, self._faults.get(asked.room_id, ""))
        try:
            batch = room.receive(asked.happened, time=asked.time, origin=asked.origin)
        except (Refused, RuleFailed, RecordNeeded):
            return say.Declined(asked.serial)
        room.commit()
        room.forget()
        return say.Written(asked.serial, batch.stored)

    def _save(self, asked: say.Save) -> say.FromWorker | None:
        room = self._rooms.get(asked.room_id)
        if room is None or room.rest.head != asked.head:
            return say.Declined(asked.serial)
        self._saving.append(_saving(asked.serial, room.rest))
        return None


def _saving(serial: int, rest: RestPoint) -> Steps[say.FromWorker]:
    code = code_of(rest.table.room.ruleset)
    if code is None:
        return say.Declined(serial)
    try:
        return say.Saved(serial, (yield from snapshot.saving(rest, code)))
    except TypeError:
        return say.Declined(serial)


def _chunks(file: int, copies: Copies) -> Iterator[bytes]:
    """Yield what comes through a pipe until it ends; nothing where there is time for other work."""
    while True:
        seconds = 0.0 if copies.has_more_to_do else _IDLE_SECONDS
        if not select.select([file], [], [], seconds)[0]:
            yield b""
            if copies.has_more_to_do or seconds == 0.0:
                continue
            select.select([file], [], [])
        chunk = os.read(file, _BYTES_AT_ONCE)
        if not chunk:
            return
        yield chunk


def _write(file: int, answer: say.FromWorker | None) -> None:
    if answer is None:
        return
    left = memoryview(say.packed(answer))
    while left:
        left = left[os.write(file, left) :]


def _serve(source: int, target: int) -> None:
    """Answer what comes until it ends."""
    copies, inbox = Copies(SystemEntropy()), say.Inbox()
    for chunk in _chunks(source, copies):
        for told in inbox.whole(chunk):
            _write(target, copies.answer(told))
        if copies.has_more_to_do:
            _write(target, copies.go_on())
        elif not chunk:
            gc.collect()


def main() -> int:
    """Answer what comes by standard input, on standard output."""
    # Whoever stops the server by a signal to all of its group stops it alone: it ends us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    target = os.dup(sys.stdout.fileno())
    # What anything prints must not come between the messages.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    gc.set_threshold(*THRESHOLDS)
    # Where the server is gone before it has an answer, nobody is left to tell.
    with suppress(BrokenPipeError):
        _serve(sys.stdin.fileno(), target)
    return 0
