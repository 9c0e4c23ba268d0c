"""What lies open: everybody reads it, a spectator too, and what is closed there has no name."""

from collections.abc import Callable, Sequence

import pytest

from content.games.cards.schema.targets import Filter
from protocol.common.chance import Stream
from protocol.common.events import Picked
from protocol.common.table import Table, fold
from protocol.event import cut, read
from protocol.games.cards.events import (
    BagChanged,
    Flipped,
    Laid,
    Moved,
    Remembered,
    TokenSealed,
    TokensRevealed,
    Used,
)
from protocol.games.cards.table import ENCOUNTER, CardsTable, Place, further
from protocol.games.cards.words import Skill, Zone
from server.games.cards.rules import encounter, hands, skill_tests
from server.games.cards.rules.plans import Plan
from server.games.cards.rules.play import Source
from tests.games.cards.rules.worlds import ANNA, content_of
from tests.games.cards.twins.stage import SPECTATOR, VIEWERS, Stage, stage, twins

pytestmark = pytest.mark.issue(42)
rule = pytest.mark.rule
CONTENT = content_of(
    players="""
- {id: card/one, type: asset, cost: 1}
- id: card/oracle
  type: asset
  cost: 1
  abilities:
  - {does: reaction, on: {would: revealing, who: you}, effect: [reveal_more: {number: 2, keep: 1}]}
- {id: card/two, type: event, cost: 0, abilities: [{does: play, effect: [resources: 1]}]}
""",
    treacheries="- {id: card/mist}\n- {id: card/fog}\n",
    stories="- {id: card/letter, other: card/reply}\n- {id: card/reply}\n",
    locations="""
- {id: card/far, symbol: far, face: {id: card/far-seen, shroud: 1}}
- {id: card/near, symbol: s2, face: {id: card/near-seen, shroud: 1}}
- {id: card/away, symbol: away, face: {id: card/away-seen, shroud: 1}}
""",
    scenario="""
aside: [card/letter]
decks: [{id: wild, locations: [card/far, card/near, card/away]}]
""",
)


def seen_by(game: Stage, viewer: int) -> CardsTable:
    """Return the table as a viewer has it from what was sent."""
    seat = None if viewer == SPECTATOR else viewer
    table = Table(game=CardsTable())
    for stored in game.stored:
        table = fold(table, read("bench", cut(stored, seat)))
    assert isinstance(table.game, CardsTable)
    return table.game


def discard_two(game: Stage) -> None:
    game.hand(ANNA, "card/one", "card/two")
    game.go(hands.lay_down(game.game, ANNA, game.game_table.piles[f"hand/{ANNA}"]))


def draw_encounter(game: Stage) -> None:
    game.deck(ENCOUNTER, "card/mist", "card/fog", "card/mist")
    for _ in range(2):
        game.go(encounter.draw(game.game, ANNA))


def set_aside(game: Stage) -> None:
    game.emit(Laid("card/letter", Place(Zone.ASIDE)))


def fill_bag(game: Stage) -> None:
    game.emit(BagChanged(added=("-1", "bless", "star")))
    game.emit(TokenSealed(game.own(ANNA), "star"))


def remember(game: Stage) -> None:
    game.emit(Remembered("the lamp was lit"))


def move_away(game: Stage) -> None:
    set_aside(game)
    game.emit(Moved((game.piece("card/letter"),), Place(Zone.VICTORY)))


def capture(game: Stage) -> None:
    set_aside(game)
    game.emit(Moved((game.piece("card/letter"),), Place(Zone.CAPTIVE)))


def turn_over(game: Stage) -> None:
    set_aside(game)
    game.emit(Moved((game.piece("card/letter"),), Place(Zone.PLAY, ANNA), ANNA))
    game.emit(Flipped(game.piece("card/letter"), "card/reply"))


def lying(zone: Zone, of: str = "") -> Callable[[CardsTable], Sequence[str]]:
    return lambda table: [card.shown for card in table.lying(zone, of)]


@pytest.mark.parametrize(
    ("course", "read_off", "expected"),
    [
        pytest.param(
            discard_two,
            lying(Zone.DISCARD, ANNA),
            ["card/one", "card/two"],
            marks=rule("C-SECRET-5"),
        ),
        pytest.param(
            draw_encounter,
            lying(Zone.DISCARD, ENCOUNTER),
            ["card/mist", "card/fog"],
            marks=rule("C-SECRET-7", "C-SECRET-8"),
        ),
        pytest.param(lambda _: None, lying(Zone.ACT), ["card/act"], marks=rule("C-SECRET-9")),
        pytest.param(set_aside, lying(Zone.ASIDE), ["card/letter"], marks=rule("C-SECRET-13")),
        pytest.param(
            fill_bag,
            lambda table: [*table.bag, *table.card_of_investigator(ANNA).chaos],
            ["-1", "0", "bless", "star"],
            marks=rule("C-SECRET-20", "C-DECIDE-32"),
        ),
        pytest.param(
            remember,
            lambda table: table.remembered,
            ("the lamp was lit",),
            marks=rule("C-SECRET-33"),
        ),
        pytest.param(move_away, lying(Zone.VICTORY), ["card/letter"], marks=rule("C-SECRET-35")),
        pytest.param(capture, lying(Zone.CAPTIVE), ["card/letter"], marks=rule("C-SECRET-19")),
        pytest.param(
            turn_over, lying(Zone.PLAY, ANNA), [ANNA, "card/reply"], marks=rule("C-SECRET-29")
        ),
    ],
)
@pytest.mark.parametrize("viewer", VIEWERS)
def test_what_lies_open_is_read_by_all(
    course: Callable[[Stage], None],
    read_off: Callable[[CardsTable], Sequence[str]],
    expected: Sequence[str],
    viewer: int,
) -> None:
    game = stage(CONTENT, course)

    assert read_off(seen_by(game, viewer)) == read_off(game.game_table) == expected


@rule("C-SECRET-22", "C-TOK-10")
def test_what_replaces_a_token_is_read_by_all_before_one_is_drawn() -> None:
    def reveal(game: Stage) -> None:
        game.lay("card/oracle", Zone.PLAY, ANNA)
        game.bag("0", "-1", "-2")
        game.give_tokens("0", "-1")
        source = Source(ANNA, game.own(ANNA), ANNA)
        plan = Plan(ANNA, Skill.COMBAT, lambda: 2, source)
        game.go(skill_tests.perform(game.game, plan), {0: ["card/oracle"]})

    game = stage(CONTENT, reveal)

    read_by_all = [read("bench", cut(stored, None)).event for stored in game.stored]
    told = [type(one) for one in read_by_all if isinstance(one, Used | Picked | TokensRevealed)]
    assert told == [Used, Picked, Picked, TokensRevealed]


@rule("C-SECRET-28", "C-EXPL-2")
def test_the_order_of_an_exploration_deck_is_known_to_nobody() -> None:
    """A location is drawn, fits, and the rest stays as it lies."""

    def lay(*codes: str) -> Callable[[Stage], None]:
        return lambda game: game.shuffle(further("wild"), codes, Stream.SETUP)

    def explore(game: Stage) -> None:
        game.go(encounter.explore(game.game, ANNA, further("wild"), Filter()))
        assert game.card("card/near").at.zone is Zone.MAP

    lays = [lay("card/near", "card/far", "card/away"), lay("card/near", "card/away", "card/far")]
    assert twins(CONTENT, lays, explore) == set()
