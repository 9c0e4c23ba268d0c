"""Examples of the catalogue played in full, and several actions in one question."""

import pytest

from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.cards import ItemCard
from content.games.second_edition.schema.effects import (
    Amount,
    End,
    Forfeit,
    MayEnter,
    RemoveToken,
    Say,
)
from content.games.second_edition.schema.monsters import MonsterCard
from content.games.second_edition.schema.scenario import TokenCard, TokenOption
from protocol.common.text import Text
from protocol.games.second_edition.events import (
    ActionSpent,
    BecameWounded,
    MythosStepBegan,
    PhaseBegan,
    PossessionGiven,
    Told,
)
from protocol.games.second_edition.table import Harm, MythosStep, Phase, TokenKind
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    DROWNED,
    RAT,
    ROW,
    begin_turn,
    entry,
    monster_card,
    offered,
    proceed,
    refused,
    rooms_beside,
    tile,
    where,
    world,
)
from tests.games.second_edition.rules.worlds_effects import resolves, told

ROPE = ItemCard("item/rope", "common")


def spent(bench: Bench) -> list[str]:
    return [event.action for event in bench.happened(ActionSpent)]


def beast(name: str, awareness: int, horror_rating: int) -> MonsterCard:
    """Return a monster whose texts have its name."""
    return monster_card(
        f"monster/{name}",
        awareness=awareness,
        horror_rating=horror_rating,
        evades=(entry(text=f"text/evade_{name}"),),
        horrors=(entry(text=f"text/horror_{name}"),),
    )


# Worked examples -------------------------------------------------------------------------------

BEASTS = [beast("x", 2, 3), beast("y", 3, 1), beast("z", 1, 3), beast("w", 3, 1)]


def beset(*here: str) -> Bench:
    """Return a bench with Ada among monsters, and another one two spaces away."""
    monsters = [(f"monster/{name}", "house/a") for name in here]
    return world(
        tiles=[tile(ROW)],
        monsters=[*monsters, ("monster/z", "house/c")],
        monster_cards=BEASTS,
    )


@pytest.mark.rule("EX-28")
@pytest.mark.rule("EVADE-2")
@pytest.mark.rule("HORROR-2")
@pytest.mark.rule("HORROR-3")
def test_the_alert_one_is_evaded_and_the_horrible_one_is_faced() -> None:
    """Ada evades Y, is forced to stay, and then faces X or Z, as she likes, once."""
    bench = beset("x", "y")
    proceed(bench, "choice/move_later", "house/b", "choice/stop")
    assert told(bench) == ["text/evade_y"]

    bench.emit(PhaseBegan(Phase.MYTHOS, 1))
    bench.emit(MythosStepBegan(MythosStep.HORROR))
    proceed(bench, "m3")
    proceed(bench)

    assert told(bench)[1:] == ["text/horror_z"]
    (choice,) = [ask for ask in bench.asked if ask.rule == "HORROR-3"]
    assert [option.value for option in choice.prompts[0].options] == ["m1", "m3"]


@pytest.mark.rule("EX-28")
@pytest.mark.rule("EVADE-3")
def test_of_two_as_alert_ada_picks_the_one_to_evade() -> None:
    """Y and W both have awareness 3."""
    bench = beset("x", "y", "w")

    proceed(bench, "house/b", "m3", "choice/stop")

    assert told(bench) == ["text/evade_w"]
    (choice,) = [ask for ask in bench.asked if ask.rule == "EVADE-3"]
    assert [option.value for option in choice.prompts[0].options] == ["m2", "m3"]


HALL = "+---+---+---+\n| a : b 1 c |\n+---+---+---+"


@pytest.mark.rule("EX-32")
@pytest.mark.rule("WOUNDED-5")
@pytest.mark.rule("DECIDE-28")
def test_a_wounded_explorer_moves_once_and_still_enters() -> None:
    """A second move action is refused, but the entry after exploring is no move action."""
    opens = TokenOption("text/open", (RemoveToken("token/door"), MayEnter("house/1")))
    door = TokenCard("token/door", TokenKind.EXPLORE, "house/1", (opens,))
    bench = world(tiles=[tile(HALL)], tokens=[door], turn_of=None)
    bench.emit(BecameWounded(ADA, "condition/wounded"))
    begin_turn(bench, ADA)

    proceed(bench, "house/b", "choice/stop")
    assert not any("move" in choice for choice in offered(bench))
    assert ("choice/move", "WOUNDED-5") in refused(bench)
    proceed(bench, "text/open", "house/c")

    assert spent(bench) == ["move", "explore"]
    assert where(bench)[ADA] == "house/c"


