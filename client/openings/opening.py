"""
The opening of a player's own table: one request after each reply of the server.

The player has a seat of a role; bots of the server have the seats that the smallest game with this
role needs besides.
"""

import functools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import attrs

from client.model.model import ClientModel
from client.model.tables import TableView
from client.net.client_port import ClientPort
from client.openings.wish import NotOffered
from client.text.ascii_fold import folded_words
from protocol.common.table import Stage
from protocol.messages import ScenarioLine


@attrs.define(eq=False)
class Opening:
    """The requests that open a table. A subclass implements `take_steps`."""

    model: ClientModel
    port: ClientPort
    is_over: bool = attrs.field(default=False, init=False)
    """True once the table is ready, or cannot be opened."""
    fault: NotOffered | None = attrs.field(default=None, init=False)
    """The reason why nothing was opened, if the server has nothing that fits."""
    _steps: Iterator[None] | None = attrs.field(default=None, init=False)

    def begin(self) -> None:
        """Send the first request; the others follow when the model changes."""
        self._steps = self.take_steps()
        self.model.on_change.append(self.advance)
        self.advance()

    def advance(self) -> None:
        # Sending changes the model and calls this again: no step may run inside another.
        steps, self._steps = self._steps, None
        if steps is None:
            return
        try:
            next(steps)
        except StopIteration:
            self._end()
        except NotOffered as fault:
            self.fault = fault
            self._end()
        else:
            self._steps = steps

    def _end(self) -> None:
        self.is_over = True
        self.model.on_change.remove(self.advance)

    def take_steps(self) -> Iterator[None]:
        """
        Send requests; yield while waiting for the server.

        Raises:
            NotOffered: the server has nothing that fits.
        """
        raise NotImplementedError

    def listed(self) -> Iterator[None]:
        """Wait for the lists of the player's tables and of the scenarios."""
        while self.model.lobby.tables is None or self.model.lobby.scenarios is None:
            yield

    def seated(self) -> Iterator[None]:
        """
        Wait until the table that was asked for is complete.

        Without a seat there afterwards the request was refused; the message bar says why.
        """
        while self.model.sent or (self.model.view is not None and not self._is_complete):
            yield

    @property
    def _is_complete(self) -> bool:
        view = self.model.view
        return view is not None and bool(view.my_seat) and not self.model.is_catching_up

    def role_meant(self, typed: str, lines: Sequence[ScenarioLine]) -> str:
        """Return the role of some scenarios that has this id, or this name; else what was typed."""
        known, wanted = roles(lines), folded_words(typed)
        named = {folded_words(self.model.speaker.name("role", one)): one for one in known}
        return typed if typed in known else named.get(wanted, typed)

    def has_role(self, view: TableView, wanted: str) -> bool:
        """Return whether the player's seat has a role; True for the empty name."""
        roster, seat = self.model.roster(view.table.room), view.my_seat
        if not wanted or roster is None or seat is None:
            return not wanted
        return roster.role(seat.role) == roster.role(wanted)

    def fill(self, view: TableView, wanted: str) -> Iterator[None]:
        """Before the game: take a role, and seat bots for all others that the game needs."""
        model, port, room = self.model, self.port, view.table.room
        roster = model.roster(room)
        if roster is None or room.stage is not Stage.LOBBY or not model.is_host:
            return
        # Named although the first role needs no claim: lessons and layouts go by the name.
        if wanted and len(roster.roles) > 1 and not self._has_claimed(view, wanted):
            port.claim_role(wanted)
            yield from self._until(lambda: self._has_claimed(view, wanted))
        # A claim that was refused has left the seat as it was.
        mine = roster.role(view.my_seat.role if view.my_seat else "")
        needed = Counter(roster.smallest_seating(mine.name if mine is not None else ""))
        taken = (roster.role(seat.role) for seat in view.table.room.seats.values())
        needed.subtract(role.name for role in taken if role is not None)
        for count, name in enumerate((+needed).elements(), len(room.seats) + 1):
            port.add_bot(name if len(roster.roles) > 1 else "")
            yield from self._until(functools.partial(self._has_seats, view, count))
        yield from self._until(lambda: self._are_bots_ready(view))

    def _has_claimed(self, view: TableView, wanted: str) -> bool:
        return view.my_seat is not None and view.my_seat.role == wanted

    def _has_seats(self, view: TableView, count: int) -> bool:
        return len(view.table.room.seats) >= count

    def _are_bots_ready(self, view: TableView) -> bool:
        return all(seat.is_ready for seat in view.table.room.seats.values() if seat.is_bot)

    def _until(self, is_done: Callable[[], bool]) -> Iterator[None]:
        """Wait until the last request was carried out, or refused with a word in the bar."""
        before = self.model.bar
        while not is_done() and self.model.is_online:
            if self.model.bar is not before and self.model.bar.is_wrong:
                return
            yield


@attrs.define(eq=False)
class AgainOpening(Opening):
    """The next table of a player who is alone, after a game: in the same role."""

    finished: str
    """The id of the table whose game is over."""
    role: str

    def take_steps(self) -> Iterator[None]:
        """Wait for the table, then fill it as the last one."""
        yield from self._until(lambda: self._next() is not None)
        if (view := self._next()) is not None:
            yield from self.fill(view, self.role)

    def _next(self) -> TableView | None:
        view = self.model.view
        is_next = view is not None and view.room_id != self.finished and self._is_complete
        return view if is_next else None


def rulesets(lines: Sequence[ScenarioLine]) -> str:
    """Return the games of some scenarios, as they are typed on a command line."""
    return ", ".join(dict.fromkeys(line.ruleset.replace("_", "-") for line in lines))


def roles(lines: Sequence[ScenarioLine]) -> list[str]:
    """Return the roles of some scenarios, each once."""
    return list(dict.fromkeys(role.name for line in lines for role in line.roster.roles))
