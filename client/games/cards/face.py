"""The face of the card game, assembled from the modules beside this one."""

from client.games.cards.moment import moment_of
from client.games.cards.panes.layout import CardsLayout
from client.games.cards.speaker import piece_named, spaces_named
from client.games.cards.tellers import SILENT, TELLERS
from client.plugs.face import ANY_ROLE, GameFace
from protocol.games.cards import events as c
from protocol.games.cards.words import RULESET


def _plain() -> object:
    # Nobody but plain mode needs it.
    from client.games.cards.plain.game import PLAIN  # noqa: PLC0415

    return PLAIN


def _plain_commands() -> object:
    from client.games.cards.plain.game import COMMANDS  # noqa: PLC0415 (the same)

    return COMMANDS


FACE = GameFace(
    RULESET,
    tellers=TELLERS,
    silent=SILENT,
    moment=moment_of,
    layout={ANY_ROLE: CardsLayout},
    characters="box.investigators",
    names=piece_named,
    spaces=spaces_named,
    moments=(c.Eliminated, c.Attacked, c.Revealed, c.Laid, c.Ended),
    turns=(c.RoundBegan, c.TurnBegan),
    plain=_plain,
    plain_commands=_plain_commands,
)