@pytest.mark.rule("EX-9")
@pytest.mark.rule("MOVE-14")
@pytest.mark.rule("EVADE-6")
def test_an_entry_that_is_taken_is_intentional() -> None:
    """A monster must be evaded for the entry. If that fails, Ada has still explored."""
    opens = TokenOption("text/open", (RemoveToken("token/door"), MayEnter("house/1")))
    door = TokenCard("token/door", TokenKind.EXPLORE, "house/1", (opens,))
    texts = (entry(text="text/lets_you"), entry(Forfeit(), text="text/holds_you"))
    bench = world(
        tiles=[tile(HALL)],
        at={ADA: "house/b"},
        tokens=[door],
        monsters=[(DROWNED, "house/b")],
        monster_cards=[monster_card(evades=texts)],
    )
    bench.give_picks(0, 1)

    proceed(bench, "text/open", "house/c")

    assert told(bench) == ["text/lets_you", "text/holds_you"]
    assert where(bench)[ADA] == "house/b"
    assert bench.game_table.tokens == {}


# Actions ---------------------------------------------------------------------------------------


@pytest.mark.rule("ACTION-2")
def test_all_six_common_actions_are_offered_in_one_question() -> None:
    kinds = {"explore": TokenKind.EXPLORE, "search": TokenKind.SEARCH, "interact": TokenKind.PERSON}
    tokens = [
        TokenCard(f"token/{name}", kind, "house/a", (TokenOption(f"text/{name}", ()),))
        for name, kind in kinds.items()
    ]
    chosen = {
        "move": "choice/move_later",
        "attack": "choice/attack_unarmed",
        "trade": "choice/trade",
        **{name: f"text/{name}" for name in kinds},
    }

    for action, choice in chosen.items():
        bench = world(
            tokens=tokens,
            monsters=[(RAT, "house/a")],
            items=[ROPE],
            has={ADA: ["item/rope"]},
        )
        closing = {"move": ["choice/stop"], "trade": ["choice/trade_close"]}.get(action, [])
        proceed(bench, choice, *closing)
        assert spent(bench) == [action]


@pytest.mark.rule("DECIDE-38")
@pytest.mark.rule("EVADE-4")
def test_in_a_trade_only_the_one_who_trades_evades() -> None:
    """Ben hands over his rope among monsters without a check."""
    bench = world(
        at={ADA: "house/a", BEN: "house/a"},
        seats=[(0, BEN), (1, ADA)],
        items=[ROPE],
        has={BEN: ["item/rope"]},
        monsters=[(DROWNED, "house/a")],
    )

    proceed(bench, "choice/trade", {0: "choice/give", 1: "choice/trade_close"}, {1: "trade_close"})

    checks = [e.text.params[0] for e in bench.happened(Told) if e.text.subject == "text/evade"]
    assert checks == [ADA]
    assert bench.happened(PossessionGiven) == [PossessionGiven(BEN, ADA, "p1")]


# The end, by a card ----------------------------------------------------------------------------


@pytest.mark.rule("WIN-8")
def test_a_card_can_end_the_game() -> None:
    doom = resolves("horror/doom", Harm.HORROR, End(won=False, epilogue="text/doomed"))
    altar = TokenOption("text/look", (steps.Suffer(horror=Amount(1)), Say("text/never")))
    token = TokenCard("token/altar", TokenKind.SEARCH, "house/a", (altar,))
    bench = world(harms=[doom], tokens=[token])

    proceed(bench, "text/look")

    ending = bench.game_table.ending
    assert ending is not None
    assert (ending.is_won, ending.epilogue) == (False, Text("text/doomed"))
    assert told(bench) == []
    assert bench.game_table.phase is Phase.OVER


# Lines -----------------------------------------------------------------------------------------


@pytest.mark.rule("BORDER-3")
@pytest.mark.rule("ROOM-1")
@pytest.mark.rule("ADJACENT-2")
@pytest.mark.parametrize("line", [":", "!"])
def test_a_border_can_set_rooms_apart(line: str) -> None:
    """Two rooms with a border between them, passable or not, are adjacent."""
    picture = f"+---+---+\n| a {line} b |\n+---+---+"
    bench = world(tiles=[tile(picture, {"a": "room/hall", "b": "room/yard"})])
    board = bench.game_table.map

    assert board.spaces_of("room/hall") == ("house/a",)
    assert rooms_beside(board, "room/hall") == {"room/yard"}
