"""The face of the card game, assembled from the modules beside this one."""

from client.games.cards.boxes.cards import locations, readable_cards
from client.games.cards.boxes.story import act_and_agenda, chaos_bag
from client.games.cards.keys import BAG, LOCATIONS, OBJECTIVE
from client.games.cards.lessons import LESSONS
from client.games.cards.moment import moment_of
from client.games.cards.panes.graph import WholeGraph, signs
from client.games.cards.panes.layout import CardsLayout
from client.games.cards.speaker import piece_named, spaces_named
from client.games.cards.tellers import SILENT, TELLERS
from client.keymap.keys import Action
from client.model.standing_answers import StandingOffer
from client.plugs.face import ANY_ROLE, BoardReading, GameFace, ListReading, TextReading
from client.widgets.answering import Listing
from protocol.common.table import GameTable
from protocol.games.cards import events as c
from protocol.games.cards.table import CardsTable
from protocol.games.cards.words import RULESET

READINGS = (
    ListReading(Action.CARDS, "box.inventory", readable_cards, "box.nothing", is_hinted=True),
    TextReading(OBJECTIVE, "box.act_and_agenda", act_and_agenda, is_hinted=True),
    ListReading(LOCATIONS, "box.locations", locations, "map.empty", is_hinted=True),
    TextReading(BAG, "box.bag", chaos_bag),
    BoardReading(Action.WHOLE_MAP, WholeGraph),
)
"""Readings of everybody."""
OF_HAND = frozenset(
    (
        *("choice/play", "choice/play_for", "choice/play_over", "choice/play_event"),
        "choice/play_over_this",
        *(
            "choice/play_to",
            "choice/play_free",
            "choice/play_fast",
            "choice/commit",
            "choice/commit_of",
        ),
        *("choice/commit_vain", "choice/commit_vain_of"),
        *("ask/mulligan", "ask/discard", "ask/play"),
    )
)
"""Choices and questions about the cards of a hand, which is shuffled at each draw."""


def is_own_test(game: GameTable, seat: int) -> bool | None:
    """Return whether the running test is of one of the seat's investigators; None without one."""
    assert isinstance(game, CardsTable)
    return None if game.test is None else game.investigators[game.test.tester].seat == seat


def lapses_now(game: GameTable) -> frozenset[str]:
    """Return the lapses that can come next: of a test and a turn only while one goes on."""
    assert isinstance(game, CardsTable)
    idle = {"test": game.test is None, "turn": not game.active}
    return frozenset(game.lapses) - {one for one, is_idle in idle.items() if is_idle}


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
    readings={ANY_ROLE: READINGS},
    characters="box.investigators",
    names=piece_named,
    spaces=spaces_named,
    lessons={ANY_ROLE: LESSONS},
    standing=StandingOffer(
        frozenset(("would", "when", "at", "after")),
        is_own_test,
        vain=frozenset({"vain"}),
        occasions=frozenset({"about/on"}),
        lapses=lapses_now,
        quiet=(c.StepCame, c.TestStep, c.TurnEnded, c.PeriodEnded),
        # A pass until the end of a test covers both of its windows.
        whole=frozenset([("window", "test")]),
    ),
    listing=Listing(by_name=OF_HAND),
    risks=frozenset({"leave"}),
    # What costs something and gains little is one's own wish: Enter passes.
    vain=frozenset({"vain", "early", "provokes", "slight"}),
    signs=signs,
    moments=(c.Eliminated, c.Attacked, c.Revealed, c.Laid, c.Ended),
    turns=(c.RoundBegan, c.TurnBegan),
    plain=_plain,
    plain_commands=_plain_commands,
)
