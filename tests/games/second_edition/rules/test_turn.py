"""Turns: who acts, and which actions are possible."""

from typing import Any

import pytest

from content.games.second_edition.schema.cards import ItemCard, Modifier, ModifierKind, Powers
from content.games.second_edition.schema.effects import (
    Amount,
    Forfeit,
    GainClues,
    LoseActions,
    MayMove,
    Suffer,
)
from content.games.second_edition.schema.scenario import TokenCard, TokenOption
from protocol.event import hidden
from protocol.games.second_edition.events import (
    ActionForfeited,
    BecameInsane,
    BecameWounded,
    InvestigatorEliminated,
    InvestigatorMoved,
    PhaseBegan,
    TurnBegan,
    TurnEnded,
)
from protocol.games.second_edition.table import INSANE_DECK, Phase, TokenKind
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
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
from tests.games.second_edition.rules.worlds_effects import spent


def token(
    at: str,
    *steps: Any,
    kind: TokenKind = TokenKind.SEARCH,
    action: bool = True,
    **option: Any,
) -> TokenCard:
    found = TokenOption("text/option", effect(*steps), action=action, **option)
    return TokenCard("token/it", kind, at, (found,))


# Turns ---------------------------------------------------------------------------------------


@pytest.mark.rule("TURN-2")
@pytest.mark.rule("TURN-5")
def test_a_turn_has_two_actions() -> None:
    bench = world()

    proceed(bench, "house/b", "choice/stop")
    assert bench.game_table.active == ADA
    proceed(bench, "house/a", "choice/stop")
    proceed(bench)

    assert spent(bench) == ["move", "move"]
    assert bench.happened(TurnEnded) == [TurnEnded(ADA)]


@pytest.mark.rule("TURN-3")
def test_a_turn_can_be_ended_without_an_action() -> None:
    bench = world()

    proceed(bench, "choice/end_turn")

    assert spent(bench) == []
    assert bench.game_table.investigators[ADA].has_taken_turn


@pytest.mark.rule("TURN-4")
def test_nobody_else_begins_before_the_turn_is_over() -> None:
    bench = world(at={ADA: "house/a", BEN: "house/b"})

    offered(bench)

    assert bench.open is not None
    assert list(bench.open.prompts) == [0]


@pytest.mark.rule("ACTION-1")
def test_the_same_action_can_be_performed_twice() -> None:
    bench = world(tokens=[token("house/a", GainClues())])

    proceed(bench, "text/option")
    proceed(bench, "text/option")

    assert spent(bench) == ["search", "search"]
    assert bench.game_table.investigators[ADA].clues == 2


@pytest.mark.rule("DECIDE-69")
@pytest.mark.rule("ELIMINATED-3")
def test_an_elimination_ends_the_turn_at_once() -> None:
    deadly = token("house/a", Suffer(Amount(7)), Suffer(Amount(7)))
    bench = world(at={ADA: "house/a", BEN: "house/b"}, tokens=[deadly])

    proceed(bench, "text/option")

    assert bench.game_table.investigators[ADA].is_eliminated
    assert bench.happened(TurnEnded) == [TurnEnded(ADA)]


@pytest.mark.rule("DECIDE-69")
def test_the_turn_of_somebody_who_is_gone_is_ended_first() -> None:
    bench = world(at={ADA: "house/a", BEN: "house/b"})
    bench.emit(InvestigatorEliminated(ADA, 2))

    proceed(bench)

    assert bench.happened(TurnEnded) == [TurnEnded(ADA)]


@pytest.mark.rule("GOLDEN-5")
@pytest.mark.rule("EX-8")
@pytest.mark.rule("ATTACK-1")
def test_what_can_be_done_is_offered_in_a_turn_and_never_forced() -> None:
    """The attack is a choice beside ending the turn, and none outside a turn."""
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
    bench = world(tiles=[tile(ROW)], tokens=[token("house/b", GainClues())])

    proceed(bench, "house/b", "text/option", "house/c")
    proceed(bench)

    assert spent(bench) == ["move", "search"]
    assert where(bench)[ADA] == "house/c"
    assert bench.happened(TurnEnded) == [TurnEnded(ADA)]


