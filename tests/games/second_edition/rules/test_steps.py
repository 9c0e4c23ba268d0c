"""Steps that change the turn, the board and the card with the text."""

import attrs
import pytest

from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.effects import Amount, Who
from content.games.second_edition.schema.scenario import TokenCard
from protocol.common.events import Dealt
from protocol.games.second_edition.events import ActionForfeited
from protocol.games.second_edition.table import Harm, Skill, TokenKind
from server.games.second_edition.rules import actions
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    DROWNED,
    RAT,
    entry,
    monster_card,
    spawned,
    where,
    world,
)
from tests.games.second_edition.rules.worlds_effects import (
    IDOL,
    KNIFE,
    facedown_count,
    faceup,
    given,
    items_of,
    person,
    questions,
    resolve,
    say,
    told_words,
)

rule = pytest.mark.rule
TWO = {ADA: "house/a", BEN: "house/a"}
THREE = {ADA: "house/a", BEN: "house/a", CORA: "house/c"}


# The action and the turn -------------------------------------------------------------------


@rule("EVADE-6")
def test_forfeit_is_handed_to_whoever_made_the_check() -> None:
    """A forfeit inside a branch counts too, and the following steps are still resolved."""
    bench = world()
    bench.give_dice("BBB")
    test = steps.SkillTest(Skill.AGILITY, failed=(steps.Forfeit(),))

    outcome = resolve(bench, test, say("after"))

    assert outcome.is_forfeited
    assert told_words(bench) == ["after"]
    assert not resolve(bench, say("other")).is_forfeited


@rule("EVADE-6")
def test_only_the_actor_forfeits_for_the_actor() -> None:
    """Ben's forfeit in the same effect does not cost Ada her action."""
    bench = world(at=TWO)

    assert not resolve(bench, steps.ForEach(Who.OTHERS, (steps.Forfeit(),))).is_forfeited
    assert resolve(bench, steps.ForEach(Who.ALL, (steps.Forfeit(),))).is_forfeited


@rule("FORFEIT-1")
def test_forfeited_action_is_lost_without_any_of_its_effects() -> None:
    """The evade check before a search forfeits it: the action is spent without effect."""
    card = monster_card(evades=(entry(steps.Forfeit()),))
    bench = world(monster_cards=[card], monsters=[(DROWNED, "house/a")])

    goes_on = bench.run(actions.begin(bench.game, ADA, "search"))

    assert goes_on is False
    assert bench.happened(ActionForfeited) == [ActionForfeited(ADA, "search")]
    assert bench.game_table.actions_left == 1


@rule("TURN-2")
@pytest.mark.parametrize(("lost", "left"), [(1, 1), (2, 0), (3, 0)])
def test_actions_of_the_turn_are_lost_as_far_as_there_are_any(lost: int, left: int) -> None:
    """Ada has two actions to lose; Ben, whose turn it is not, has none."""
    bench = world(at=TWO)

    resolve(bench, steps.LoseActions(1), actor=BEN)
    resolve(bench, steps.LoseActions(lost))

    assert bench.game_table.actions_left == left


@rule("MOVE-14")
def test_may_move_is_the_actors_choice() -> None:
    bench = world(at=TWO)

    resolve(bench, steps.MayMove(1), answers=["house/b"], actor=BEN)

    assert where(bench) == {ADA: "house/a", BEN: "house/b"}


@rule("EX-10")
@rule("MOVE-15")
@rule("EVADE-8")
def test_move_away_is_not_asked() -> None:
    bench = world()
    monster = spawned(bench, DROWNED, "house/a")

    resolve(bench, steps.MoveAway(1), monster=monster)

    assert where(bench)[ADA] == "house/b"
    assert told_words(bench) == []


@rule("MOVE-12")
@rule("MOVE-13")
def test_figures_are_placed_without_passing_through() -> None:
    bench = world(at={**THREE, CORA: "house/b"})

    resolve(bench, steps.PlaceInvestigator("house/c", who=Who.HERE))

    assert where(bench) == {ADA: "house/c", BEN: "house/c", CORA: "house/b"}


# The board ---------------------------------------------------------------------------------

DOORMAT = TokenCard("token/mat", TokenKind.SEARCH, "house/b", ())


@rule("TILE-4")
@rule("TOKEN-1")
@rule("DISCARD-3")
def test_tiles_and_tokens_are_placed_and_tokens_removed() -> None:
    bench = world(tokens=[DOORMAT])

    resolve(bench, steps.RemoveToken("token/mat"))
    assert bench.game_table.tokens == {}

    resolve(bench, steps.PlaceToken("token/mat"), steps.PlaceTile("house"))
    assert list(bench.game_table.tokens) == ["token/mat"]
    assert len(bench.game_table.tiles) == 1


@rule("EXPLORE-3")
@rule("EXPLORE-4")
@rule("GOLDEN-6")
def test_entry_through_a_door_is_an_offer() -> None:
    bench = world(at={ADA: "house/b"})

    resolve(bench, steps.MayEnter("house/1"), answers=["house/c"])

    assert where(bench)[ADA] == "house/c"
    assert questions(bench) == ["EXPLORE-3"]


@rule("MONSTER-6")
@rule("EVENT-5")
def test_monsters_appear_where_the_effect_says() -> None:
    bench = world(at={ADA: "house/b"})
    bench.give_picks(2)

    resolve(
        bench,
        steps.Spawn(RAT, "house/a"),
        steps.Spawn(RAT, "actor"),
        steps.Spawn(DROWNED, "random"),
    )

    assert list(where(bench).values()) == ["house/b", "house/a", "house/b", "house/c"]
    assert len(bench.happened(Dealt)[-1].choice.value.options) == 3


@rule("DECIDE-150")
@rule("DECIDE-134")
def test_number_of_monsters_grows_with_the_investigators_and_ends_with_the_box() -> None:
    """Two for each of three investigators are six, but there are four copies."""
    bench = world(at=THREE)

    resolve(bench, steps.Spawn(RAT, "house/a", count=Amount(0, each=2)))

    assert len(bench.game_table.monsters) == 4


def test_monster_does_not_appear_off_the_board() -> None:
    bench = world()

    resolve(bench, steps.Spawn(RAT, "cellar/a"))

    assert bench.game_table.monsters == {}


# The card whose text it is -----------------------------------------------------------------


@rule("DISCARD-1")
def test_item_discards_itself() -> None:
    bench = world(items=[KNIFE, IDOL])
    (knife, _) = given(bench, KNIFE.id, IDOL.id)

    resolve(bench, steps.DiscardThis(), steps.DiscardThis(), possession=knife)

    assert items_of(bench) == [IDOL.id]


@rule("DISCARD-2")
@rule("DECIDE-58")
def test_harm_card_turns_itself_down_or_discards_itself() -> None:
    bench = world()
    resolve(bench, steps.Suffer(damage=Amount(2)))
    first, second = person(bench).faceup_cards(Harm.DAMAGE)

    resolve(bench, *[steps.TurnThisFacedown()] * 2, harm=Harm.DAMAGE, handle=first.handle)
    resolve(bench, *[steps.DiscardThis()] * 2, harm=Harm.DAMAGE, handle=second.handle)

    assert faceup(bench, Harm.DAMAGE) == []
    assert facedown_count(bench, Harm.DAMAGE) == 1


def test_effect_without_a_card_of_its_own_turns_nothing() -> None:
    bench = world()
    before = attrs.evolve(bench.game_table)

    resolve(bench, steps.TurnThisFacedown(), steps.DiscardThis())

    assert bench.game_table == before
