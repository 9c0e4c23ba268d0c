"""Twins in what lies closed on the table: hidden and facedown cards, and what setup dealt."""

from collections.abc import Callable, Sequence

import pytest

from protocol.games.cards.table import ENCOUNTER
from protocol.games.cards.words import Fate, Zone
from server.games.cards.rules import (
    effects,
    elimination,
    encounter,
    hands,
    harm,
    locations,
    rounds,
    setup,
    story,
    weaknesses,
    windows,
    zones,
)
from server.games.cards.rules.play import Source
from tests.games.cards.rules.worlds import ANNA, BEN, content_of
from tests.games.cards.twins.stage import OTHERS, A, B, Stage, twins

pytestmark = pytest.mark.issue(42)
rule = pytest.mark.rule
EVERYBODY = {A, *OTHERS}

# Hidden cards -----------------------------------------------------------------------------------

_HIDDEN = """
- id: card/{id}
  keywords: [hidden, peril]
  abilities:
  - {{does: constant, gives: [{{skill: {{stat: willpower, by: -1}}}}]}}
  - {{does: action, effect: [{{discard: this}}]}}
  - does: free
    limit: {{per: round}}
    effect:
    - {{lasting: {{until: round, gives: [skill: {{stat: combat, by: 1}}]}}}}
    - {{later: {{on: {{after: turn-ends}}, do: [resources: 1]}}}}
    - {{test: {{skill: combat, difficulty: 1}}}}
    - {{may: {{do: [resources: 1]}}}}
  - {{does: forced, on: {{after: turn-ends, who: you}}, effect: [{{harm: {{horror: 1}}}}]}}
"""
HIDDEN = content_of(
    treacheries="".join(_HIDDEN.format(id=one) for one in ("whisper", "mutter"))
    + "- {id: card/mist}\n",
    players="- {id: card/dull, type: asset, cost: 9}\n",
)


def hidden_on_top(*codes: str) -> Callable[[Stage], None]:
    """Return how a game begins with some hidden cards on top of the encounter deck."""

    def lay(game: Stage) -> None:
        game.hand(ANNA, "card/dull")
        game.hand(BEN, "card/dull")
        game.deck(ENCOUNTER, *codes, "card/mist")

    return lay


def live_with_it(game: Stage) -> None:
    """Draw a hidden card and have it do all that it does, but leave."""
    game.go(encounter.draw(game.game, ANNA))
    game.give_tokens("0")
    game.go(windows.player_window(game.game, "turn"), {A: ["choice/use"]})
    game.go(rounds.act(game.game, BEN))
    game.go(rounds.act(game.game, ANNA), {A: ["choice/end_turn"]})


@rule("C-SECRET-2", "C-SECRET-8", "C-HID-1", "C-BKEY-7", "C-BKEY-25")
def test_a_hidden_card_is_known_to_its_holder_alone() -> None:
    lays = [hidden_on_top(one) for one in ("card/whisper", "card/mutter")]

    assert twins(HIDDEN, lays, live_with_it) == {A}


@rule("C-SECRET-2", "C-DECIDE-29")
def test_nobody_can_tell_when_a_hidden_card_was_drawn_that_leaves_a_hand() -> None:
    """Two are drawn in one order or the other; one of them discards itself."""
    both = ("card/whisper", "card/mutter")
    lays = [hidden_on_top(*codes) for codes in (both, both[::-1])]

    def draw_and_discard(game: Stage) -> None:
        for _ in both:
            game.go(encounter.draw(game.game, ANNA))
        game.go(rounds.act(game.game, ANNA), {A: ["params=('card/whisper'"]})

    assert twins(HIDDEN, lays, draw_and_discard) == {A}


# Facedown cards ---------------------------------------------------------------------------------

SWARM = content_of(
    enemies="- {id: card/hive, fight: 1, health: 1, evade: 1, swarming: 2}\n",
    players="".join(f"- {{id: card/p{n}, type: asset, cost: 9}}\n" for n in range(6)),
)


def swarming(*deck: str) -> Callable[[Stage], None]:
    """Return how a game begins in which the host of a swarm comes to Anna, who has this deck."""

    def lay(game: Stage) -> None:
        game.deck(ANNA, *deck)
        game.deck(ENCOUNTER, "card/hive", "card/hive")

    return lay


def defeat_a_swarm(game: Stage) -> None:
    """Have a swarm come, and defeat its cards and its host; then draw what lay below it."""
    game.go(encounter.draw(game.game, ANNA))
    swarm = [card.piece for card in game.game_table.cards.values() if card.at.zone is Zone.SWARM]
    assert len(swarm) == 2
    game.go(harm.place(game.game, [harm.Part(swarm[0], 1, 0)], ""))
    game.go(zones.discard(game.game, [game.piece("card/hive")]))


