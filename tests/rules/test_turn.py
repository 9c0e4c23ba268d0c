"""Rounds and turns: who acts, when, and what can be done then."""

from typing import Any

import pytest

from content.schema.cards import (
    ComponentAction,
    ItemCard,
    Modifier,
    ModifierKind,
    Powers,
)
from content.schema.effects import (
    Amount,
    Forfeit,
    GainClues,
    LoseActions,
    LoseItem,
    MayMove,
    Say,
    Suffer,
)
from content.schema.requirements import HasClues
from content.schema.scenario import Moment, TokenCard, TokenOption, Trigger
from protocol.event import hidden
from protocol.second_edition.events import (
    ActionForfeited,
    ActionSpent,
    BecameInsane,
    BecameWounded,
    InvestigatorEliminated,
    InvestigatorMoved,
    PhaseBegan,
    PossessionDiscarded,
    Told,
    TurnBegan,
    TurnEnded,
)
from protocol.second_edition.table import INSANE_DECK, Phase, TokenKind
from tests.rules.bench import Bench
from tests.rules.worlds import (
    ADA,
    BEN,
    CORA,
    DROWNED,
    ROW,
    begin_turn,
    effect,
    entry,
    insane_back,
    investigator_card,
    monster_card,
    offered,
    proceed,
    refused,
    tile,
    where,
    world,
)

THREE = {ADA: "house/a", BEN: "house/b", CORA: "house/b"}


def token(
    at: str,
    *steps: Any,
    kind: TokenKind = TokenKind.SEARCH,
    action: bool = True,
    **option: Any,
) -> TokenCard:
    """Return a token with one option."""
    found = TokenOption("text/option", effect(*steps), action=action, **option)
    return TokenCard("token/it", kind, at, (found,))


def spent(bench: Bench) -> list[str]:
    """Return the actions that were spent, in order."""
    return [e.action for e in bench.happened(ActionSpent)]


def take_turn(bench: Bench, person: str) -> None:
    """Have somebody take a turn in which they do nothing."""
    begin_turn(bench, person)
    proceed(bench, "choice/end_turn")


# Rounds --------------------------------------------------------------------------------------


@pytest.mark.rule("ROUND-3")
@pytest.mark.rule("DECIDE-20")
@pytest.mark.rule("TURN-1")
def test_any_seat_can_start_a_turn_that_was_not_taken() -> None:
    """Each seat is offered its own investigator; whoever has had a turn is not offered."""
    bench = world(at=THREE, turn_of=None)
    take_turn(bench, BEN)

    assert offered(bench) == [f"choice/take_turn {ADA}", f"choice/take_turn {CORA}"]
    assert bench.open is not None
    assert bench.open.settle.value == "any_one"


@pytest.mark.rule("ROUND-3")
def test_the_order_of_turns_is_free_in_every_round() -> None:
    """The last of one round can be the first of the next."""
    bench = world(at=THREE, turn_of=None)

    proceed(bench, {0: 0, 1: 0, 2: 0})
    assert bench.game_table.active == ADA
    proceed(bench, "choice/end_turn")
    take_turn(bench, CORA)
    take_turn(bench, BEN)
    bench.emit(PhaseBegan(Phase.INVESTIGATOR, 2))

    assert len(offered(bench)) == 3


@pytest.mark.rule("TURN-1")
@pytest.mark.rule("ELIMINATED-3")
def test_an_eliminated_investigator_takes_no_turn() -> None:
    """Their seat is not asked; the one who is left just begins."""
    bench = world(at={ADA: "house/a", BEN: "house/b"}, turn_of=None)
    bench.emit(InvestigatorEliminated(BEN, 2))

    proceed(bench)

    assert bench.game_table.active == ADA


@pytest.mark.rule("ROUND-4")
@pytest.mark.rule("DECIDE-140")
def test_the_phase_cannot_end_before_everybody_had_a_turn() -> None:
    """Only then the end of the phase is offered, to every seat."""
    bench = world(at=THREE, turn_of=None)
    take_turn(bench, ADA)
    take_turn(bench, BEN)
    proceed(bench)
    assert bench.game_table.active == CORA
    proceed(bench, "choice/end_turn")

    assert offered(bench) == ["choice/end_phase"] * 3


