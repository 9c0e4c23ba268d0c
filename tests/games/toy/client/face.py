"""Face of the toy: the day, and two lines of the journal; everything else is the default."""

from collections.abc import Iterable, Mapping, Sequence

import attrs

from client.locale.game_moment import GameMoment
from client.locale.speaker import Speaker
from client.plugs.face import ANY_ROLE, GameFace
from client.plugs.preparation import Preparation
from client.tellers.base import EventContext, Teller, Told, Tone
from protocol.common.table import GameTable, RoomTable, Seat
from protocol.event import Event
from tests.kit.tables.toy_table import RoundEnded, Scored, ToyTable


@attrs.frozen(eq=False)
class Day(GameMoment):
    """Day of the game, after the setup."""

    game: ToyTable

    @property
    def round_number(self) -> int:
        return self.game.round_number + 1 if self.game.is_laid_out else 0

    def phase(self, speaker: Speaker) -> Sequence[str]:
        """Return the day, or that it is the evening before the first."""
        if not self.round_number:
            return (speaker.say("toy.eve"),)
        return (speaker.say("toy.day", self.round_number),)


def day_of(game: GameTable) -> Day:
    assert isinstance(game, ToyTable)
    return Day(game)


def _scored(happened: Scored, at: EventContext) -> Iterable[Told]:
    game = at.table.game
    assert isinstance(game, ToyTable)
    points = game.people[happened.piece].points
    yield Tone.ACTION, at.say("toy_scored", happened.piece, happened.points, points)


def _day_ended(_: RoundEnded, at: EventContext) -> Iterable[Told]:
    game = at.table.game
    assert isinstance(game, ToyTable)
    yield Tone.ROUND, at.say("toy_day_ended", game.round_number)


TELLERS: Mapping[type[Event], Teller] = {Scored: _scored, RoundEnded: _day_ended}


def _wish(speaker: Speaker, _: RoomTable) -> Sequence[str]:
    return (speaker.say("toy.wish"),)


def _is_wished(room: RoomTable, _: Seat) -> bool:
    # The rules take no wish where they ask for none: where one seat has a wish, all need one.
    return any(seat.prepared is not None for seat in room.seats.values())


FACE = GameFace(
    "toy",
    tellers=TELLERS,
    moment=day_of,
    before={ANY_ROLE: Preparation(_wish, _is_wished)},
)