@rule("C-SECRET-17", "C-LOOK-4", "C-BKEY-20")
def test_a_swarm_card_is_known_to_nobody() -> None:
    decks = [("card/p0", "card/p1", "card/p2"), ("card/p3", "card/p0", "card/p2")]
    lays = [swarming(*deck) for deck in decks]

    assert twins(SWARM, lays, defeat_a_swarm) == set()


CHESTS = content_of(
    players="""
- id: card/chest
  type: asset
  cost: 1
  abilities:
  - {does: free, effect: [{face_down: {number: 2}}]}
  - {does: free, effect: [{draw: {number: 1, on: this}}]}
"""
    + "".join(f"- {{id: card/p{n}, type: asset, cost: 9}}\n" for n in range(4)),
    treacheries="""
- id: card/lid
  abilities:
  - {does: revelation, effect: [{face_down: {on: here, beneath: true, encounter: true}}]}
- {id: card/glimpse, abilities: [{does: revelation, effect: [{look: {on: here}}]}]}
- {id: card/mist}
- {id: card/fog}
""",
)


def with_decks(own: Sequence[str], encounters: Sequence[str] = ()) -> Callable[[Stage], None]:
    """Return how a game begins in which Anna has a chest, and decks lie like this."""

    def lay(game: Stage) -> None:
        game.lay("card/chest", Zone.PLAY, ANNA)
        game.deck(ANNA, *own)
        game.deck(ENCOUNTER, *encounters)

    return lay


def use(game: Stage, code: str, ability: int = 0, who: str = ANNA, *wishes: str) -> None:
    """Resolve an ability of a card."""
    lying = [card.piece for card in game.game_table.cards.values() if card.shown == code]
    source = Source(code, lying[0] if lying else "", who)
    effect = game.game.content.faces[code].abilities[ability].effect
    game.go(effects.resolve(game.game, effect, source), {A: wishes})


OWN = [with_decks(("card/p0", "card/p1", "card/p3")), with_decks(("card/p2", "card/p1", "card/p3"))]
SCENARIOS = [
    with_decks((), ("card/mist", "card/fog", "card/mist")),
    with_decks((), ("card/fog", "card/mist", "card/mist")),
]


@rule("C-SECRET-15", "C-LOOK-1", "C-LOOK-2")
def test_what_lies_face_down_on_a_card_is_known_to_its_controller_alone() -> None:
    def lay_and_draw(game: Stage) -> None:
        use(game, "card/chest")
        use(game, "card/chest", 1, ANNA, "params=('card/p1'")

    assert twins(CHESTS, OWN, lay_and_draw) == {A}


@rule("C-SECRET-15", "C-DECIDE-36")
def test_what_lies_face_down_is_known_to_the_new_controller_besides() -> None:
    def hand_over(game: Stage) -> None:
        use(game, "card/chest")
        zones.change_control(game.game, game.piece("card/chest"), BEN)

    assert twins(CHESTS, OWN, hand_over) == {A, B}


@rule("C-SECRET-16", "C-SECRET-18", "C-LOOK-3", "C-LOOK-4")
def test_what_the_scenario_lays_face_down_is_known_to_nobody() -> None:
    assert twins(CHESTS, SCENARIOS, lambda game: use(game, "card/lid")) == set()


@rule("C-SECRET-18", "C-LOOK-3")
def test_what_the_scenario_lets_one_look_at_is_known_to_them_alone() -> None:
    def look(game: Stage) -> None:
        use(game, "card/lid")
        use(game, "card/glimpse", who=BEN)

    assert twins(CHESTS, SCENARIOS, look) == {B}


# Locations, acts and weaknesses -----------------------------------------------------------------

DECK = "{card/p0: 3, card/p1: 3, card/p2: 3, card/p3: 3}"
DEALT = content_of(
    locations="""
- {id: card/door, symbol: d, connects: [s1], face: {id: card/door-seen, shroud: 1}}
- id: card/attic
  symbol: a
  connects: [s2]
  face: {id: card/attic-seen, shroud: 4, clues: {n: 3}, symbol: a, connects: [s3]}
- {id: card/cellar, symbol: c, face: {id: card/cellar-seen, shroud: 1, symbol: c}}
""",
    acts="- {id: card/act, clues: 1}\n- {id: card/second-a}\n- {id: card/second-b}\n",
    treacheries="".join(f"- {{id: card/fear{n}, weakness: true, basic: true}}\n" for n in range(3)),
    players="".join(f"- {{id: card/p{n}, type: asset, cost: 9}}\n" for n in range(4)),
    decks="".join(
        f"- {{id: deck/{who}, investigator: card/{who}, cards: {DECK}}}\n"
        for who in ("anna", "ben", "cara")
    ),
    scenario="""
random:
- {id: doors, among: [card/attic, card/cellar], number: 1, looks: card/door}
acts: [card/act, card/second-a]
act_versions: {card/second-a: [card/second-a, card/second-b]}
""",
)
ACT, DOOR, WEAKNESS = range(3)
"""The order in which setup deals: an act, a location, and a weakness for each deck."""