@pytest.mark.rule("ROUND-5")
@pytest.mark.rule("ROUND-1")
def test_any_one_seat_ends_the_phase() -> None:
    """One press is enough, and the Mythos phase starts."""
    bench = world(turn_of=None)
    take_turn(bench, ADA)

    proceed(bench, "choice/end_phase")

    assert bench.asked[-1].settle.value == "any_one"
    assert bench.game_table.phase is Phase.MYTHOS
    assert bench.game_table.round_number == 1


@pytest.mark.rule("ROUND-2")
@pytest.mark.rule("DECIDE-29")
def test_a_new_round_gives_everybody_a_turn_again() -> None:
    """What counts by round begins anew."""
    bench = world(turn_of=None)
    begin_turn(bench, ADA)
    proceed(bench, "house/b", "choice/stop")
    proceed(bench, "choice/end_turn")
    bench.emit(PhaseBegan(Phase.MYTHOS, 1))

    while bench.game_table.phase is Phase.MYTHOS:
        proceed(bench)

    ada = bench.game_table.investigators[ADA]
    assert bench.game_table.round_number == 2
    assert (ada.has_taken_turn, ada.move_actions) == (False, 0)


@pytest.mark.rule("ROUND-2")
def test_what_the_scenario_has_for_a_new_round_comes_with_it() -> None:
    """A trigger of the beginning round, once."""
    trigger = Trigger("dusk", Moment.ROUND_BEGAN, (Say("text/dusk"),))
    bench = world(turn_of=None, scenario_parts={"triggers": (trigger,)})
    bench.emit(PhaseBegan(Phase.MYTHOS, 1))

    for _ in range(2):
        while bench.game_table.phase is Phase.MYTHOS:
            proceed(bench)
        bench.emit(PhaseBegan(Phase.MYTHOS, 2))

    assert [e.text.subject for e in bench.happened(Told)] == ["text/dusk"]


# Turns ---------------------------------------------------------------------------------------


@pytest.mark.rule("TURN-2")
@pytest.mark.rule("TURN-5")
def test_a_turn_has_two_actions() -> None:
    """After the second one it ends by itself."""
    bench = world()

    proceed(bench, "house/b", "choice/stop")
    assert bench.game_table.active == ADA
    proceed(bench, "house/a", "choice/stop")
    proceed(bench)

    assert spent(bench) == ["move", "move"]
    assert bench.happened(TurnEnded) == [TurnEnded(ADA)]


@pytest.mark.rule("TURN-3")
def test_a_turn_can_be_ended_without_an_action() -> None:
    """Fewer than two actions, or none."""
    bench = world()

    proceed(bench, "choice/end_turn")

    assert spent(bench) == []
    assert bench.game_table.investigators[ADA].has_taken_turn


@pytest.mark.rule("TURN-4")
def test_nobody_else_begins_before_the_turn_is_over() -> None:
    """While Ada is active nothing is asked of Ben."""
    bench = world(at={ADA: "house/a", BEN: "house/b"})

    offered(bench)

    assert bench.open is not None
    assert list(bench.open.prompts) == [0]


@pytest.mark.rule("ACTION-1")
def test_the_same_action_can_be_performed_twice() -> None:
    """Two searches in one turn."""
    bench = world(tokens=[token("house/a", GainClues())])

    proceed(bench, "text/option")
    proceed(bench, "text/option")

    assert spent(bench) == ["search", "search"]
    assert bench.game_table.investigators[ADA].clues == 2


@pytest.mark.rule("DECIDE-69")
@pytest.mark.rule("ELIMINATED-3")
def test_an_elimination_ends_the_turn_at_once() -> None:
    """Whoever is out of the game has no second action."""
    deadly = token("house/a", Suffer(Amount(7)), Suffer(Amount(7)))
    bench = world(at={ADA: "house/a", BEN: "house/b"}, tokens=[deadly])

    proceed(bench, "text/option")

    assert bench.game_table.investigators[ADA].is_eliminated
    assert bench.happened(TurnEnded) == [TurnEnded(ADA)]


@pytest.mark.rule("DECIDE-69")
def test_the_turn_of_somebody_who_is_gone_is_ended_first() -> None:
    """Whatever eliminated them; then the others go on."""
    bench = world(at={ADA: "house/a", BEN: "house/b"})
    bench.emit(InvestigatorEliminated(ADA, 2))

    proceed(bench)

    assert bench.happened(TurnEnded) == [TurnEnded(ADA)]


