"""Elimination: who is out of the game, and what remains of them."""

from typing import Any

import pytest

from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.effects import Amount, Who
from content.games.second_edition.schema.puzzles import Code
from content.games.second_edition.schema.requirements import IsEliminated
from content.games.second_edition.schema.scenario import Moment, Trigger
from content.games.second_edition.schema.targets import OneInvestigator
from protocol.games.second_edition.events import (
    AttemptBegan,
    CluesGained,
    GameEnded,
    InvestigatorMoved,
    PhaseBegan,
    Told,
)
from protocol.games.second_edition.table import Harm, Phase, Skill
from server.games.second_edition.rules import elimination, endings, interplay
from server.games.second_edition.rules.play import GameOver
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    insane_back,
    investigator_card,
    world,
)
from tests.games.second_edition.rules.worlds_effects import (
    KNIFE,
    LAMP,
    conditions_of,
    faceup,
    given,
    items_of,
    person,
    resolve,
    tags,
    told,
)

rule = pytest.mark.rule
THREE = {ADA: "house/a", BEN: "house/b", CORA: "house/c"}


def eliminate(bench: Bench, who: str = ADA) -> None:
    bench.run(elimination.eliminate(bench.game, who))


@rule("ELIMINATED-1")
@rule("DROP-1")
@rule("EX-22")
def test_everything_is_dropped_in_the_last_space_before_the_figure_goes() -> None:
    bench = world(at=THREE, items=[KNIFE, LAMP])
    given(bench, KNIFE.id, LAMP.id)

    eliminate(bench)

    assert items_of(bench) == []
    assert [p.card for p in bench.game_table.lying["house/a"]] == [KNIFE.id, LAMP.id]
    assert tags(bench)[-3:] == ["se/possession_dropped"] * 2 + ["se/investigator_eliminated"]


@rule("ELIMINATED-2")
def test_figure_is_removed() -> None:
    bench = world(at=THREE)

    eliminate(bench)

    assert person(bench).space is None
    assert bench.game_table.standing() == (BEN, CORA)


@rule("DECIDE-68")
def test_all_but_possessions_stays_with_the_investigator() -> None:
    bench = world(at=THREE)
    bench.emit(CluesGained(ADA, 2))

    resolve(bench, steps.Suffer(damage=Amount(7)))

    assert person(bench).is_eliminated
    assert person(bench).clues == 2
    assert conditions_of(bench) == ["condition/wounded"]
    assert len(faceup(bench, Harm.DAMAGE)) == 7


@rule("ELIMINATED-5")
@rule("DECIDE-66")
@rule("EX-22")
@pytest.mark.parametrize("phase", [Phase.INVESTIGATOR, Phase.MYTHOS])
def test_next_investigator_phase_is_the_last(phase: Phase) -> None:
    """If somebody is eliminated in round 5, the Investigator phase of round 6 is the last."""
    bench = world(at=THREE)
    bench.emit(PhaseBegan(phase, 5))

    eliminate(bench)

    assert bench.game_table.countdown == 6


@rule("DECIDE-67")
def test_second_elimination_does_not_extend_the_countdown() -> None:
    """With Ada out in round 1 and Ben in round 2, round 2 is still the last."""
    bench = world(at=THREE)
    eliminate(bench)
    bench.emit(PhaseBegan(Phase.INVESTIGATOR, 2))

    eliminate(bench, BEN)

    assert bench.game_table.countdown == 2


@rule("ELIMINATED-8")
def test_game_ends_at_once_when_all_are_eliminated() -> None:
    bench = world(at={ADA: "house/a", BEN: "house/b"})
    eliminate(bench)

    with pytest.raises(GameOver):
        eliminate(bench, BEN)

    (ended,) = bench.happened(GameEnded)
    assert not ended.ending.is_won
    assert [result.has_won for result in ended.ending.results] == [False, False]
    assert ended.ending.epilogue.subject == "text/epilogue_eliminated"


@rule("DECIDE-72")
def test_game_goes_on_for_the_other_investigator_of_a_player_alone() -> None:
    """One seat has two investigators."""
    at = {ADA: "house/a", BEN: "house/b"}
    bench = world(at=at, seats=[(0, ADA), (0, BEN)])

    eliminate(bench)

    assert bench.happened(GameEnded) == []
    assert bench.game_table.standing() == (BEN,)


@rule("DECIDE-73")
def test_scenario_answers_an_elimination_by_itself() -> None:
    trigger = Trigger("gone", Moment.INVESTIGATOR_ELIMINATED, (steps.Say("text/gone"),))
    bench = world(at=THREE, scenario_parts={"triggers": (trigger,)})

    eliminate(bench)

    assert [event.text.subject for event in bench.happened(Told)] == ["text/gone"]