def dealt(**places: int) -> Callable[[Stage], None]:
    """Return how a setup begins that deals certain things."""

    def lay(game: Stage) -> None:
        game.give_picks(places.get("act", 0), places.get("door", 0), places.get("weakness", 0))

    return lay


def set_up(game: Stage) -> None:
    """Set a game up and play the first turn, without going through the door."""
    game.go(setup.set_up(game.game))
    game.go(rounds.act(game.game, ANNA))


@rule("C-SECRET-11", "C-SECRET-12", "C-BLOC-2")
def test_which_location_was_dealt_is_known_to_nobody() -> None:
    assert twins(DEALT, [dealt(door=0), dealt(door=1)], set_up, is_begun=False) == set()


@rule("C-SECRET-12")
def test_which_location_was_dealt_is_seen_by_all_once_it_is_revealed() -> None:
    def enter(game: Stage) -> None:
        set_up(game)
        game.go(locations.reveal(game.game, [game.piece("card/door")]))

    found = twins(DEALT, [dealt(door=0), dealt(door=1)], enter, is_begun=False)
    assert found == EVERYBODY


@rule("C-SECRET-10")
def test_which_version_of_an_act_comes_later_is_known_to_nobody() -> None:
    assert twins(DEALT, [dealt(act=0), dealt(act=1)], set_up, is_begun=False) == set()


@rule("C-SECRET-10", "C-SECRET-9")
def test_which_version_of_an_act_was_chosen_is_seen_by_all_once_it_comes() -> None:
    def advance(game: Stage) -> None:
        set_up(game)
        game.go(story.advance(game.game, Zone.ACT))

    found = twins(DEALT, [dealt(act=0), dealt(act=1)], advance, is_begun=False)
    assert found == EVERYBODY


@rule("C-SECRET-4", "C-SECRET-30", "C-POOL-1")
def test_a_random_weakness_is_known_to_its_owner_alone() -> None:
    content = content_of(
        treacheries="".join(
            f"- {{id: card/fear{n}, weakness: true, basic: true}}\n" for n in range(3)
        ),
        players="- {id: card/p0, type: asset, cost: 9}\n",
    )

    def pick(at: int) -> Callable[[Stage], None]:
        def lay(game: Stage) -> None:
            game.deck(ANNA, "card/p0", "card/p0")
            game.give_picks(at)

        return lay

    def give(game: Stage) -> None:
        assert weaknesses.give(game.game, ANNA)
        game.go(hands.draw(game.game, (ANNA,), 1))

    assert twins(content, [pick(0), pick(2)], give) == {A}


@rule("C-SECRET-26", "C-BSETUP-6")
def test_which_cards_are_swapped_at_the_beginning_is_known_to_their_owner_alone() -> None:
    """One card is swapped, of this or that name, and comes back into the deck."""
    kinds = ("card/p0", "card/p1", "card/p2", "card/p3")

    def with_hand(odd: str) -> Callable[[Stage], None]:
        def lay(game: Stage) -> None:
            hand = (*["card/p0"] * 3, "card/p1", odd)
            rest = [code for code in kinds for _ in range(3 - hand.count(code))]
            rest.append("card/fear0")
            game.give_order(f"deck/{ANNA}", (*hand, *rest))

        return lay

    def swap(game: Stage) -> None:
        odd = game._orders[f"deck/{ANNA}"][0][4]
        game.go(setup.set_up(game.game), {A: [f"params=('{odd}'"]})

    lays = [with_hand("card/p2"), with_hand("card/p3")]
    assert twins(DEALT, lays, swap, is_begun=False) == {A}


# Those who are eliminated -----------------------------------------------------------------------


@rule("C-SECRET-36", "C-BELIM-12")
def test_hand_and_deck_of_an_eliminated_investigator_stay_unknown() -> None:
    def lay(held: str, top: str) -> Callable[[Stage], None]:
        def lay_out(game: Stage) -> None:
            game.hand(ANNA, held)
            game.deck(ANNA, top, "card/p0")

        return lay_out

    def resign(game: Stage) -> None:
        game.go(elimination.eliminate(game.game, {ANNA: None}, Fate.RESIGNED), {})
        game.go(rounds.act(game.game, BEN))

    lays = [lay("card/p1", "card/p2"), lay("card/p3", "card/p4")]
    assert twins(SWARM, lays, resign) == {A}