@pytest.mark.rule("GOLDEN-5")
@pytest.mark.rule("EX-8")
@pytest.mark.rule("ATTACK-1")
def test_what_can_be_done_is_offered_in_a_turn_and_never_forced() -> None:
    """The attack is one of the choices, beside ending the turn; outside a turn it is none."""
    bench = world(at={ADA: "house/a", BEN: "house/b"}, monsters=[(DROWNED, "house/a")])

    choices = offered(bench)
    assert "choice/attack_unarmed m1" in choices
    assert "choice/end_turn" in choices

    proceed(bench, "choice/end_turn")
    proceed(bench)
    assert bench.game_table.active == BEN
    assert not any("attack" in choice for choice in offered(bench))


# Interrupting a move -------------------------------------------------------------------------


@pytest.mark.rule("MOVE-3")
@pytest.mark.rule("MOVE-4")
@pytest.mark.rule("SEARCH-2")
@pytest.mark.rule("EX-31")
def test_a_move_can_be_interrupted_and_finished() -> None:
    """One space, a search there, then the second space."""
    bench = world(tiles=[tile(ROW)], tokens=[token("house/b", GainClues())])

    proceed(bench, "house/b", "text/option", "house/c")
    proceed(bench)

    assert spent(bench) == ["move", "search"]
    assert where(bench)[ADA] == "house/c"
    assert bench.happened(TurnEnded) == [TurnEnded(ADA)]


@pytest.mark.rule("DECIDE-21")
def test_a_move_can_be_interrupted_before_its_first_space() -> None:
    """By any action except another move."""
    bench = world(tiles=[tile(ROW)], tokens=[token("house/a", GainClues())])

    proceed(bench, "choice/move_later", ...)
    assert bench.open is not None
    subjects = bench.offered()

    assert "text/option" in subjects
    assert "choice/move_later" not in subjects


@pytest.mark.rule("DECIDE-15")
def test_a_move_can_be_interrupted_as_often_as_there_are_actions() -> None:
    """With three actions, two of them inside the move."""
    bench = world(turn_of=None, tokens=[token("house/b", GainClues())])
    begin_turn(bench, ADA, actions=3)

    proceed(bench, "house/b", "text/option", "text/option", "choice/stop")

    assert spent(bench) == ["move", "search", "search"]


@pytest.mark.rule("DECIDE-34")
@pytest.mark.rule("EVADE-6")
def test_a_forfeit_of_the_interrupting_action_keeps_the_movement() -> None:
    """The search is lost; the second space is still there, with a check of its own."""
    strict = monster_card(evades=(entry(Forfeit()), entry()))
    bench = world(
        tiles=[tile(ROW)],
        tokens=[token("house/b", GainClues())],
        monsters=[(DROWNED, "house/b")],
        monster_cards=[strict],
    )
    bench.give_picks(0, 1)

    proceed(bench, "house/b", "text/option", "house/c")

    assert bench.happened(ActionForfeited) == [ActionForfeited(ADA, "search")]
    assert bench.game_table.investigators[ADA].clues == 0
    assert where(bench)[ADA] == "house/c"


# The Wounded ---------------------------------------------------------------------------------


def wounded(**parts: Any) -> Bench:
    """Return a bench on which Ada is Wounded."""
    bench = world(turn_of=None, **parts)
    bench.emit(BecameWounded(ADA, "condition/wounded"))
    begin_turn(bench, ADA)
    return bench


@pytest.mark.rule("WOUNDED-5")
@pytest.mark.rule("DECIDE-1")
@pytest.mark.rule("EX-32")
def test_a_wounded_investigator_moves_once_a_round() -> None:
    """The second move action is refused, with its rule."""
    bench = wounded()
    proceed(bench, "house/b", "choice/stop")

    assert offered(bench) == ["choice/end_turn"]
    assert refused(bench) == [("choice/move", "WOUNDED-5")]


@pytest.mark.rule("DECIDE-27")
def test_moves_before_the_wound_count() -> None:
    """The limit is for the whole round."""
    bench = world()
    proceed(bench, "house/b", "choice/stop")
    bench.emit(BecameWounded(ADA, "condition/wounded"))

    assert offered(bench) == ["choice/end_turn"]


@pytest.mark.rule("DECIDE-27")
@pytest.mark.rule("DECIDE-29")
def test_the_wounded_limit_is_over_with_the_round() -> None:
    """In the next round there is a move again."""
    bench = wounded()
    proceed(bench, "house/b", "choice/stop")
    bench.emit(PhaseBegan(Phase.INVESTIGATOR, 2))
    begin_turn(bench, ADA)

    assert "choice/move_to house/a" in offered(bench)


