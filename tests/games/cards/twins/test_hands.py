"""Twins in what investigators hold: hands, searches, looks, committed cards."""

from collections.abc import Callable
from typing import Any

import pytest

from protocol.games.cards.words import Skill
from server.games.cards.rules import encounter, hands, rounds, skill_tests
from server.games.cards.rules.plans import Plan
from server.games.cards.rules.play import Source
from tests.games.cards.rules.worlds import ANNA, BEN, content_of
from tests.games.cards.twins.stage import OTHERS, A, B, Stage, told_apart, twins

pytestmark = pytest.mark.issue(42)
rule = pytest.mark.rule

PLAYERS = """
- {id: card/vague-1, type: asset, cost: 9}
- {id: card/vague-2, type: asset, cost: 9, traits: [grey]}
- {id: card/vague-3, type: event, cost: 9, abilities: [{does: play, effect: [resources: 1]}]}
- {id: card/vague-4, type: skill}
- {id: card/push, type: skill, icons: [combat]}
- {id: card/shove, type: skill, icons: [combat, combat]}
- id: card/rummage
  type: event
  cost: 0
  abilities: [{does: play, effect: [{search: {top: 3, of: {types: [skill]}, may: true}}]}]
- id: card/peer
  type: event
  cost: 0
  abilities: [{does: play, effect: [{look: {top: 3, encounter: false}}]}]
- id: card/eavesdrop
  type: event
  cost: 0
  abilities: [{does: play, effect: [{look: {top: 2, encounter: true}}]}]
- id: card/cast-off
  type: event
  cost: 0
  abilities: [{does: play, effect: [{discard_hand: {number: 1, of: {types: [skill]}}}]}]
- {id: card/worry, type: event, weakness: true}
- id: card/charm
  type: event
  cost: 0
  abilities: [{does: play, on: {when: harm-assigned}, effect: [{cancel: true}]}]
"""
TREACHERIES = """
- {id: card/mist, abilities: [{does: revelation, effect: [{harm: {horror: 1}}]}]}
- {id: card/fog, abilities: [{does: revelation, effect: [{harm: {horror: 1}}]}]}
- id: card/toll
  abilities:
  - does: revelation
    effect: [{may: {do: [{discard_hand: {of: {types: [skill]}}}], who: each}}]
- id: card/fork
  abilities:
  - does: revelation
    effect: [{either: {ways: [[{discard_hand: {of: {types: [skill]}}}], [{harm: {horror: 1}}]]}}]
- id: card/loss
  abilities: [{does: revelation, effect: [{discard_hand: {of: {types: [skill]}}}]}]
"""
CONTENT = content_of(players=PLAYERS, treacheries=TREACHERIES)
OTHER_TOP = ("card/shove", "card/vague-1", "card/push")
VAGUE = [f"card/vague-{n}" for n in range(1, 5)]


def holding(*codes: str, deck: tuple[str, ...] = ()) -> Callable[[Stage], None]:
    """Return how a game begins in which Anna holds some cards."""

    def lay(game: Stage) -> None:
        game.hand(ANNA, *codes)
        game.hand(BEN, "card/push", "card/vague-1")
        game.deck(ANNA, *deck, *VAGUE)
        game.deck(BEN, *VAGUE)
        game.deck("encounter", "card/mist", "card/fog", "card/mist")

    return lay


def fight(game: Stage, *, who: str = ANNA, **wishes: Any) -> None:
    """Have an investigator perform a test."""
    source = Source(who, game.own(who), who)
    plan = Plan(who, Skill.COMBAT, lambda: 2, source)
    game.give_tokens("0")
    game.go(skill_tests.perform(game.game, plan), wishes.get("wishes"))


def a_round(game: Stage) -> None:
    """Play through what asks for cards in hands, with nothing of Anna's in the open."""
    game.go(rounds.act(game.game, ANNA), {A: ["choice/draw"]})
    game.go(hands.draw(game.game, (ANNA, BEN), 2))
    game.go(encounter.draw(game.game, ANNA))
    fight(game, who=BEN, wishes={B: ["card/push"]})
    game.go(hands.discard(game.game, BEN, 1, Source(BEN, "", BEN)), {B: ["card/vague-1"]})
    game.go(rounds.act(game.game, ANNA), {A: ["choice/end_turn"]})


