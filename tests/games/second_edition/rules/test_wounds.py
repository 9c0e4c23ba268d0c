"""Wounded and Insane: the results of too much Damage or Horror."""

from collections.abc import Sequence
from typing import Any

import pytest

from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.cards import ConditionCard, InsaneBack
from content.games.second_edition.schema.effects import Amount
from protocol.common.events import Shuffled
from protocol.games.second_edition.events import (
    BecameInsane,
    BecameWounded,
    HarmDiscarded,
    HarmTaken,
    InvestigatorEliminated,
)
from protocol.games.second_edition.table import INSANE_DECK, Harm, deck
from server.games.second_edition.rules import elimination, interplay, setup
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
    conditions_of,
    facedown_count,
    faceup,
    keeps,
    person,
    questions,
    resolve,
    shown_to,
    suffer,
    tags,
)

rule = pytest.mark.rule
D, H = Harm.DAMAGE, Harm.HORROR
BOTH = {ADA: "house/a", BEN: "house/b"}


def frail(health: int, sanity: int = 7, **parts: Any) -> Bench:
    """Return a world with a frail Ada, and Ben far away to keep the game going."""
    card = investigator_card(ADA, health=health, sanity=sanity)
    return world(at=BOTH, investigators=[card], **parts)


def backs(bench: Bench) -> list[str]:
    """Return the Insane backs gained, as the server knows them."""
    return [event.back.value for event in bench.happened(BecameInsane)]


# Wounded -----------------------------------------------------------------------------------


@rule("EX-21")
@rule("WOUNDED-1")
@rule("WOUNDED-3")
@rule("WOUNDED-4")
@rule("WOUNDED-6")
def test_surplus_is_suffered_first_then_facedown_damage_goes_and_one_more_eliminates() -> None:
    """With health 7, Ada has 3 faceup and 3 facedown.

    Three more make 9, of which 6 stay; a seventh eliminates her.
    """
    bench = world(at=BOTH)
    suffer(bench, damage=3)
    suffer(bench, damage=3, facedown=True)

    suffer(bench, damage=3)

    assert (len(faceup(bench, D)), facedown_count(bench, D)) == (6, 0)
    assert person(bench).is_wounded
    assert len(bench.happened(HarmTaken)) == 9
    assert isinstance(bench.log[-1], Shuffled)
    assert bench.log[-1].pile == deck(D)

    suffer(bench, damage=1)

    assert [event.investigator for event in bench.happened(InvestigatorEliminated)] == [ADA]


@rule("WOUNDED-1")
@rule("DECIDE-2")
@rule("DECIDE-3")
@rule("GOLDEN-2")
@pytest.mark.parametrize(("damage", "is_wounded"), [(2, False), (3, True), (4, True)])
def test_damage_equal_to_or_above_health_wounds(damage: int, is_wounded: bool) -> None:
    """With health 3 and all Damage facedown, two do not wound, but three and four do."""
    bench = frail(3)

    suffer(bench, damage=damage, facedown=True)

    assert person(bench).is_wounded is is_wounded


@rule("WOUNDED-1")
def test_faceup_and_facedown_damage_count_together() -> None:
    """One faceup and two facedown Damage cards count as three."""
    bench = frail(3)
    suffer(bench, damage=1)

    suffer(bench, damage=2, facedown=True)

    assert person(bench).is_wounded


@rule("WOUNDED-2")
def test_wounded_investigator_has_the_condition() -> None:
    bench = frail(1)

    suffer(bench, damage=1, facedown=True)

    assert conditions_of(bench) == [interplay.WOUNDED]


@rule("WOUNDED-3")
def test_faceup_damage_stays() -> None:
    """Of one faceup and two facedown, the faceup one is kept, and no Horror is discarded."""
    bench = frail(3)
    suffer(bench, damage=1)
    suffer(bench, horror=1, facedown=True)

    suffer(bench, damage=2, facedown=True)

    assert (len(faceup(bench, D)), facedown_count(bench, D)) == (1, 0)
    assert facedown_count(bench, H) == 1


@rule("DECIDE-52")
def test_surplus_does_not_count_twice() -> None:
    """With health 2, five facedown from one effect wound, and none is left to count."""
    bench = frail(2)

    suffer(bench, damage=5, facedown=True)

    assert bench.game_table.harm_count(ADA, D) == 0
    assert not person(bench).is_eliminated


@rule("WOUNDED-6")
def test_wounded_investigator_below_the_threshold_stays() -> None:
    """With health 2, one Damage after the wound changes nothing and a second one eliminates."""
    bench = frail(2)
    suffer(bench, damage=2, facedown=True)

    suffer(bench, damage=1)
    assert not person(bench).is_eliminated

    suffer(bench, damage=1, facedown=True)
    assert person(bench).is_eliminated


