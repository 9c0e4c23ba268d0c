"""Drawing, searching, discarding from hands. Sections 1.16 and 2.15."""

import pytest

from protocol.common.events import LookedAt
from protocol.event import Event
from protocol.games.cards.events import Drew, HandShown, Moved, Opened
from protocol.games.cards.table import Place, deck_of, hand_of
from protocol.games.cards.words import Fate, Token, Zone
from protocol.values import evolve
from server.games.cards.rules import face_down, hands
from server.games.cards.rules.play import Source
from tests.games.cards.rules.bench import Bench
from tests.games.cards.rules.worlds import ANNA, BEN, content_of

WEAK = """
- id: card/slip
  weakness: true
  abilities:
  - does: revelation
    effect: [{discard_hand: {number: 9}}]
- id: card/scar
  weakness: true
  abilities: [{does: revelation, effect: [{resources: -1}]}]
"""
ASKS = WEAK.replace(
    "[{resources: -1}]", "[{either: {ways: [[{resources: -1}], [{harm: {damage: 1}}]]}}]"
)
PLAIN = "".join(f"- {{id: card/p{n}, type: asset, cost: 1}}\n" for n in range(1, 6))
NOTEBOOK = """
- id: card/notebook
  type: asset
  cost: 1
  abilities: [{does: reaction, on: {after: drawn, who: you}, effect: [{resources: 1}]}]
"""


@pytest.mark.rule("C-EX-57", "C-DRAW-1", "C-DRAW-2", "C-DRAW-3")
def test_five_cards_are_drawn_at_once_and_weaknesses_resolved_in_their_order() -> None:
    bench = Bench(content_of(players=PLAIN, treacheries=WEAK))
    bench.deck(ANNA, "card/p1", "card/slip", "card/p2", "card/scar", "card/p3")
    bench.run(hands.draw(bench.game, (ANNA,), 5))
    # The first one has the whole hand discarded: the cards drawn after it were there already.
    assert bench.in_hand(ANNA) == []
    plain = {"card/p1", "card/p2", "card/p3"}
    assert {*bench.discarded(ANNA)} == {*plain, "card/slip", "card/scar"}
    assert bench.discarded(ANNA)[-2:] == ["card/slip", "card/scar"]
    assert bench.count(ANNA, Token.RESOURCE) == 4
    drawn = [at for at, one in enumerate(bench.log) if _is_draw(one)]
    discarded = [at for at, one in enumerate(bench.log) if _is_discard(one)]
    assert (len(drawn), len(discarded)) == (5, 5)
    assert max(drawn) < min(discarded)


def _is_draw(one: Event) -> bool:
    """Return whether a card of a deck went into a hand, or into the open as a weakness."""
    return isinstance(one, Drew) or (isinstance(one, Opened) and one.to.zone is Zone.DRAWN)


def _is_discard(one: Event) -> bool:
    return isinstance(one, Opened | Moved) and one.to.zone is Zone.DISCARD


@pytest.mark.rule("C-DRAW-3", "C-BELIM-2")
def test_whom_a_weakness_eliminates_resolves_no_other() -> None:
    weak = """
- id: card/doom
  weakness: true
  abilities: [{does: revelation, effect: [{harm: {damage: 9}}]}]
- id: card/gift
  weakness: true
  abilities: [{does: revelation, effect: [{resources: {number: 1, who: each}}]}]
"""
    bench = Bench(content_of(players=PLAIN, treacheries=weak), (ANNA, BEN))
    bench.deck(ANNA, "card/doom", "card/gift", "card/p1")
    bench.run(hands.draw(bench.game, (ANNA,), 2))
    assert bench.who(ANNA).fate is Fate.DEFEATED
    assert bench.count(BEN, Token.RESOURCE) == 5


@pytest.mark.rule("C-DRAW-2", "C-DECIDE-42", "C-BWEAK-3")
def test_a_weakness_that_waits_is_in_no_hand() -> None:
    bench = Bench(content_of(players=PLAIN, treacheries=ASKS))
    bench.deck(ANNA, "card/scar", "card/scar", "card/p1")
    bench.run(hands.draw(bench.game, (ANNA,), 3), ...)
    assert bench.in_hand(ANNA) == ["card/p1"]
    waiting = [one for one in bench.game_table.cards.values() if one.code == "card/scar"]
    assert {one.at.zone for one in waiting} == {Zone.DRAWN}
    assert {one.owner for one in waiting} == {ANNA}