@pytest.mark.rule("DECIDE-28")
@pytest.mark.rule("EX-32")
def test_the_wounded_limit_is_for_the_move_action_alone() -> None:
    """Another movement, such as an entry, is still offered."""
    bench = wounded(tokens=[token("house/b", MayMove(1))])
    proceed(bench, "house/b", "choice/stop")

    proceed(bench, "text/option", "house/a")

    assert where(bench)[ADA] == "house/a"


# Cards that change the move -------------------------------------------------------------------


@pytest.mark.rule("GOLDEN-1")
def test_a_card_beats_the_guide() -> None:
    """An ability of one more space makes the move three spaces long."""
    swift = investigator_card(ability=Powers(modifiers=(Modifier(ModifierKind.SPACES, 1),)))
    bench = world(tiles=[tile(ROW)], investigators=[swift])

    proceed(bench, "house/b", "house/c", "house/d")

    assert where(bench)[ADA] == "house/d"


@pytest.mark.rule("GOLDEN-3")
def test_a_cannot_is_absolute() -> None:
    """A card that forbids searching refuses the search."""
    barred = investigator_card(ability=Powers(modifiers=(Modifier(ModifierKind.NO_SEARCH),)))
    bench = world(tokens=[token("house/a", GainClues())], investigators=[barred])

    assert "text/option token/it" not in offered(bench)
    assert refused(bench) == [("text/option", "GOLDEN-3")]


# Secrets of the turn ---------------------------------------------------------------------------


def insane(back: str, **parts: Any) -> Bench:
    """Return a bench on which Ada is Insane with one of two backs."""
    backs = [
        insane_back("insane/still", powers=Powers(modifiers=(Modifier(ModifierKind.NO_SEARCH),))),
        insane_back("insane/calm"),
    ]
    bench = world(at={ADA: "house/a", BEN: "house/a"}, insane=backs, turn_of=None, **parts)
    handle = bench.game_table.piles[INSANE_DECK][0]
    bench.emit(BecameInsane(ADA, "condition/insane", handle, hidden(back)))
    begin_turn(bench, ADA)
    return bench


@pytest.mark.rule("SECRET-7")
@pytest.mark.rule("INSANE-7")
def test_what_a_back_forbids_shows_in_its_owners_question_alone() -> None:
    """The same question is asked about the same thing, whatever the back forbids in it."""
    asks = []
    for back in ("insane/still", "insane/calm"):
        bench = insane(back, tokens=[token("house/a", GainClues())])
        offered(bench)
        asks.append(bench.open)

    one, other = asks
    assert one is not None
    assert other is not None
    assert (one.rule, one.about, list(one.prompts)) == (other.rule, other.about, [0])
    assert len(one.prompts[0].options) < len(other.prompts[0].options)


@pytest.mark.rule("SECRET-7")
def test_a_turn_with_actions_left_is_asked_whatever_a_back_forbids() -> None:
    """That the question comes tells nothing."""
    logs = []
    for back in ("insane/still", "insane/calm"):
        bench = insane(back, tokens=[token("house/a", GainClues())])
        bench.emit(InvestigatorMoved(ADA, "house/a"))
        proceed(bench, "choice/end_turn")
        logs.append([type(e).__name__ for e in bench.log])

    assert logs[0] == logs[1]


# Component actions ---------------------------------------------------------------------------

BELL = ItemCard(
    "item/bell",
    "common",
    powers=Powers(action=ComponentAction((GainClues(),), once_per_round=True)),
)


@pytest.mark.rule("COMPONENT-1")
@pytest.mark.rule("COMPONENT-2")
@pytest.mark.rule("ACTION-4")
@pytest.mark.rule("COMPONENT-4")
def test_a_card_grants_an_action_to_its_holder() -> None:
    """It takes an action and does what the card says."""
    bench = world(items=[BELL], has={ADA: ["item/bell"]})

    proceed(bench, "choice/component")

    assert spent(bench) == ["component"]
    assert bench.game_table.investigators[ADA].clues == 1


@pytest.mark.rule("COMPONENT-2")
def test_nobody_uses_a_card_that_somebody_else_holds() -> None:
    """It lies in front of Ben."""
    bench = world(at={ADA: "house/a", BEN: "house/a"}, items=[BELL], has={BEN: ["item/bell"]})

    assert not any("component" in choice for choice in offered(bench))


