"""Caches the records of the followed table in a file, and reads them back."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import attrs

from client.cache.table_cache import TableCache
from client.cache.table_file import InUse, Part, TableFile
from client.model.model import ClientModel
from client.model.tables import TableView
from commands.faults import why_refused
from protocol.bounds import WordsBySubject
from protocol.common.text import subjects_in
from protocol.event_contents import shown_strings

RECALLED_AT_ONCE = 200
"""The number of records folded per step between two drawings of the screen: about 20 ms of work."""


@attrs.define(eq=False)
class KeptTable:
    """The cache file of the followed table. Without a cache, all methods do nothing."""

    cache: TableCache | None
    model: ClientModel
    """The client's model. Its message bar says, once, why caching stops."""
    _file: TableFile | None = attrs.field(default=None, init=False)
    _has_failed: bool = attrs.field(default=False, init=False)

    def open(self, server: str, room_id: str, language: str) -> None:
        """
        Switch to the file of a table, if it is not open already; never fail.

        The arguments are those of `TableCache.open`.
        """
        if self._file is not None and self._file.room_id == room_id:
            return
        self.close()
        # After one failure, such as a full disk, do not report another at every record.
        if self.cache is None or self._has_failed:
            return
        try:
            self._file = self.cache.open(server, room_id, language)
        except InUse:
            # Another client of this player has it open, or this platform has no locks.
            return
        except OSError as error:
            self._fail(error)

    def view(self) -> TableView | None:
        """Return a view of the cached table, still without records; None if nothing is cached."""
        if self._file is None or not self._file.following:
            return None
        return TableView(self._file.room_id, self._file.seat)

    @property
    def following(self) -> int:
        """The sequence after the last cached record: the first one to request."""
        return 0 if self._file is None else self._file.following

    def parts(self) -> Iterator[Sequence[Part]]:
        """
        Yield the cached parts in groups, and add their words to those of the model.

        The caller folds one group in one step. Must be called only once after `open`.

        Raises:
            ProtocolError: a part is malformed.
        """
        gathered: list[Part] = []
        for part in self._file.parts() if self._file is not None else ():
            # Words first, because the journal lines of these records need them.
            for language, subjects in part.words:
                self.model.words.add(language, subjects)
            gathered.append(part)
            if sum(len(one.cuts) for one in gathered) >= RECALLED_AT_ONCE:
                yield gathered
                gathered = []
        if gathered:
            yield gathered

    def keep(self, view: TableView, first: int) -> None:
        """Append the records of a view from `first` on; do nothing for a spectator.

        If the file has records of another seat, replace them.
        """
        if self._file is None or view.entered_as is None or self._file.room_id != view.room_id:
            return
        # Records cut for another seat hold other secrets and cannot be continued.
        if self._file.seat not in {view.entered_as, -1}:
            self.forget()
        cuts = view.cuts[first:]
        try:
            strings = (string for one in cuts for string in shown_strings(one))
            by_language: dict[str, WordsBySubject] = defaultdict(tuple)
            for subject in dict.fromkeys(("language", *subjects_in(strings))):
                words = self.model.words.lookup(subject)
                if words:
                    line = (subject, tuple(sorted(words.items())))
                    by_language[self.model.words.language_of(subject)] += (line,)
            self._file.add(view.entered_as, first, cuts, tuple(by_language.items()))
        except OSError as error:
            self._fail(error)

    def forget(self) -> None:
        """Delete all cached records of the table."""
        if self._file is not None:
            try:
                self._file.empty()
            except OSError as error:
                self._fail(error)

    def _fail(self, error: OSError) -> None:
        self.close()
        self._has_failed = True
        say = self.model.locale.say
        self.model.tell(say("table.not_kept", why_refused(error, say)))

    def close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            file.close()