@pytest.mark.rule("C-BUPK-7", "C-DECIDE-64", "C-DRAW-2")
def test_the_horror_of_an_emptied_deck_comes_before_the_revelations() -> None:
    bench = Bench(content_of(players=PLAIN, treacheries=ASKS))
    bench.deck(ANNA, "card/scar")
    bench.lay("card/p1", Zone.DISCARD, ANNA)
    bench.run(hands.draw(bench.game, (ANNA,), 2), ...)
    assert bench.count(ANNA, Token.HORROR) == 1
    assert bench.in_hand(ANNA) == ["card/p1"]


@pytest.mark.rule("C-BUPK-11")
def test_nothing_is_drawn_and_nothing_answers_without_deck_and_discard_pile() -> None:
    bench = Bench(content_of(players=NOTEBOOK))
    bench.lay("card/notebook", Zone.PLAY, ANNA)
    bench.run(hands.draw(bench.game, (ANNA,), 1))
    assert bench.count(ANNA, Token.HORROR) == 0


@pytest.mark.rule("C-EX-58", "C-HID-1", "C-HID-2")
@pytest.mark.parametrize("what", ["number: 9", "all: true, of: {weakness: false}"])
def test_a_hidden_card_is_not_thrown_away(what: str) -> None:
    players = (
        PLAIN
        + f"""
- id: card/purge
  type: asset
  cost: 0
  abilities: [{{does: forced, on: {{at: turn-ends}}, effect: [{{discard_hand: {{{what}}}}}]}}]
"""
    )
    treacheries = "- {id: card/whisper, keywords: [hidden, peril]}"
    bench = Bench(content_of(players=players, treacheries=treacheries))
    bench.lay("card/purge", Zone.PLAY, ANNA)
    bench.hand(ANNA, "card/p1", "card/p2", "card/p3", "card/whisper")
    bench.act("choice/end_turn")
    assert bench.in_hand(ANNA) == ["card/whisper"]
    assert sorted(bench.discarded(ANNA)) == ["card/p1", "card/p2", "card/p3"]


# Searching

SEARCH = (
    PLAIN
    + """
- id: card/rummage
  type: event
  cost: 0
  abilities: [{does: play, effect: [{search: {top: 3, of: %s%s}}]}]
- id: card/torch
  type: asset
  cost: 1
  abilities:
  - does: reaction
    on: {when: searches, who: you}
    effect: [{either: {ways: [[{search_more: {top: 3}}], [{search_more: {targets: 1}}]]}}]
- {id: card/skill, type: skill}
"""
)


def searching(of: str = "{types: [asset]}", more: str = "", **texts: str) -> Bench:
    """Return A with a search of the top 3 cards in hand, and an ability that alters searches."""
    players = SEARCH % (of, more) + texts.pop("more_players", "")
    bench = Bench(content_of(players=players, treacheries=WEAK), (ANNA, BEN))
    bench.lay("card/torch", Zone.PLAY, ANNA)
    bench.hand(ANNA, "card/rummage")
    return bench


def discarding(ability: str) -> Bench:
    """Return a bench on which an asset in play answers what becomes of a hand of P1 and P2."""
    keeper = f"- {{id: card/keeper, type: asset, abilities: [{ability}]}}"
    bench = Bench(content_of(players=PLAIN + keeper))
    bench.lay("card/keeper", Zone.PLAY, ANNA)
    bench.deck(ANNA, "card/p3")
    bench.hand(ANNA, "card/p1", "card/p2")
    return bench


@pytest.mark.rule("C-BABIL-30")
def test_a_card_whose_discard_is_cancelled_stays_in_the_hand() -> None:
    bench = discarding(
        "{does: reaction, on: {when: discarded, card: {id: card/p1}}, effect: [{cancel: true}]}"
    )
    bench.run(hands.lay_down(bench.game, ANNA, hand(bench)), "card/keeper")
    assert (bench.in_hand(ANNA), bench.discarded(ANNA)) == (["card/p1"], ["card/p2"])


@pytest.mark.rule("C-BABIL-11")
@pytest.mark.parametrize(("token", "resources"), [("0", 6), ("fail", 5)])
def test_what_follows_a_test_is_done_if_it_succeeded(token: str, resources: int) -> None:
    bench = discarding(
        "{does: action, effect: [{test: {skill: combat, difficulty: 1}},"
        " {if: {that: {done: true}, do: [{resources: 1}]}}]}"
    )
    bench.bag(token)
    bench.resolve("card/keeper")
    assert bench.count(ANNA, Token.RESOURCE) == resources