@rule("C-SECRET-1", "C-DECIDE-6")
@pytest.mark.parametrize("is_strict", [False, True])
def test_the_cards_in_a_hand_are_known_to_their_owner_alone(is_strict: bool) -> None:
    lays = [holding("card/vague-1", one) for one in ("card/vague-3", "card/vague-4")]

    assert twins(CONTENT, lays, a_round, is_strict=is_strict) == {A}


@rule("C-SECRET-3", "C-SECRET-27")
def test_cards_that_are_drawn_together_are_known_to_the_drawer_alone() -> None:
    lays = [
        holding(deck=deck)
        for deck in (("card/push", "card/shove"), ("card/vague-1", "card/vague-2"))
    ]

    assert twins(CONTENT, lays, lambda game: game.go(hands.draw(game.game, (ANNA,), 2))) == {A}


@rule("C-SECRET-3")
def test_the_order_of_a_deck_is_known_to_nobody() -> None:
    lays = [holding(deck=("card/vague-1", *deck)) for deck in (("card/push",), ("card/shove",))]

    assert twins(CONTENT, lays, lambda game: game.go(hands.draw(game.game, (ANNA,), 1))) == set()


@rule("C-SECRET-6")
def test_the_order_of_the_encounter_deck_is_known_to_nobody() -> None:
    def order(*codes: str) -> Callable[[Stage], None]:
        return lambda game: game.deck("encounter", "card/mist", *codes)

    lays = [order("card/fog", "card/mist"), order("card/mist", "card/fog")]

    assert twins(CONTENT, lays, lambda game: game.go(encounter.draw(game.game, ANNA))) == set()


@rule("C-SECRET-23", "C-SEARCH-1", "C-BSEARCH-1")
@pytest.mark.parametrize("is_strict", [False, True])
@pytest.mark.parametrize(
    "deck",
    [
        ("card/push", "card/shove", "card/vague-4"),
        ("card/vague-1", "card/vague-4", "card/shove"),
        ("card/vague-1", "card/vague-2", "card/vague-3"),
    ],
)
def test_a_search_tells_the_searcher_alone_what_was_seen(
    deck: tuple[str, ...], is_strict: bool
) -> None:
    """Whether three cards fit, two or none: nothing is taken."""
    few = ("card/vague-1", "card/vague-1", "card/push")
    lays = [holding("card/rummage", "card/vague-1", deck=one) for one in (few, deck)]

    def search(game: Stage) -> None:
        game.go(rounds.act(game.game, ANNA), {A: ["card/rummage"]})

    assert twins(CONTENT, lays, search, is_strict=is_strict) == {A}


@rule("C-SECRET-23")
def test_which_card_a_search_takes_is_known_to_the_searcher_alone() -> None:
    decks = [(found, "card/vague-1", "card/vague-4") for found in ("card/push", "card/shove")]
    lays = [holding("card/rummage", deck=one) for one in decks]
    games = []
    for lay, (found, *_) in zip(lays, decks, strict=True):
        game = Stage(CONTENT, (ANNA, BEN, "card/cara"))
        lay(game)
        game.go(rounds.act(game.game, ANNA), {A: ["card/rummage", found]})
        games.append(game)

    assert told_apart(*games) == {A}


@rule("C-SECRET-24")
@pytest.mark.parametrize("deck", [OTHER_TOP, tuple(VAGUE[:3])])
def test_who_looks_at_a_deck_is_alone_to_know_cards_and_order(deck: tuple[str, ...]) -> None:
    lays = [holding("card/peer", deck=one) for one in (("card/push", *VAGUE[:2]), deck)]

    def look(game: Stage) -> None:
        game.go(rounds.act(game.game, ANNA), {A: ["card/peer"]})

    assert twins(CONTENT, lays, look) == {A}


@rule("C-SECRET-24")
def test_in_which_order_cards_are_put_back_is_known_to_who_did_it_alone() -> None:
    games = []
    for order in (("vague-1", "vague-2", "vague-3"), ("vague-3", "vague-1", "vague-2")):
        game = Stage(CONTENT, (ANNA, BEN, "card/cara"))
        holding("card/peer")(game)
        game.go(rounds.act(game.game, ANNA), {A: ["card/peer", *order]})
        games.append(game)

    assert games[0].in_deck(ANNA) != games[1].in_deck(ANNA)
    assert told_apart(*games) == {A}