@pytest.mark.rule("COMPONENT-1")
def test_a_component_action_that_was_used_up_is_refused() -> None:
    """The card says once a round."""
    bench = world(items=[BELL], has={ADA: ["item/bell"]})
    proceed(bench, "choice/component")

    offered(bench)

    assert refused(bench) == [("choice/component", "COMPONENT-1")]


@pytest.mark.rule("COMPONENT-1")
@pytest.mark.rule("SPEND-1")
def test_a_component_action_can_cost_the_card() -> None:
    """It is discarded as the cost, and its effect is resolved."""
    flask = ItemCard(
        "item/flask",
        "common",
        powers=Powers(action=ComponentAction((GainClues(),), discard=True)),
    )
    bench = world(items=[flask], has={ADA: ["item/flask"]})

    proceed(bench, "choice/component")

    assert bench.happened(PossessionDiscarded) == [PossessionDiscarded(ADA, "p1")]
    assert bench.game_table.investigators[ADA].clues == 1


@pytest.mark.rule("EVADE-4")
@pytest.mark.rule("FORFEIT-1")
def test_a_component_action_is_evaded_for_and_can_be_forfeited() -> None:
    """Forfeited, it costs the action and nothing of it is resolved."""
    strict = monster_card(evades=(entry(Forfeit()),))
    bench = world(
        items=[BELL],
        has={ADA: ["item/bell"]},
        monsters=[(DROWNED, "house/a")],
        monster_cards=[strict],
    )

    proceed(bench, "choice/component")

    assert bench.happened(ActionForfeited) == [ActionForfeited(ADA, "component")]
    assert bench.game_table.investigators[ADA].clues == 0
    assert bench.game_table.actions_left == 1


@pytest.mark.rule("COMPONENT-2")
@pytest.mark.rule("EVADE-4")
def test_a_card_that_the_check_took_away_does_nothing() -> None:
    """It is not held any more when the action would be performed."""
    thief = monster_card(evades=(entry(LoseItem("item/bell")),))
    bench = world(
        items=[BELL],
        has={ADA: ["item/bell"]},
        monsters=[(DROWNED, "house/a")],
        monster_cards=[thief],
    )

    proceed(bench, "choice/component")

    assert bench.game_table.investigators[ADA].clues == 0


@pytest.mark.rule("COMPONENT-1")
def test_a_component_action_asks_for_what_the_card_asks() -> None:
    """Without the Clue that the card wants it is refused."""
    lamp = ItemCard(
        "item/lamp",
        "common",
        powers=Powers(action=ComponentAction((GainClues(),), requires=HasClues(1))),
    )
    bench = world(items=[lamp], has={ADA: ["item/lamp"]})

    offered(bench)

    assert refused(bench) == [("choice/component", "COMPONENT-1")]


# Losing actions ------------------------------------------------------------------------------


@pytest.mark.rule("TURN-2")
@pytest.mark.rule("GOLDEN-1")
def test_an_effect_can_take_actions_of_the_turn() -> None:
    """A search that costs the next action ends the turn."""
    bench = world(tokens=[token("house/a", LoseActions(1))])

    proceed(bench, "text/option")
    proceed(bench)

    assert bench.happened(TurnEnded) == [TurnEnded(ADA)]


@pytest.mark.rule("GOLDEN-4")
@pytest.mark.rule("DECIDE-16")
@pytest.mark.rule("SETUP-9")
def test_a_player_alone_is_asked_for_both_investigators() -> None:
    """One seat starts the turns of both, in any order."""
    bench = world(at={ADA: "house/a", BEN: "house/b"}, seats=[(0, ADA), (0, BEN)], turn_of=None)

    proceed(bench, BEN)

    assert bench.happened(TurnBegan) == [TurnBegan(BEN, 2)]


@pytest.mark.rule("ACTION-2")
def test_the_common_actions_are_there() -> None:
    """Move, search, attack and trade in one question; each kind has tests of its own."""
    club = ItemCard("item/club", "common")
    bench = world(
        tokens=[token("house/a", GainClues())],
        monsters=[(DROWNED, "house/a")],
        items=[club],
        has={ADA: ["item/club"]},
    )

    choices = {choice.split()[0] for choice in offered(bench)}

    assert {"choice/slip_away", "text/option", "choice/attack_unarmed", "choice/trade"} <= choices