@pytest.mark.rule("C-BABIL-11", "C-BLOC-6")
@pytest.mark.parametrize(
    ("clues", "other", "resources"),
    [
        (1, "", 6),
        (0, "", 5),
        (1, "{does: constant, gives: [{cannot: {do: discover}}]},", 5),
        (1, "{does: forced, on: {when: clue-discovered}, effect: [{cancel: true}]},", 5),
    ],
    ids=["one", "none", "forbidden", "cancelled"],
)
def test_what_follows_a_discovery_is_done_if_a_clue_was_discovered(
    clues: int, other: str, resources: int
) -> None:
    bench = discarding(
        f"{other} {{does: action, effect: [{{discover: {{}}}},"
        " {if: {that: {done: true}, do: [{resources: 1}]}}]}"
    )
    bench.tokens_on(bench.piece("card/l1"), clue=clues)
    bench.resolve("card/keeper", ability=int(bool(other)))
    assert bench.count(ANNA, Token.RESOURCE) == resources


@pytest.mark.rule("C-BABIL-30", "C-BABIL-11")
def test_a_discard_that_is_cancelled_is_not_carried_out_in_full() -> None:
    bench = discarding(
        "{does: reaction, on: {when: discarded, card: {id: card/p1}}, effect: [{cancel: true}]},"
        " {does: action, effect: [{discard_hand: {number: 2}},"
        " {if: {that: {done: true}, do: [{resources: 1}]}}]}"
    )
    bench.resolve("card/keeper", "card/keeper", ability=1)
    assert bench.count(ANNA, Token.RESOURCE) == 5


@pytest.mark.rule("C-NEST-10")
def test_cards_are_discarded_also_from_a_hand_into_which_another_one_came_meanwhile() -> None:
    bench = discarding(
        "{does: forced, on: {when: discarded, who: you}, limit: {per: round}, effect: [{draw: 1}]}"
    )
    bench.run(hands.lay_down(bench.game, ANNA, hand(bench)))
    assert (bench.in_hand(ANNA), bench.discarded(ANNA)) == (["card/p3"], ["card/p1", "card/p2"])


@pytest.mark.rule("C-NEST-10")
@pytest.mark.parametrize("effect", ["draw: 1", "search: {number: 0}"])
def test_a_card_that_was_searched_out_is_drawn_once_whatever_becomes_of_the_deck(
    effect: str,
) -> None:
    """A reaction draws it first, or has the deck shuffled."""
    bench = discarding(
        "{does: forced, on: {when: drawn, who: you}, limit: {per: round},"
        f" effect: [{{{effect}}}]}}"
    )
    bench.hand(ANNA)
    bench.deck(ANNA, "card/p1", "card/p2")
    handle = bench.game_table.piles[deck_of(ANNA)][0]
    bench.run(hands.draw_these(bench.game, ANNA, [handle]))
    assert bench.in_hand(ANNA) == ["card/p1"]


@pytest.mark.rule("C-NEST-10", "C-LOOK-2")
def test_no_copy_that_lies_elsewhere_takes_the_place_of_a_card_that_was_drawn_meanwhile() -> None:
    bench = discarding(
        "{does: forced, on: {when: drawn, who: you}, limit: {per: round},"
        " effect: [{draw: {number: 1, on: this}}]}"
    )
    bench.hand(ANNA)
    bench.deck(ANNA, "card/p1", "card/p1")
    keeper, other = bench.piece("card/keeper"), bench.lay("card/p5", Zone.PLAY, ANNA)
    for host in (keeper, other):
        face_down.lay(bench.game, ANNA, 1, Place(Zone.ON, host))
    source = Source("card/keeper", keeper, ANNA)
    bench.run(hands.draw_from(bench.game, ANNA, keeper, 1, source))
    assert bench.in_hand(ANNA) == ["card/p1"]


def hand(bench: Bench) -> tuple[str, ...]:
    """Return the cards in Anna's hand."""
    return bench.game_table.piles[hand_of(ANNA)]


@pytest.mark.rule("C-EX-60", "C-SEARCH-1", "C-SEARCH-2", "C-SEARCH-3")
@pytest.mark.parametrize(
    ("way", "seen", "taken"), [(0, 6, ("card/p5",)), (1, 3, ("card/p1", "card/p2"))]
)
def test_a_search_is_deepened_or_takes_one_more_as_chosen_before(
    way: int, seen: int, taken: tuple[str, ...]
) -> None:
    bench = searching()
    deck = [f"card/p{n}" for n in range(1, 6)] + ["card/skill"]
    bench.deck(ANNA, *deck)
    bench.act("card/rummage", "card/torch", ...)
    assert not bench.happened(LookedAt)

    bench = searching()
    bench.deck(ANNA, *deck)
    bench.act("card/rummage", "card/torch", way, taken)
    looked = [one for one in bench.log if isinstance(one, LookedAt)]
    assert [len(one.places) for one in looked] == [seen]
    assert bench.in_hand(ANNA) == [*taken]


