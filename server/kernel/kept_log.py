"""
The part of a log that is in memory: all of it, or what the room may need until a rest point.

The other records are in the store alone. Records are indexed by their sequence in the whole log.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import overload

from protocol.event import Stored
from server.kernel.errors import RecordNeeded


class KeptLog(Sequence[Stored]):
    """A log, indexed by sequence, whose first records may be in the store alone."""

    def __init__(self, records: Iterable[Stored] = (), *, first: int = 0) -> None:
        """Keep the records from sequence `first` up to the end of the log."""
        self.first = first
        """Sequence from which on all records are in memory."""
        self._records = list(records)
        self._recalled: dict[int, Stored] = {}

    def __len__(self) -> int:
        """Return the length of the whole log, records in the store included."""
        return self.first + len(self._records)

    @overload
    def __getitem__(self, at: int) -> Stored: ...
    @overload
    def __getitem__(self, at: slice) -> list[Stored]: ...
    def __getitem__(self, at: int | slice) -> Stored | list[Stored]:
        """
        Return one record or a slice, by sequence.

        Raises:
            RecordNeeded: a record is only in the store.
            IndexError: the log has no record at this sequence.
        """
        length = self.first + len(self._records)
        if isinstance(at, slice):
            sequences = range(*at.indices(length))
            # The usual case, a slice within memory, is one slice of the list.
            if sequences.step == 1 and self.first <= sequences.start <= sequences.stop:
                return self._records[sequences.start - self.first : sequences.stop - self.first]
            return [self[sequence] for sequence in sequences]
        sequence = at + length if at < 0 else at
        if not 0 <= sequence < length:
            raise IndexError(at)
        if sequence >= self.first:
            return self._records[sequence - self.first]
        if sequence not in self._recalled:
            raise RecordNeeded(sequence)
        return self._recalled[sequence]

    def __reversed__(self) -> Iterator[Stored]:
        """Yield the records in memory, latest first."""
        return reversed(self._records)

    def extend(self, records: Iterable[Stored]) -> None:
        self._records.extend(records)

    def cut_off(self, end: int) -> list[Stored]:
        """Remove and return the records from this sequence on."""
        gone = self._records[end - self.first :]
        del self._records[end - self.first :]
        return gone

    def recall(self, records: Mapping[int, Stored]) -> None:
        """Keep records of the store in memory until `forget` drops them."""
        self._recalled.update(records)

    def forget(self, first: int, *, but: Iterable[int] = ()) -> None:
        """Drop the records before `first` from memory, except those at the sequences in `but`."""
        if first <= self.first:
            return
        kept = {}
        for sequence in but:
            if self.first <= sequence < first:
                kept[sequence] = self[sequence]
            elif sequence in self._recalled:
                kept[sequence] = self._recalled[sequence]
        # Records that were recalled for one input go, too; another input recalls them again.
        self._recalled = kept
        del self._records[: first - self.first]
        self.first = first
