"""Chance in scenarios: weights, decks, hidden deals, and effects that end early."""

from typing import Any

import pytest

from content.games.second_edition.expressions import read_condition
from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.counters import Counter, Scope
from content.games.second_edition.schema.decks import DeckCard
from content.games.second_edition.schema.effects import Way, Who
from content.games.second_edition.schema.requirements import HasClues
from protocol.common.events import Dealt, Picked, PickedSecretly, SecretDeal
from server.games.second_edition.rules import counters
from server.rulekit.draws import SECRET
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import ADA, BEN, counted, world
from tests.games.second_edition.rules.worlds_effects import (
    resolve,
    say,
    shown_to,
    told_words,
    with_clues,
)

rule = pytest.mark.rule
TWO = {ADA: "house/a", BEN: "house/a"}


def card(word: str, **changes: Any) -> DeckCard:
    """Return a card with a visible effect."""
    return DeckCard(word, (say(word),), **changes)


# Weights -----------------------------------------------------------------------------------


@rule("RANDOM-1")
@pytest.mark.parametrize(("pick", "word"), [(0, "often"), (2, "often"), (3, "seldom")])
def test_one_of_several_is_as_likely_as_its_weight(pick: int, word: str) -> None:
    bench = world()
    bench.give_picks(pick)

    resolve(bench, steps.OneOf((Way((say("often"),), weight=3), Way((say("seldom"),)))))

    assert told_words(bench) == [word]
    assert [event.choice.value.bound for event in bench.happened(PickedSecretly)] == [4]


@rule("SECRET-13")
def test_nobody_learns_among_how_many_ways_one_was_picked() -> None:
    """The record is the same for any number of options: the number is sealed."""
    shown = set()
    for count in (0, 1, 2):
        bench = world()
        ways = [Way((), when=None if at < count else HasClues(1)) for at in range(3)]
        resolve(bench, steps.OneOf(tuple(ways)))
        assert not bench.happened(Picked)
        shown.add(tuple(tuple(shown_to(bench, seat)) for seat in (0, 1, None)))

    assert len(shown) == 1


def test_what_cannot_come_is_left_out_of_one_of_several() -> None:
    bench = world()
    rich = Way((say("rich"),), when=HasClues(1))

    resolve(bench, steps.OneOf((rich, Way((say("poor"),)))))
    resolve(bench, steps.OneOf((rich, rich)))

    assert told_words(bench) == ["poor"]


def test_what_can_come_is_one_of_several_for_whoever_it_concerns() -> None:
    ways = (Way((say("rich"),), when=HasClues(1)), Way((say("poor"),)))
    bench = with_clues(world(at=TWO), 1, BEN)

    resolve(bench, steps.OneOf(ways))
    resolve(bench, steps.OneOf(ways), actor=BEN)

    assert told_words(bench) == ["poor", "rich"]


# Decks -------------------------------------------------------------------------------------


def deals(bench: Bench) -> list[SecretDeal]:
    return [happened.choice.value for happened in bench.happened(Dealt)]


def with_deck(*cards: DeckCard) -> Bench:
    return world(at=TWO, scenario_parts={"decks": {"sounds": cards}})


DRAW = steps.Draw("sounds")


def test_card_comes_again_only_when_all_have_come() -> None:
    bench = with_deck(card("owl"), card("rats"), card("wind"))
    bench.give_picks(2, 1, 0)

    resolve(bench, DRAW, DRAW, DRAW)
    assert told_words(bench) == ["wind", "rats", "owl"]
    bench.give_picks(1, 0, 0)
    resolve(bench, DRAW, DRAW, DRAW)
    assert told_words(bench)[3:] == ["rats", "owl", "wind"]


def test_card_that_cannot_come_is_not_waited_for() -> None:
    bench = with_deck(card("owl"), card("coins", when=HasClues(1)))
    resolve(bench, DRAW, DRAW)
    assert told_words(bench) == ["owl", "owl"]

    resolve(with_clues(bench, 1), DRAW)
    assert told_words(bench) == ["owl", "owl", "coins"]


def test_deck_of_which_nothing_can_come_does_nothing() -> None:
    bench = with_deck(card("coins", when=HasClues(1)))

    resolve(bench, DRAW, say("on"))

    assert told_words(bench) == ["on"]


