"""A disk in memory that treats unsynced writes as real disks do when the power goes.

A `Disk` holds each file twice: `seen` is what every reader gets while the power is on (the
operating system's cache), `kept` is what has reached the platter. A write changes `seen` and is
remembered as pending; a sync moves what is pending to `kept`. When the power is cut, each small
piece of a file goes back to some state that it had since the last sync, independently of its
neighbours: so writes are forgotten, reordered and torn. The length of a file goes back in the same
way. A new name becomes durable by the first sync after it; a removal may be undone.

On a *torn* disk a small piece that was being written when the power went may hold anything.

A *failed* sync is crueller than a cut, as on Linux: some of what was pending reaches the platter,
and the rest is never written, yet stays readable until the power goes.

Everything random comes from one seeded generator.
"""

from __future__ import annotations

from collections import defaultdict
from random import Random

from attrs import define, field, frozen

_SECTOR = 512
"""Bytes that a disk writes at once."""


@frozen
class Written:
    """A write that has not been synced."""

    offset: int
    data: bytes

    @property
    def end(self) -> int:
        """Offset behind the last byte."""
        return self.offset + len(self.data)


@frozen
class Truncated:
    """A change of length that has not been synced."""

    size: int


Pending = Written | Truncated


@define(eq=False)
class DiskFile:
    """One file: the cached content, the durable content, and the pending changes."""

    seen: bytearray = field(factory=bytearray)
    kept: bytearray = field(factory=bytearray)
    pending: list[Pending] = field(factory=list)

    def write(self, data: bytes, offset: int) -> None:
        """Write to the cache."""
        change = Written(offset, data)
        _apply(self.seen, change)
        self.pending.append(change)

    def truncate(self, size: int) -> None:
        """Shorten the file in the cache."""
        change = Truncated(size)
        _apply(self.seen, change)
        self.pending.append(change)

    def sync(self) -> None:
        """Make all pending changes durable."""
        for change in self.pending:
            _apply(self.kept, change)
        self.pending.clear()

    def tear(self, random: Random) -> None:
        """Put random bytes into some of the sectors that were being written."""
        for change in self.pending:
            if not isinstance(change, Written) or change.end > len(self.kept):
                continue
            if random.random() < 0.2:
                first = random.randrange(change.offset, change.end) // _SECTOR * _SECTOR
                start, end = max(first, change.offset), min(first + _SECTOR, change.end)
                self.kept[start:end] = random.randbytes(end - start)

    def lose(self, random: Random) -> None:
        """Make a random part of the pending changes durable, and drop the rest."""
        mood = random.random()
        if mood < 0.2:
            self.pending.clear()
        elif mood < 0.4:
            self.sync()
        else:
            self.kept = self._mixed(random)
            self.pending.clear()

    def _mixed(self, random: Random) -> bytearray:
        grain = random.choice((64, 512, 4096))
        sizes = [len(self.kept)]
        touched: defaultdict[int, list[Written]] = defaultdict(list)
        for change in self.pending:
            if isinstance(change, Truncated):
                sizes.append(change.size)
                continue
            sizes.append(max(sizes[-1], change.end))
            for piece in range(change.offset // grain, (change.end - 1) // grain + 1):
                touched[piece].append(change)
        result = bytearray(self.kept)
        _apply(result, Truncated(0) if max(sizes) == 0 else Truncated(max(sizes)))
        for piece, changes in sorted(touched.items()):
            low, high = piece * grain, (piece + 1) * grain
            for change in changes[: random.randint(0, len(changes))]:
                start, end = max(low, change.offset), min(high, change.end)
                result[start:end] = change.data[start - change.offset : end - change.offset]
        _apply(result, Truncated(random.choice(sizes)))
        return result


def _apply(content: bytearray, change: Pending) -> None:
    if isinstance(change, Truncated):
        del content[change.size :]
        content.extend(bytes(change.size - len(content)))
        return
    content.extend(bytes(max(0, change.offset - len(content))))
    content[change.offset : change.end] = change.data


@define(eq=False)
class Disk:
    """Files by name, on a machine whose power may go."""

    random: Random
    tearing: Random | None = None
    """
    Random source that decides what is torn when the power goes; None for a disk that tears nothing.
    """
    names: dict[str, DiskFile] = field(factory=dict)
    """Files of the folder, as programs see them."""
    kept_names: dict[str, DiskFile] = field(factory=dict)
    """Files of the folder, as the platter has them."""

    def make(self, name: str) -> DiskFile:
        """Return the file of a name, creating it if there is none."""
        return self.names.setdefault(name, DiskFile())

    def sync(self, file: DiskFile) -> None:
        """Make a file durable, and the names in its folder with it."""
        file.sync()
        self.kept_names = dict(self.names)

    def fail_to_sync(self, file: DiskFile) -> None:
        """Make a random part of a file durable, never the rest, and show no difference."""
        file.lose(self.random)

    def remove(self, name: str, *, sync: bool) -> None:
        """Remove a name, durably if asked to."""
        self.names.pop(name, None)
        if sync:
            self.kept_names = dict(self.names)

    def cut_power(self) -> None:
        """Lose what was not synced, and start again from the platter."""
        for name in sorted({*self.names, *self.kept_names}):
            for file in (self.names.get(name), self.kept_names.get(name)):
                if file is not None:
                    self._lose(file)
            if self.names.get(name) is not self.kept_names.get(name) and self.random.random() < 0.5:
                _set(self.kept_names, name, self.names.get(name))
        self.names = dict(self.kept_names)
        for file in self.names.values():
            file.seen = bytearray(file.kept)

    def _lose(self, file: DiskFile) -> None:
        written = list(file.pending)
        file.lose(self.random)
        if self.tearing is not None:
            file.pending = written
            file.tear(self.tearing)
            file.pending = []


def _set(names: dict[str, DiskFile], name: str, file: DiskFile | None) -> None:
    if file is None:
        names.pop(name, None)
    else:
        names[name] = file
