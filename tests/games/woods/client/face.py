"""Face of the woods: clearings, journal, lessons."""

from collections.abc import Mapping, Sequence

import attrs

from client.locale.game_moment import GameMoment
from client.locale.speaker import Speaker
from client.plain.game import PlainGame
from client.plugs.face import ANY_ROLE, GameFace
from protocol.common.table import GameTable, Table
from tests.games.woods.client.clearings import WoodsLayout, clearing_name, lines
from tests.games.woods.client.lessons import ANIMALS, KEEPERS
from tests.games.woods.client.tellers import TELLERS
from tests.games.woods.protocol.events import Fell
from tests.games.woods.protocol.table import ANIMAL, CLEARINGS, KEEPER, RULESET, WoodsTable


@attrs.frozen(eq=False)
class Round(GameMoment):
    """Round of the game."""

    game: WoodsTable

    @property
    def round_number(self) -> int:
        is_on = self.game.animals and not self.game.winner
        return self.game.round_number + 1 if is_on else self.game.round_number

    def phase(self, speaker: Speaker) -> Sequence[str]:
        return (speaker.say("woods.round", self.round_number),) if self.round_number else ()


def round_of(game: GameTable) -> Round:
    assert isinstance(game, WoodsTable)
    return Round(game)


def _spaces(_: Table, speaker: Speaker) -> Mapping[str, str]:
    return {clearing: clearing_name(speaker, clearing) for clearing in CLEARINGS}


FACE = GameFace(
    RULESET,
    tellers=TELLERS,
    moment=round_of,
    layout={ANY_ROLE: WoodsLayout},
    characters="box.animals",
    spaces=_spaces,
    moments=(Fell,),
    lessons={KEEPER: KEEPERS, ANIMAL: ANIMALS},
    plain=lambda: PlainGame(status=lines),
)
