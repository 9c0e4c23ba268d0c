"""Kinds of event for tests of the event layer, one for each way to keep a secret."""

from collections.abc import Mapping

import attrs

from protocol.event import EACH, NOBODY, TABLE, Event, Sealed, event, secret


@event("test/told")
class Told(Event):
    """A secret for the seat in a public field, and one for the seats of a character."""

    seat: int
    piece: str
    private: Sealed[str] = secret(to="seat")
    shared: Sealed[tuple[str, ...]] = secret(to="piece")
    nobodys: Sealed[int] = secret(to=NOBODY)
    tables: Sealed[str] = secret(to=TABLE)


@event("test/dealt")
class Dealt(Event):
    """A secret for each seat, between two public fields."""

    before: int
    hands: Mapping[int, Sealed[str]] = secret(to=EACH)
    after: str = ""


@event("test/split")
class Split(Event):
    """A secret for each seat, and one for nobody."""

    hands: Mapping[int, Sealed[str]] = secret(to=EACH)
    rest: Sealed[str] = secret(to=NOBODY)


@event("test/shared")
class Shared(Event):
    """A secret for several seats."""

    seats: tuple[int, ...]
    word: Sealed[str] = secret(to="seats")


@event("test/moved/2")
class Moved(Event):
    """A kind whose first version lacked one field and had a shorter name for another."""

    who: str
    to: str
    steps: int = attrs.field(default=1, validator=attrs.validators.ge(0))


@attrs.frozen
class Party:
    """Four test seats, of which 1 and 3 play the character `ann`."""

    def all_seats(self) -> tuple[int, ...]:
        return (0, 1, 2, 3)

    def seats_of(self, knower: str) -> tuple[int, ...]:
        """Return the seats of a piece."""
        return {"ann": (1, 3)}[knower]