@rule("DECIDE-53")
def test_faceup_cards_that_still_reach_the_threshold_eliminate_at_once() -> None:
    """Two Keep Faceup cards against health 2 wound and then eliminate."""
    bench = frail(2)

    suffer(bench, damage=2)

    ends = [t for t in tags(bench) if t in {"se/became_wounded", "se/investigator_eliminated"}]
    assert ends == ["se/became_wounded", "se/investigator_eliminated"]


@rule("DECIDE-65")
@rule("CONDITION-3")
def test_wounded_again_changes_nothing() -> None:
    bench = frail(4)
    suffer(bench, damage=2, facedown=True)

    resolve(bench, steps.Become(interplay.WOUNDED))
    suffer(bench, damage=1, facedown=True)
    resolve(bench, steps.Become(interplay.WOUNDED))

    assert conditions_of(bench) == [interplay.WOUNDED]
    assert facedown_count(bench, D) == 1


# Insane ------------------------------------------------------------------------------------


@rule("INSANE-1")
@rule("DECIDE-3")
@pytest.mark.parametrize(("horror", "is_insane"), [(2, False), (3, True), (4, True)])
def test_horror_equal_to_or_above_sanity_drives_insane(horror: int, is_insane: bool) -> None:
    """Sanity is 3, and all Horror is facedown."""
    bench = frail(7, 3)

    suffer(bench, horror=horror, facedown=True)

    assert person(bench).is_insane is is_insane


@rule("INSANE-2")
@rule("INSANE-3")
@rule("INSANE-4")
def test_insane_investigator_gains_a_condition_and_discards_facedown_horror() -> None:
    """One faceup, one facedown and two more make four; then the faceup one remains."""
    bench = frail(7, 3)
    suffer(bench, horror=1)
    suffer(bench, horror=1, facedown=True)

    suffer(bench, horror=2, facedown=True)

    story = [t for t in tags(bench) if t in {"se/harm_taken", "se/became_insane"}]
    assert story == ["se/harm_taken"] * 4 + ["se/became_insane"]
    assert conditions_of(bench) == [interplay.INSANE]
    assert (len(faceup(bench, H)), facedown_count(bench, H)) == (1, 0)
    assert [event.harm for event in bench.happened(HarmDiscarded)] == [H] * 3


@rule("INSANE-9")
def test_insane_investigator_at_the_threshold_is_eliminated() -> None:
    """With sanity 1, the next Horror eliminates an Insane investigator."""
    bench = frail(7, 1)
    suffer(bench, horror=1, facedown=True)
    assert not person(bench).is_eliminated

    suffer(bench, horror=1, facedown=True)

    assert person(bench).is_eliminated


@rule("CONDITION-4")
@rule("INSANE-2")
@rule("RANDOM-2")
def test_copy_is_drawn_at_random() -> None:
    bench = frail(7, 1, insane=[insane_back("insane/one"), insane_back("insane/two")])
    bench.give_order(INSANE_DECK, ["insane/two", "insane/one", "insane/two", "insane/one"])

    suffer(bench, horror=1, facedown=True)

    assert backs(bench) == ["insane/two"]
    assert len(bench.game_table.piles[INSANE_DECK]) == 3


@rule("INSANE-7")
@rule("SECRET-6")
@rule("SECRET-7")
@rule("DECIDE-63")
def test_back_is_told_to_its_owner_alone() -> None:
    """The name never reaches Ben's seat or a spectator."""
    bench = frail(7, 1, insane=[insane_back("insane/canary")])

    suffer(bench, horror=1, facedown=True)

    assert "insane/canary" in list(shown_to(bench, 0))
    assert "insane/canary" not in list(shown_to(bench, 1))
    assert "insane/canary" not in list(shown_to(bench, None))


def stocked(seats: Sequence[tuple[int, str]], *minimums: int) -> Bench:
    """Return a world whose Insane pile has one back for each of these minimum player counts."""
    insane = [InsaneBack(f"insane/for-{n}", 1, n) for n in minimums]
    at = dict.fromkeys((who for _, who in seats), "house/a")
    people = [investigator_card(who, sanity=1) for _, who in seats]
    bench = world(at=at, seats=seats, insane=insane, investigators=people)
    setup.lay_out_decks(bench.game)
    return bench


def in_the_pile(bench: Bench) -> list[str]:
    """Return the backs that can still be drawn."""
    table = bench.game_table
    return [table.card_of(handle) for handle in table.piles[INSANE_DECK]]