@pytest.mark.rule(
    *("C-EX-126", "C-BSEARCH-1", "C-BSEARCH-2", "C-BSEARCH-3", "C-BSEARCH-4", "C-BSEARCH-5"),
    *("C-SEARCH-3", "C-BWEAK-4"),
)
def test_the_top_3_of_a_deck_of_2_are_searched_for_an_asset() -> None:
    bench = searching(more_players=NOTEBOOK)
    bench.lay("card/notebook", Zone.PLAY, ANNA)
    bench.deck(ANNA, "card/p1", "card/scar")
    # One more target, of which there is none; what fits must be taken; then the reaction.
    bench.act("card/rummage", "card/torch", 1, "card/p1", "card/notebook")
    (looked,) = [one for one in bench.log if isinstance(one, LookedAt)]
    assert (looked.knowers, len(looked.places)) == ((0,), 2)
    assert bench.in_hand(ANNA) == ["card/p1"]
    assert bench.in_deck(ANNA) == ["card/scar"]
    assert bench.count(ANNA, Token.RESOURCE) == 6


@pytest.mark.rule("C-EX-126", "C-BSEARCH-5", "C-SEARCH-2", "C-BWEAK-4")
def test_a_search_for_any_card_may_draw_a_weakness_which_is_resolved() -> None:
    bench = searching(of="{}")
    bench.deck(ANNA, "card/p1", "card/scar")
    bench.act("card/rummage", "card/torch", 1, ("card/p1", "card/scar"))
    assert bench.in_hand(ANNA) == ["card/p1"]
    assert bench.discarded(ANNA) == ["card/scar", "card/rummage"]
    assert bench.count(ANNA, Token.RESOURCE) == 4


@pytest.mark.rule("C-EX-126", "C-BWEAK-4")
def test_a_weakness_of_a_player_type_that_is_found_goes_where_its_revelation_says() -> None:
    doubt = """
- id: card/doubt
  type: event
  weakness: true
  abilities: [{does: revelation, effect: [{to_threat: {}}]}]
"""
    bench = searching(of="{}", more_players=doubt)
    bench.deck(ANNA, "card/p1", "card/doubt")
    bench.act("card/rummage", "card/torch", 1, ("card/p1", "card/doubt"))
    assert bench.in_hand(ANNA) == ["card/p1"]
    assert bench.card("card/doubt").at == Place(Zone.THREAT, ANNA)

    bench = searching(more_players=doubt)
    bench.deck(ANNA, "card/p1", "card/doubt")
    bench.act("card/rummage", "card/torch", 1, "card/p1")
    assert bench.in_deck(ANNA) == ["card/doubt"]


@pytest.mark.rule("C-EX-126", "C-BENC-15")
def test_a_card_that_is_added_to_the_hand_is_not_drawn() -> None:
    bench = searching(more=", is_drawn: false", more_players=NOTEBOOK)
    bench.lay("card/notebook", Zone.PLAY, ANNA)
    bench.deck(ANNA, "card/p1", "card/scar")
    bench.act("card/rummage", "choice/pass", "card/p1")
    assert bench.in_hand(ANNA) == ["card/p1"]
    assert bench.count(ANNA, Token.RESOURCE) == 5


@pytest.mark.rule("C-EX-126", "C-BABIL-12", "C-BSEARCH-4")
def test_what_a_search_may_take_can_be_left() -> None:
    bench = searching(more=", may: true")
    bench.deck(ANNA, "card/p1", "card/skill")
    bench.act("card/rummage", "choice/pass", ())
    assert bench.in_hand(ANNA) == []
    assert sorted(bench.in_deck(ANNA)) == ["card/p1", "card/skill"]


@pytest.mark.rule("C-EX-126", "C-BABIL-33")
def test_what_was_found_is_counted_once() -> None:
    players = (
        PLAIN
        + """
- id: card/survey
  type: event
  cost: 0
  abilities:
  - does: play
    effect:
    - search: {top: 3, of: {types: [asset]}, number: 0}
    - resources: {number: {n: 1, per: found}}
"""
    )
    bench = Bench(content_of(players=players, treacheries=WEAK))
    bench.hand(ANNA, "card/survey")
    bench.deck(ANNA, "card/p1", "card/scar")
    bench.act("card/survey")
    assert bench.count(ANNA, Token.RESOURCE) == 6
    assert sorted(bench.in_deck(ANNA)) == ["card/p1", "card/scar"]


