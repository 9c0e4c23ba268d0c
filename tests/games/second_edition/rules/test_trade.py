"""Trading, dropping, picking up."""

from typing import Any

import pytest

from content.games.second_edition.schema.cards import ItemCard, Modifier, ModifierKind, Powers
from content.games.second_edition.schema.effects import Forfeit, Say
from content.games.second_edition.schema.scenario import Moment, Trigger
from protocol.common.text import Text
from protocol.games.second_edition.events import (
    ActionSpent,
    CluesGained,
    PossessionDropped,
    PossessionGiven,
    PossessionPickedUp,
    Told,
)
from server.games.second_edition.rules import trade
from server.kernel.asks import Option
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    DROWNED,
    entry,
    investigator_card,
    monster_card,
    offered,
    proceed,
    refused,
    world,
)

ROPE, BOOK = "item/rope", "item/book"
ITEMS = tuple(ItemCard(card, "common", copies=3) for card in (ROPE, BOOK))
TOGETHER = {ADA: "house/a", BEN: "house/a", CORA: "house/a"}


def room(at: Any = None, **parts: Any) -> Bench:
    """Return a bench with three people in one space."""
    return world(at=at or TOGETHER, items=ITEMS, **parts)


def says(subject: str, *params: str) -> Any:
    """Return the answer with exactly these words."""

    def fits(option: Option[Any]) -> bool:
        return option.text == Text(subject, params)

    return fits


def trading(bench: Bench, *answers: Any) -> None:
    """Trade; each answer is (seat, answer), given in this order."""
    todo = list(answers)
    procedure: Any = trade.trade(bench.game, ADA)
    sent = None
    while True:
        try:
            ask = procedure.send(sent)
        except StopIteration:
            assert todo == []
            return
        bench.asked.append(ask)
        seat, answer = todo.pop(0)
        (value,) = [o.value for o in ask.prompts[seat].options if answer(o)]
        # The first answer settles it; in a vote all say the same.
        seats = [seat] if ask.settle.value == "any_one" else list(ask.prompts)
        sent = dict.fromkeys(seats, (value,))


def held(bench: Bench) -> dict[str, list[str]]:
    people = bench.game_table.investigators.values()
    return {i.investigator_id: [p.card for p in i.possessions] for i in people}


DONE = (0, says("choice/trade_close"))


@pytest.mark.rule("TRADE-1")
@pytest.mark.rule("TRADE-2")
@pytest.mark.rule("TRADE-3")
@pytest.mark.rule("TRADE-5")
@pytest.mark.rule("TRADE-6")
@pytest.mark.rule("DECIDE-8")
@pytest.mark.rule("CLUE-3")
@pytest.mark.rule("EX-36")
def test_three_trade_in_one_action() -> None:
    """Ben gives to Cora, who picks up and gives to Ada; Clues are never offered."""
    bench = room(has={BEN: [ROPE], CORA: [BOOK]})
    bench.emit(PossessionDropped(CORA, "p2", "house/a"))
    bench.emit(CluesGained(ADA, 1))

    trading(
        bench,
        (1, says("choice/give", BEN, ROPE, CORA)),
        (2, says("choice/pick_up", CORA, BOOK)),
        (2, says("choice/give", CORA, BOOK, ADA)),
        DONE,
    )

    assert held(bench) == {ADA: [BOOK], BEN: [], CORA: [ROPE]}
    assert bench.happened(ActionSpent) == [ActionSpent(ADA, "trade")]
    words = {o.text.subject for ask in bench.asked for p in ask.prompts.values() for o in p.options}
    assert words <= {
        "choice/give",
        "choice/drop",
        "choice/pick_up",
        "choice/claim_too",
        "choice/trade_close",
    }


@pytest.mark.rule("TRADE-4")
@pytest.mark.rule("DROP-1")
@pytest.mark.rule("POSSESSION-3")
def test_anybody_there_can_drop_in_the_space() -> None:
    bench = room(has={BEN: [ROPE]})

    trading(bench, (1, says("choice/drop", BEN, ROPE)), DONE)

    assert bench.happened(PossessionDropped) == [PossessionDropped(BEN, "p1", "house/a")]
    assert [p.card for p in bench.game_table.lying["house/a"]] == [ROPE]


@pytest.mark.rule("TRADE-7")
@pytest.mark.rule("DROP-2")
@pytest.mark.rule("DROP-3")
def test_one_who_is_alone_can_trade_to_pick_up() -> None:
    """The trade closes by itself once nothing is left to hand over, and not before."""
    bench = room({ADA: "house/a"}, has={ADA: [ROPE]})
    bench.emit(PossessionDropped(ADA, "p1", "house/a"))

    proceed(bench, "choice/trade", "choice/pick_up", "choice/trade_close")

    assert bench.happened(PossessionPickedUp) == [PossessionPickedUp(ADA, "p1", "house/a")]


@pytest.mark.rule("DROP-3")
def test_what_lies_elsewhere_cannot_be_picked_up() -> None:
    bench = room({ADA: "house/a", BEN: "house/b"}, has={BEN: [ROPE]})
    bench.emit(PossessionDropped(BEN, "p1", "house/b"))

    assert "choice/trade" not in {o.split()[0] for o in offered(bench)}


