"""The face of the second edition."""

from collections.abc import Mapping

from client.games.face import GameFace
from client.games.second_edition.bot.brain import pick_sensibly
from client.games.second_edition.lessons import LESSONS
from protocol.common.table import GameTable
from protocol.games.second_edition.table import SecondEditionTable


def _plain() -> object:
    # Nobody but plain mode needs it.
    from client.games.second_edition.plain.game import PLAIN  # noqa: PLC0415

    return PLAIN


def _result(game: GameTable) -> Mapping[str, bool | int]:
    assert isinstance(game, SecondEditionTable)
    is_won = game.ending is not None and game.ending.is_won
    return {"won": is_won, "round": game.round_number}


FACE = GameFace(
    "second_edition",
    bot={"": pick_sensibly},
    lessons={"": LESSONS},
    plain=_plain,
    result=_result,
)