@pytest.mark.rule("C-BSEARCH-1", "C-SEARCH-3")
@pytest.mark.parametrize("top", [("card/p1", "card/p2"), ("card/skill", "card/skill")])
def test_others_learn_nothing_of_how_many_cards_fitted(top: tuple[str, ...]) -> None:
    bench = searching(more=", may: true")
    bench.deck(ANNA, *top, "card/skill")
    began = len(bench.log)
    bench.act("card/rummage", "choice/pass", () if top[0] == "card/p1" else 0)
    kinds = [type(one).__name__ for one in bench.log[began:]]
    asked = [ask for ask in bench.asked if ask.rule == "C-BSEARCH-4"]
    assert len(asked) == 1
    assert kinds.count("Asked") == 3
    assert "Drew" not in kinds


# Showing cards

SECRET = "- {id: card/whisper, keywords: [hidden, peril]}\n"


def at_an_open_table(*hand: str, is_open: bool = True) -> Bench:
    """Return a game of two seats whose hands may be shown, with these cards in Anna's."""
    bench = Bench(content_of(players=PLAIN, treacheries=SECRET), (ANNA, BEN))
    settings = evolve(bench.table.room.settings, hands=is_open)
    bench.table = bench.table.with_room(settings=settings)
    bench.hand(ANNA, *hand)
    return bench


@pytest.mark.rule("C-DECIDE-31", "C-SECRET-1")
def test_a_player_shows_chosen_cards_to_all_and_keeps_them() -> None:
    bench = at_an_open_table("card/p1", "card/p2", "card/p3")
    held = {*bench.game_table.piles[hand_of(ANNA)]}
    bench.act("choice/show_hand", ("card/p1", "card/p3"))
    (shown,) = bench.happened(HandShown)
    assert (shown.investigator, shown.cards) == (ANNA, ("card/p1", "card/p3"))
    assert [card for _, card in shown.claims()] == ["card/p1", "card/p3"]
    assert bench.in_hand(ANNA) == ["card/p1", "card/p2", "card/p3"]
    assert not held & {*bench.game_table.piles[hand_of(ANNA)]}
    assert bench.who(ANNA).actions == 3


@pytest.mark.rule("C-DECIDE-31")
def test_whoever_meant_to_show_cards_may_show_none() -> None:
    bench = at_an_open_table("card/p1", "card/p2")
    held = bench.game_table.piles[hand_of(ANNA)]
    bench.act("choice/show_hand", ())
    assert bench.happened(HandShown) == []
    assert bench.game_table.piles[hand_of(ANNA)] == held


@pytest.mark.rule("C-DECIDE-31", "C-DECIDE-29", "C-SECRET-2")
def test_a_hidden_card_is_never_shown() -> None:
    bench = at_an_open_table("card/p1", "card/whisper")
    bench.act("choice/show_hand", ...)
    assert bench.choices("choice/card") == ["card/p1"]


@pytest.mark.rule("C-DECIDE-31", "C-SECRET-2")
def test_a_hand_of_hidden_cards_alone_is_asked_like_any_other() -> None:
    bench = at_an_open_table("card/whisper")
    bench.act("choice/show_hand", "choice/nothing_to_show")
    assert bench.happened(HandShown) == []
    assert [ask.rule for ask in bench.asked] == ["C-BTURN-2", "C-DECIDE-31"]


@pytest.mark.rule("C-DECIDE-31")
@pytest.mark.parametrize(("is_open", "hand"), [(False, ("card/p1",)), (True, ())])
def test_hands_are_private_unless_the_table_says_otherwise(
    is_open: bool, hand: tuple[str, ...]
) -> None:
    bench = at_an_open_table(*hand, is_open=is_open)
    bench.act(...)
    assert "choice/show_hand" not in bench.offered()


@pytest.mark.rule("C-BSEARCH-5")
def test_a_card_that_a_search_takes_without_a_draw_is_not_drawn() -> None:
    look = "{does: play, effect: [{search: {is_drawn: false}}]}"
    players = (
        f"- {{id: card/look, type: event, cost: 0, abilities: [{look}]}}\n"
        "- {id: card/found, type: asset, cost: 0}\n"
    )
    bench = Bench(content_of(players=players))
    bench.hand(ANNA, "card/look")
    bench.deck(ANNA, "card/found")
    (seen,) = bench.game_table.piles[deck_of(ANNA)]
    bench.act("card/look", "card/found")

    assert seen not in bench.game_table.piles[hand_of(ANNA)]
    assert bench.in_hand(ANNA) == ["card/found"]
    assert [one.is_drawn for one in bench.happened(Drew)] == [False]