@pytest.mark.rule("TRADE-1")
def test_who_is_elsewhere_takes_no_part() -> None:
    bench = room({ADA: "house/a", BEN: "house/b"}, has={ADA: [ROPE], BEN: [BOOK]})

    proceed(bench, "choice/trade", ...)

    assert bench.open is not None
    assert {o.text.subject for o in bench.open.prompts[0].options} == {
        "choice/drop",
        "choice/trade_close",
    }
    assert list(bench.open.prompts) == [0]


@pytest.mark.rule("DECIDE-44")
@pytest.mark.rule("GOLDEN-4")
def test_the_owner_decides_and_the_active_one_closes() -> None:
    """Only the owner can give, only Ada's seat can close, and the receiver is not asked."""
    bench = room(has={BEN: [ROPE]})

    trading(bench, (1, says("choice/give", BEN, ROPE, ADA)), DONE)

    first = bench.asked[0].prompts
    assert [o.text.subject for o in first[0].options] == ["choice/trade_close"]
    assert "choice/trade_close" not in {o.text.subject for o in first[1].options}
    assert 2 not in first
    assert bench.happened(PossessionGiven) == [PossessionGiven(BEN, ADA, "p1")]


@pytest.mark.rule("DECIDE-45")
@pytest.mark.rule("TRADE-3")
def test_an_undisputed_card_is_taken_at_once() -> None:
    bench = room(has={BEN: [ROPE]})
    bench.emit(PossessionDropped(BEN, "p1", "house/a"))

    trading(bench, (2, says("choice/pick_up", CORA, ROPE)), DONE)

    assert {ask.settle.value for ask in bench.asked} == {"any_one"}
    assert held(bench)[CORA] == [ROPE]


@pytest.mark.rule("DECIDE-45")
@pytest.mark.rule("CONFLICT-1")
def test_the_people_in_the_space_decide_on_a_card_that_two_want() -> None:
    """Cora takes the card, Ben disputes it and wins; it cannot be disputed again."""
    bench = room(has={BEN: [ROPE]})
    bench.emit(PossessionDropped(BEN, "p1", "house/a"))

    trading(
        bench,
        (2, says("choice/pick_up", CORA, ROPE)),
        (1, says("choice/claim_too", BEN, ROPE, CORA)),
        (0, says("choice/takes", BEN, ROPE)),
        DONE,
    )

    assert bench.asked[2].settle.value == "agree"
    assert [voter for voter, _ in bench.asked[2].voters] == [ADA, BEN, CORA]
    assert held(bench)[BEN] == [ROPE]
    offers = [o.text.subject for p in bench.asked[3].prompts.values() for o in p.options]
    assert "choice/claim_too" not in offers


@pytest.mark.rule("EVADE-4")
@pytest.mark.rule("FORFEIT-1")
def test_a_trade_among_monsters_is_evaded_for() -> None:
    strict = monster_card(evades=(entry(Forfeit()),))
    bench = room(has={ADA: [ROPE]}, monsters=[(DROWNED, "house/a")], monster_cards=[strict])

    proceed(bench, "choice/trade")

    assert held(bench)[ADA] == [ROPE]
    assert bench.game_table.actions_left == 1


@pytest.mark.rule("SECRET-7")
@pytest.mark.rule("GOLDEN-3")
def test_who_cannot_trade_is_refused_in_their_own_turn_alone() -> None:
    """An investigator who cannot trade still takes part in trades of others."""
    ability = Powers(modifiers=(Modifier(ModifierKind.NO_TRADE),))
    shy = investigator_card(BEN, ability=ability)
    bench = room(has={BEN: [ROPE]}, investigators=[shy], turn_of=BEN)

    assert "choice/trade" not in {o.split()[0] for o in offered(bench)}
    assert ("choice/trade", "GOLDEN-3") in refused(bench)
    trading(bench, (1, says("choice/give", BEN, ROPE, ADA)), DONE)
    assert held(bench)[ADA] == [ROPE]


@pytest.mark.rule("DROP-3")
def test_of_what_lies_there_the_one_that_is_chosen_is_picked_up() -> None:
    """The second of two is picked up, and the triggers of gaining the card follow."""
    gained = Trigger("gained", Moment.ITEM_GAINED, (Say("text/gained"),), of=BOOK)
    bench = room({ADA: "house/a"}, has={ADA: [ROPE, BOOK]}, scenario_parts={"triggers": (gained,)})
    for possession in ("p1", "p2"):
        bench.emit(PossessionDropped(ADA, possession, "house/a"))

    proceed(bench, "choice/trade", says("choice/pick_up", ADA, BOOK), "choice/trade_close")

    assert [p.card for p in bench.game_table.lying["house/a"]] == [ROPE]
    assert [p.card for p in bench.game_table.investigators[ADA].possessions] == [BOOK]
    assert [(e.text.subject, e.text.params[0]) for e in bench.happened(Told)] == [
        ("text/gained", ADA)
    ]
