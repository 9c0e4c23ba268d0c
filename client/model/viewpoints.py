"""
Viewpoints of a replay: one seat, the whole table, or everything including all secrets.

At each moment, a seat's viewpoint shows what the server had shown to the person who owned the seat
at that moment. Secrets that were shown to an earlier owner stay sealed.
"""

from collections.abc import Iterator, Sequence

import attrs

from client.model.tables import disclosures_in
from protocol.archive import Archive, BadArchive
from protocol.common.table import Table, fold
from protocol.event import Cut, Record, read
from protocol.event_contents import secrets_of


@attrs.frozen
class Viewpoint:
    """A viewpoint: the knowledge with which a replay shows the game."""

    seat: int | None = None
    """The seat; None for everything (`is_all`), or for what everybody at the table was shown."""
    is_all: bool = False
    """True if the replay shows every secret that the file can open."""


EVERYTHING = Viewpoint(is_all=True)
TABLE = Viewpoint()


@attrs.frozen
class Seen:
    """The records and tables of a game as one viewpoint sees them."""

    records: tuple[Record, ...]
    tables: tuple[Table, ...] = attrs.field(repr=False)
    """The table before the first record, and after each record."""


@attrs.frozen
class Reveal:
    """The opening of a secret to everybody."""

    seats: tuple[int, ...]
    """The seats that knew the secret before."""
    sequence: int
    """The sequence of the record that contains the secret."""


def viewpoints_of(archive: Archive) -> tuple[Viewpoint, ...]:
    """Return the viewpoints that a file allows. The viewpoint that shows most comes first."""
    header = archive.header
    # A cut holds the openings of one seat only.
    if not header.is_whole:
        return (Viewpoint(header.seat), TABLE) if header.seat >= 0 else (TABLE,)
    room = folded(archive.records)[-1].room
    return (EVERYTHING, *map(Viewpoint, sorted(room.seats)), TABLE)


def seen_from(archive: Archive, viewpoint: Viewpoint) -> Seen:
    header, records = archive.header, archive.records
    # The file of one seat has no other openings, so nothing has to be sealed.
    if viewpoint.is_all or (not header.is_whole and viewpoint.seat == header.seat):
        return Seen(records, folded(records))
    shut = tuple(_shown(header.room_id, cut, record, None) for cut, record in _both(archive))
    if viewpoint.seat is None:
        return Seen(shut, folded(shut))
    seat = viewpoint.seat
    open_to = tuple(_shown(header.room_id, cut, record, seat) for cut, record in _both(archive))
    tables = folded(records)
    found: list[Table] = []
    known: tuple[Table, ...] = ()
    since = -1
    for at, table in enumerate(tables):
        owner = table.room.seats.get(seat)
        now = 0 if owner is None else owner.since
        if now != since:
            # The new owner does not learn earlier secrets.
            since = now
            # From the first record: closed secrets before the change of owner, open ones after it.
            known = folded((*shut[:since], *open_to[since:]))
        found.append(known[at])
    return Seen(open_to, tuple(found))


def _both(archive: Archive) -> Iterator[tuple[Cut, Record]]:
    return zip(archive.cuts, archive.records, strict=True)


def _shown(room_id: str, cut: Cut, record: Record, seat: int | None) -> Record:
    """Return a record in which the secrets that a seat knows are open; none if `seat` is None."""
    audiences = [sealed.audience for sealed in secrets_of(record.event)]
    if not audiences:
        return record
    openings = tuple((slot, one) for slot, one in cut.openings if seat in audiences[slot])
    return read(room_id, Cut(cut.public, openings))


def folded(records: Sequence[Record]) -> tuple[Table, ...]:
    """
    Return the table before the first record and after each record; tables share their parts.

    BadArchive: a record does not fit the table before it. Of files that are read, some are forged.
    """
    tables = [Table()]
    for record in records:
        try:
            tables.append(fold(tables[-1], record))
        except (AssertionError, AttributeError, LookupError, StopIteration, TypeError) as error:
            raise BadArchive(repr(error), record.sequence, "impossible") from error
    return tuple(tables)


def reveals_in(record: Record, records: Sequence[Record]) -> tuple[Reveal, ...]:
    """
    Return the secrets that a record opens to everybody, with the seats that knew them before.

    Args:
        record: the record.
        records: all records of the game, because earlier records contain the secrets.
    """
    found = []
    for opened in disclosures_in(record.event):
        secrets = tuple(secrets_of(records[opened.sequence].event))
        found.append(Reveal(secrets[opened.slot].audience, opened.sequence))
    return tuple(found)