@pytest.mark.rule("DECIDE-21")
def test_a_move_can_be_interrupted_before_its_first_space() -> None:
    bench = world(tiles=[tile(ROW)], tokens=[token("house/a", GainClues())])

    proceed(bench, "choice/move_later", ...)
    assert bench.open is not None
    subjects = bench.offered()

    assert "text/option" in subjects
    assert "choice/move_later" not in subjects


@pytest.mark.rule("DECIDE-15")
def test_a_move_can_be_interrupted_as_often_as_there_are_actions() -> None:
    bench = world(turn_of=None, tokens=[token("house/b", GainClues())])
    begin_turn(bench, ADA, actions=3)

    proceed(bench, "house/b", "text/option", "text/option", "choice/stop")

    assert spent(bench) == ["move", "search", "search"]


@pytest.mark.rule("DECIDE-34")
@pytest.mark.rule("EVADE-6")
def test_a_forfeit_of_the_interrupting_action_keeps_the_movement() -> None:
    """The search is lost; the second space is still available, with a check of its own."""
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
    bench = world(turn_of=None, **parts)
    bench.emit(BecameWounded(ADA, "condition/wounded"))
    begin_turn(bench, ADA)
    return bench


@pytest.mark.rule("WOUNDED-5")
@pytest.mark.rule("DECIDE-1")
@pytest.mark.rule("EX-32")
def test_a_wounded_investigator_moves_once_a_round() -> None:
    bench = wounded()
    proceed(bench, "house/b", "choice/stop")

    assert offered(bench) == ["choice/end_turn"]
    assert refused(bench, "choice/move") == [("choice/move", "WOUNDED-5")]


@pytest.mark.rule("DECIDE-27")
def test_moves_before_the_wound_count() -> None:
    """A move action taken before the wound counts toward the limit of the round."""
    bench = world()
    proceed(bench, "house/b", "choice/stop")
    bench.emit(BecameWounded(ADA, "condition/wounded"))

    assert offered(bench) == ["choice/end_turn"]


@pytest.mark.rule("DECIDE-27")
@pytest.mark.rule("DECIDE-29")
def test_the_wounded_limit_is_over_with_the_round() -> None:
    bench = wounded()
    proceed(bench, "house/b", "choice/stop")
    bench.emit(PhaseBegan(Phase.INVESTIGATOR, 2))
    begin_turn(bench, ADA)

    assert "choice/move_to house/a" in offered(bench)


@pytest.mark.rule("DECIDE-28")
@pytest.mark.rule("EX-32")
def test_the_wounded_limit_is_for_the_move_action_alone() -> None:
    """Other movement, such as an entry, is still offered."""
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
    assert refused(bench, "text/option") == [("text/option", "GOLDEN-3")]


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
    """The text of the question is the same for every back."""
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
    logs = []
    for back in ("insane/still", "insane/calm"):
        bench = insane(back, tokens=[token("house/a", GainClues())])
        bench.emit(InvestigatorMoved(ADA, "house/a"))
        proceed(bench, "choice/end_turn")
        logs.append([type(e).__name__ for e in bench.log])

    assert logs[0] == logs[1]


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
    """Move, search, attack and trade are in one question; each has tests of its own."""
    club = ItemCard("item/club", "common")
    bench = world(
        tokens=[token("house/a", GainClues())],
        monsters=[(DROWNED, "house/a")],
        items=[club],
        has={ADA: ["item/club"]},
    )

    choices = {choice.split()[0] for choice in offered(bench)}

    assert {"choice/slip_away", "text/option", "choice/attack_unarmed", "choice/trade"} <= choices