@rule("EX-23")
@rule("INSANE-5")
@rule("INSANE-6")
@rule("DECIDE-4")
@rule("DECIDE-150")
def test_player_alone_gets_no_back_for_two() -> None:
    """A person with two investigators counts as one, so a back of minimum 2 never comes."""
    bench = stocked([(0, ADA), (0, BEN)], 2, 1, 2)

    suffer(bench, horror=1, facedown=True)

    assert backs(bench) == ["insane/for-1"]


@rule("INSANE-6")
@rule("DECIDE-60")
@rule("DECIDE-62")
def test_rejected_back_shows_nowhere_and_does_not_come_again() -> None:
    """With two players, the back for three is not even in the pile."""
    bench = stocked([(0, ADA), (1, BEN)], 3, 2, 1)

    assert in_the_pile(bench) == ["insane/for-2", "insane/for-1"]
    suffer(bench, horror=1, facedown=True)
    suffer(bench, who=BEN, horror=1, facedown=True)

    assert sorted(backs(bench)) == ["insane/for-1", "insane/for-2"]
    seen = [word for seat in (0, 1) for word in shown_to(bench, seat)]
    assert "insane/for-3" not in seen


@rule("DECIDE-59")
def test_players_are_counted_as_they_were_at_the_start() -> None:
    """Two of three are eliminated, and backs for three still come."""
    bench = stocked([(0, ADA), (1, BEN), (2, CORA)], 3)
    for who in (ADA, BEN):
        bench.run(elimination.eliminate(bench.game, who))

    suffer(bench, who=CORA, horror=1, facedown=True)

    assert backs(bench) == ["insane/for-3"]


@rule("DECIDE-61")
def test_investigator_is_insane_also_where_no_back_is_left() -> None:
    """The investigator is Insane without a text, and the next threshold still eliminates."""
    bench = stocked([(0, ADA), (1, BEN)], 5)

    suffer(bench, horror=1, facedown=True)
    assert person(bench).is_insane
    assert backs(bench) == [""]

    suffer(bench, horror=1, facedown=True)
    assert person(bench).is_eliminated


# Both --------------------------------------------------------------------------------------


@rule("DECIDE-54")
@rule("DECIDE-142")
@rule("CONFLICT-2")
@pytest.mark.parametrize(
    ("first", "order"),
    [
        ("damage_first", [BecameWounded, BecameInsane]),
        ("horror_first", [BecameInsane, BecameWounded]),
    ],
)
def test_owner_orders_wounded_and_insane_at_the_same_moment(first: str, order: list[type]) -> None:
    """One effect reaches both thresholds, and only Ada's player is asked."""
    bench = frail(1, 1)

    suffer(bench, first, damage=1, horror=1, facedown=True)

    became = [type(e) for e in bench.log if isinstance(e, BecameWounded | BecameInsane)]
    assert became == order
    assert questions(bench) == ["DECIDE-54"]
    assert list(bench.asked[0].prompts) == [0]


@rule("DECIDE-54")
def test_insane_can_come_before_the_end() -> None:
    """An investigator already Wounded may first become Insane, then be eliminated."""
    bench = frail(2, 1)
    suffer(bench, damage=2, facedown=True)

    suffer(bench, "horror_first", damage=2, horror=1, facedown=True)

    assert len(bench.happened(BecameInsane)) == 1
    assert person(bench).is_eliminated


@rule("DECIDE-142")
def test_nothing_is_asked_where_one_threshold_is_reached() -> None:
    bench = frail(1)

    suffer(bench, damage=1, horror=1, facedown=True)

    assert bench.asked == []


@rule("WOUNDED-4")
def test_harm_on_several_is_settled_for_each() -> None:
    """Two investigators at their limits suffer one each."""
    cards = [investigator_card(who, health=1) for who in (ADA, BEN)]
    bench = world(at=BOTH, investigators=cards, harms=[keeps("damage/x", D)])

    resolve(bench, steps.Suffer(damage=Amount(1), facedown=True, who=steps.Who.ALL))

    assert [event.investigator for event in bench.happened(BecameWounded)] == [ADA, BEN]


@rule("WOUNDED-2")
@rule("DECIDE-125")
def test_whoever_has_suffered_enough_is_wounded_with_or_without_a_card_for_it() -> None:
    """One card is in the box for two investigators, and both become Wounded."""
    only_one = [ConditionCard("condition/wounded", 1)]
    bench = world(at=BOTH, conditions=only_one)

    for who in (ADA, BEN):
        suffer(bench, who=who, damage=7, facedown=True)

    assert all(person(bench, who).is_wounded for who in (ADA, BEN))