@rule("ELIMINATED-4")
@rule("DECIDE-71")
def test_eliminated_investigator_loses_although_the_others_win() -> None:
    bench = world(at=THREE)
    eliminate(bench)

    assert results(bench, won=True) == [False, True, True]


@rule("ELIMINATED-4")
@rule("INSANE-8")
@rule("WIN-6")
@rule("WIN-7")
@rule("DECIDE-71")
@pytest.mark.parametrize("is_out", [True, False])
def test_insane_back_can_make_its_owner_win_by_elimination(*, is_out: bool) -> None:
    """The back says: you win if you are eliminated. Ada then wins whatever the others do."""
    back = insane_back(wins=IsEliminated(value=True))
    bench = world(at=THREE, insane=[back])
    resolve(bench, steps.Become(interplay.INSANE))
    if is_out:
        eliminate(bench)

    assert results(bench, won=False) == [is_out, False, False]


def results(bench: Bench, *, won: bool) -> list[bool]:
    """End the game; return who has won, in seat order."""
    with pytest.raises(GameOver):
        endings.end(bench.game, won=won, epilogue="text/epilogue")
    (ended,) = bench.happened(GameEnded)
    return [result.has_won for result in ended.ending.results]


# In the middle of an effect ----------------------------------------------------------------


DEADLY = steps.Suffer(damage=Amount(7))


@rule("DECIDE-69")
def test_effect_on_several_goes_on_for_the_others() -> None:
    """All three suffer one Damage, which eliminates Ada; Ben and Cora still suffer it."""
    bench = world(at=THREE, investigators=[investigator_card(ADA, health=1)])

    resolve(bench, steps.Suffer(damage=Amount(1), who=Who.ALL))

    assert person(bench).is_eliminated
    assert [len(faceup(bench, Harm.DAMAGE, who)) for who in THREE] == [1, 1, 1]


@rule("DECIDE-69")
def test_what_the_eliminated_one_would_have_to_do_is_passed_over() -> None:
    """Tests, gains and choices are skipped, and the story continues."""
    bench = world(at=THREE, items=[KNIFE])
    rest: tuple[Any, ...] = (
        steps.SkillTest(Skill.WILL, passed=(steps.Say("text/passed"),)),
        steps.GainClues(),
        steps.GainItem(KNIFE.id),
        steps.Choose(
            "text/which", (steps.EffectChoice("text/one"), steps.EffectChoice("text/two"))
        ),
        steps.MayMove(2),
        steps.Say("text/after"),
    )

    resolve(bench, DEADLY, *rest)

    assert told(bench) == ["text/after"]
    assert (person(bench).clues, items_of(bench)) == (0, [])


@rule("DECIDE-69")
def test_others_still_suffer_after_the_actor_is_out() -> None:
    bench = world(at=THREE)

    resolve(bench, DEADLY, steps.Suffer(horror=Amount(1), who=Who.OTHERS))

    assert [len(faceup(bench, Harm.HORROR, who)) for who in THREE] == [0, 1, 1]


@rule("DECIDE-148")
def test_investigator_whose_figure_is_off_the_board_drops_nothing() -> None:
    bench = world(at=THREE, items=[KNIFE])
    given(bench, KNIFE.id)
    bench.emit(InvestigatorMoved(ADA, None))

    eliminate(bench)

    assert items_of(bench) == [KNIFE.id]
    assert bench.game_table.lying == {}


@rule("DECIDE-69")
def test_what_only_a_figure_can_do_is_left_out_for_the_eliminated() -> None:
    """Ada tries no puzzle; the rest of the effect is resolved."""
    bench = world(at=THREE, scenario_parts={"codes": (Code("code/chain", 2, ("1", "2")),)})
    eliminate(bench)

    resolve(bench, steps.Attempt("code/chain", Skill.LORE), steps.Say("text/on"))

    assert bench.happened(AttemptBegan) == []
    assert [event.text.subject for event in bench.happened(Told)] == ["text/on"]


@rule("DECIDE-69")
def test_whoever_falls_to_what_another_sets_off_has_no_part_of_their_own() -> None:
    """Ben is eliminated during Ada's part of the effect, so Cora's part is next."""
    bench = world(at=THREE, investigators=[investigator_card(BEN, health=1)])
    hurt = steps.Suffer(damage=Amount(1), facedown=True, who=OneInvestigator(BEN))

    resolve(bench, steps.ForEach(Who.ALL, (steps.Say("text/each"), hurt, hurt)), answers=[0])

    told = [event.text.params[0] for event in bench.happened(Told)]
    assert told == [ADA, CORA]