def test_card_of_a_deck_is_as_likely_as_its_weight() -> None:
    bench = with_deck(card("owl", weight=2), card("rats"), card("wind"))
    bench.give_picks(1, 1)

    resolve(bench, DRAW, DRAW)

    assert told_words(bench) == ["owl", "wind"]
    assert [choice.options for choice in deals(bench)] == [
        ("owl#1", "owl#2", "rats#1", "wind#1"),
        ("rats#1", "wind#1"),
    ]


@rule("SECRET-13")
@pytest.mark.parametrize("count", [0, 1, 2])
def test_nobody_learns_among_how_many_cards_one_was_drawn(count: int) -> None:
    """The sealed record is the same even if no card or only one could be drawn."""
    cards = [DeckCard(f"card{at}", (), when=HasClues(9 * (at >= count))) for at in range(3)]
    bench = with_clues(with_deck(*cards), 1)

    resolve(bench, DRAW)

    assert [happened.purpose for happened in bench.happened(Dealt)] == ["deck d1"]
    assert all("card" not in word for seat in (0, 1, None) for word in shown_to(bench, seat))


def test_decks_are_drawn_from_side_by_side() -> None:
    cards = (card("owl"), card("rats"))
    bench = world(at=TWO, scenario_parts={"decks": {"sounds": cards, "shadows": cards}})

    resolve(bench, DRAW, steps.Draw("shadows"), DRAW, steps.Draw("shadows"))

    assert told_words(bench) == ["owl", "owl", "rats", "rats"]


def test_name_of_a_deck_is_told_to_nobody() -> None:
    bench = world(scenario_parts={"decks": {"canary": (card("a"), DeckCard("canary", ()))}})

    resolve(bench, steps.Draw("canary"), steps.Draw("canary"))

    assert all("canary" not in shown for seat in (0, None) for shown in shown_to(bench, seat))


# Dealt -------------------------------------------------------------------------------------


def dealing(*names: str, **declared: Counter) -> Bench:
    """Return a world of two investigators with these counters."""
    return world(at=TWO, scenario_parts={"counters": counted(*names, **declared)})


DEAL = steps.Deal("murderer", 1, 3)
FRESH = steps.Deal("murderer", 1, 3, fresh=True)


def dealt(bench: Bench, of: str | None = None) -> int:
    """Return the value of the counter."""
    return counters.value(bench.game, "murderer", of)


@rule("RANDOM-1")
def test_number_is_dealt_out_of_sight() -> None:
    """The deal is no public pick and leaves no pile behind."""
    bench = dealing("murderer")
    bench.give_picks(1)

    resolve(bench, DEAL)

    assert dealt(bench) == 2
    assert not bench.happened(Picked)
    assert deals(bench) == [SecretDeal(("1", "2", "3"), "2")]


@pytest.mark.parametrize("pick", [0, 2])
def test_nobody_learns_what_was_dealt(pick: int) -> None:
    shown = []
    for taken in (1, pick):
        bench = dealing("murderer")
        bench.give_picks(taken)
        resolve(bench, DEAL)
        shown.append([tuple(shown_to(bench, seat)) for seat in (0, 1, None)])

    assert shown[0] == shown[1]


def test_fresh_deal_leaves_out_what_was_dealt_until_all_have_come() -> None:
    bench = dealing("murderer")
    bench.give_picks(1, 0, 0)
    found = []
    for _ in range(3):
        resolve(bench, FRESH)
        found.append(dealt(bench))
    assert found == [2, 1, 3]

    resolve(bench, FRESH, FRESH)
    assert [len(choice.options) for choice in deals(bench)] == [3, 2, 1, 3, 2]


def test_fresh_deal_shows_by_nothing_what_was_dealt_before() -> None:
    """Viewers are sent the same whether the first deal drew 1 or 3; the next one is 1 or 2.

    Rule SECRET-13.
    """
    shown = set()
    for first in (0, 2):
        bench = dealing("murderer")
        bench.give_picks(first)
        resolve(bench, FRESH, steps.Deal("murderer", 1, 2, fresh=True))
        assert dealt(bench) in {1, 2} - {first + 1}
        shown.add(tuple(tuple(shown_to(bench, seat)) for seat in (0, 1, None)))

    assert len(shown) == 1