@rule("C-SECRET-6", "C-SECRET-23")
def test_who_looks_at_the_encounter_deck_is_alone_to_know_it() -> None:
    def lay(*codes: str) -> Callable[[Stage], None]:
        def lay_out(game: Stage) -> None:
            holding("card/eavesdrop")(game)
            game.deck("encounter", *codes)

        return lay_out

    def look(game: Stage) -> None:
        game.go(rounds.act(game.game, ANNA), {A: ["card/eavesdrop"]})

    both = [("card/mist", "card/fog", "card/mist"), ("card/fog", "card/mist", "card/mist")]
    assert twins(CONTENT, [lay(*one) for one in both], look) == {A}


@rule("C-SECRET-25", "C-SECRET-31")
@pytest.mark.parametrize("is_strict", [False, True])
def test_a_committed_card_tells_nothing_of_those_that_could_be_committed(is_strict: bool) -> None:
    """Anna can commit one card, or each of three."""
    lays = [
        holding("card/push", *rest)
        for rest in (("card/vague-1", "card/vague-4"), ("card/shove", "card/shove"))
    ]

    def commit(game: Stage) -> None:
        fight(game, wishes={A: ["card/push"]})

    wide = {A} if is_strict else {A, *OTHERS}
    assert twins(CONTENT, lays, commit, is_strict=is_strict) == wide


# What is asked beside, and what is not ----------------------------------------------------------


def drawing(code: str, *held: str) -> Callable[[Stage], None]:
    """Return how a game begins in which Anna holds some cards, and draws a treachery next."""

    def lay(game: Stage) -> None:
        holding(*held)(game)
        game.deck("encounter", code, "card/mist")

    return lay


def draw(game: Stage) -> None:
    game.go(encounter.draw(game.game, ANNA))


@rule("C-SECRET-1", "C-SECRET-31", "C-DECIDE-6")
@pytest.mark.parametrize("code", ["card/toll", "card/fork"])
@pytest.mark.parametrize("is_strict", [False, True])
def test_whether_a_card_in_hand_fits_what_may_be_done_is_not_told(
    code: str, is_strict: bool
) -> None:
    """Anna can choose what takes a skill from her hand, or cannot; she does not."""
    lays = [drawing(code, "card/vague-1", one) for one in ("card/vague-2", "card/push")]

    def decline(game: Stage) -> None:
        leaves = {A: ["choice/leave"], B: ["choice/leave"]}
        takes = {A: ["option.0.1"]}
        game.go(encounter.draw(game.game, ANNA), leaves if code == "card/toll" else takes)

    assert twins(CONTENT, lays, decline, is_strict=is_strict) == {A}


@rule("C-SECRET-1")
def test_how_many_cards_in_hand_fit_a_discard_is_not_told() -> None:
    """One skill must go, of one or of two."""
    lays = [drawing("card/loss", "card/push", one) for one in ("card/vague-1", "card/shove")]

    assert twins(CONTENT, lays, draw) == {A}


@rule("C-SECRET-1", "C-SECRET-2")
def test_a_weakness_in_hand_that_nobody_may_choose_is_not_told() -> None:
    lays = [drawing("card/mist", "card/push", one) for one in ("card/vague-1", "card/worry")]

    def give_up(game: Stage) -> None:
        game.go(hands.discard(game.game, ANNA, 1, Source(ANNA, "", ANNA)), {A: ["card/push"]})

    assert twins(CONTENT, lays, give_up) == {A}


@rule("C-SECRET-31", "C-DECIDE-6")
def test_what_is_being_resolved_tells_nothing_of_who_could_answer_it() -> None:
    """Ben can answer something else that happens, and is not asked in between."""
    lays = [drawing("card/mist", one) for one in ("card/vague-3", "card/charm")]

    assert twins(CONTENT, lays, lambda game: fight(game, who=BEN, wishes={B: ["card/push"]})) == {A}