def test_only_number_is_dealt_again_and_again() -> None:
    bench = dealing("murderer")
    for is_fresh in (True, False, True, True):
        resolve(bench, steps.Deal("murderer", 2, 2, fresh=is_fresh))

        assert dealt(bench) == 2


def test_deal_that_is_not_fresh_takes_all_numbers() -> None:
    """A second deal may draw the same number; a fresh deal after it leaves that number out."""
    bench = dealing("murderer")
    bench.give_picks(1, 1)

    resolve(bench, DEAL, DEAL)
    assert dealt(bench) == 2

    resolve(bench, FRESH)
    assert deals(bench)[-1].options == ("1", "3")


def test_fresh_deal_of_fewer_numbers_takes_none_of_the_others() -> None:
    """Two and three are left over, but only one and two are dealt now."""
    bench = dealing("murderer")

    resolve(bench, FRESH, steps.Deal("murderer", 1, 2, fresh=True))

    assert dealt(bench) == 2


def test_each_investigator_is_dealt_a_number_of_their_own() -> None:
    """Each deal has a purpose of its own, so a fixed setup determines all of them."""
    bench = dealing(murderer=Counter(of=Scope.INVESTIGATOR))
    bench.give_picks(0, 2)

    resolve(bench, steps.ForEach(Who.ALL, (DEAL,)))

    assert [dealt(bench, who) for who in (ADA, BEN)] == [1, 3]
    purposes = [happened.purpose for happened in bench.happened(Dealt)]
    assert purposes == [f"counter c1/{ADA}", f"counter c1/{BEN}"]


# Returning ---------------------------------------------------------------------------------


def calling(*effect: steps.Step) -> Bench:
    """Return a world whose scenario has a named effect."""
    return world(at=TWO, scenario_parts={"effects": {"named": effect}})


RETURN = steps.Return()


def test_return_ends_the_named_effect_alone() -> None:
    branch = steps.When(read_condition("round = 1")[0], (say("one"), RETURN, say("never")))
    bench = calling(branch, say("never"))

    resolve(bench, steps.Call("named"), say("two"))

    assert told_words(bench) == ["one", "two"]


def test_return_without_a_name_ends_it_all() -> None:
    bench = world()

    resolve(bench, steps.OneOf((Way((RETURN,)), Way((say("never"),)))), say("never"))

    assert told_words(bench) == []


def test_return_ends_it_for_all_who_would_have_come() -> None:
    """Ben's turn in `for_each` is dropped."""
    bench = world(at=TWO)

    resolve(bench, steps.ForEach(Who.ALL, (say("once"), RETURN)), say("never"), answers=[0])

    assert told_words(bench) == ["once"]


# Behind a secret choice --------------------------------------------------------------------

TIDE = steps.Deal("tide", 1, 6)
LONG: list[tuple[steps.Step, int]] = [
    (TIDE, 1),
    (steps.OneOf((Way((say("a"),)), Way((say("b"),)))), 1),
    (steps.OneOf((Way((TIDE, TIDE)), Way((TIDE,)))), 3),
    (steps.Draw("deck/omens"), 2),
    (steps.When(HasClues(1), (TIDE,), (TIDE, TIDE)), 2),
    (steps.ForEach(Who.ALL, (TIDE,)), 2),
    (steps.Call("again"), 1),
]
"""Effects, each with the maximum number of draws with two investigators."""
ASKING = steps.Choose(
    "text/then", (steps.EffectChoice("text/a", (TIDE,)), steps.EffectChoice("text/b", (TIDE, TIDE)))
)
AT_RANDOM = steps.ForEach(Who.RANDOM, (TIDE,))
"""
Effect on one random investigator: one draw for the investigator, then as many as for all
(DECIDE-144).
"""


def secretly(long: steps.Step, *answers: str) -> int:
    """Return the number of draws logged after a secret choice between this step and nothing."""
    ways = (steps.EffectChoice("text/long", (long,)), steps.EffectChoice("text/short", ()))
    bench = world(
        at=TWO,
        scenario_parts={
            "counters": {"tide": Counter()},
            "decks": {"deck/omens": (DeckCard("omen", (TIDE,)),)},
            "effects": {"again": (TIDE, steps.When(HasClues(1), (steps.Call("again"),)))},
        },
    )
    choice = steps.Choose("text/which", ways, by=steps.By.SECRET)
    resolve(bench, choice, answers=list(answers))
    drawn = [event.purpose for event in bench.happened(Dealt)]
    assert set(drawn) <= {SECRET}
    return len(drawn)


@rule("SECRET-13")
@pytest.mark.parametrize(("long", "count"), [*LONG, (ASKING, 2), (AT_RANDOM, 3)])
def test_a_secret_way_that_draws_nothing_leaves_as_many_draws(long: steps.Step, count: int) -> None:
    """The log is padded with draws up to the longest way, so it does not reveal the choice."""
    assert secretly(long, "text/short") == count


@rule("SECRET-13")
@pytest.mark.parametrize(("long", "count"), LONG)
def test_a_secret_way_that_draws_leaves_no_more(long: steps.Step, count: int) -> None:
    """The draws of the chosen way count toward the padding."""
    assert secretly(long, "text/long") == count


@rule("SECRET-13")
@pytest.mark.parametrize(("ways", "value"), [(2, 7), (1, 7), (0, 0)])
def test_what_is_drawn_behind_a_secret_comes(ways: int, value: int) -> None:
    bench = world(at=TWO, scenario_parts={"counters": {"tide": Counter()}})
    long = steps.OneOf((Way((steps.Count("tide", add=7),)),) * ways)
    options = (steps.EffectChoice("text/long", (long,)), steps.EffectChoice("text/short", ()))

    resolve(bench, steps.Choose("text/which", options, by=steps.By.SECRET), answers=["text/long"])

    assert counters.value(bench.game, "tide") == value


@rule("SECRET-13")
def test_a_space_behind_a_secret_is_drawn_out_of_sight() -> None:
    bench = world(at=TWO)
    bench.give_picks(1)
    long = (steps.PlaceInvestigator("room/hall"),)
    options = (steps.EffectChoice("text/long", long), steps.EffectChoice("text/short", ()))

    resolve(bench, steps.Choose("text/which", options, by=steps.By.SECRET), answers=["text/long"])

    assert bench.game_table.investigators[ADA].space == "house/b"
    assert [event.purpose for event in bench.happened(Dealt)] == [SECRET]
    assert bench.happened(Picked) == []


AGAIN = steps.Call("again")


@rule("SECRET-13")
@pytest.mark.parametrize(
    ("inside", "count"),
    [
        (steps.OneOf((Way((AGAIN,)),)), 2),
        (steps.Draw("deck/omens"), 2),
        (steps.Choose("text/then", (steps.EffectChoice("text/a", (AGAIN,)),)), 1),
        (steps.ForEach(Who.ALL, (AGAIN,)), 1),
        (steps.When(HasClues(1), (AGAIN,)), 1),
    ],
)
def test_what_calls_itself_is_counted_once(inside: steps.Step, count: int) -> None:
    """The deal and any draw around the recursive call are counted once."""
    parts = {
        "counters": {"tide": Counter()},
        "decks": {"deck/omens": (DeckCard("omen", (AGAIN,)),)},
        "effects": {"again": (TIDE, inside)},
    }
    bench = world(at=TWO, scenario_parts=parts)
    ways = (steps.EffectChoice("text/long", (AGAIN,)), steps.EffectChoice("text/short", ()))

    resolve(bench, steps.Choose("text/which", ways, by=steps.By.SECRET), answers=["text/short"])

    assert len(bench.happened(Dealt)) == count


@rule("SECRET-13")
def test_a_second_secret_choice_leaves_draws_of_its_own() -> None:
    twice = steps.OneOf((Way((TIDE,)),))
    bench = world(at=TWO, scenario_parts={"counters": {"tide": Counter()}})
    ways = (steps.EffectChoice("text/long", (twice,)), steps.EffectChoice("text/short", ()))
    choice = steps.Choose("text/which", ways, by=steps.By.SECRET)

    resolve(bench, choice, choice, answers=["text/long", "text/short"])

    assert len(bench.happened(Dealt)) == 4
