"""Twins in what a seat could do: whom a window asks is told under *who can*, and nothing else."""

from collections.abc import Callable, Sequence

import pytest

from protocol.games.cards.words import Zone
from server.games.cards.rules import rounds, story, windows
from tests.games.cards.rules.worlds import ANNA, BEN, content_of
from tests.games.cards.twins.stage import OTHERS, A, B, Stage, stage, told_apart, twins

pytestmark = pytest.mark.issue(42)
rule = pytest.mark.rule
EVERYBODY = {A, *OTHERS}
AT = "on: {after: doom-placed}"
PLAYERS = f"""
- {{id: card/vague, type: asset, cost: 9}}
- id: card/cheer
  type: event
  cost: 0
  abilities: [{{does: play, {AT}, effect: [resources: 1]}}]
- id: card/song
  type: event
  cost: 0
  abilities: [{{does: play, {AT}, effect: [draw: {{number: 1}}]}}]
- id: card/quick
  type: event
  cost: 0
  keywords: [fast]
  abilities: [{{does: play, effect: [resources: 1]}}]
- {{id: card/trinket, type: asset, cost: 0}}
- id: card/lamp
  type: asset
  cost: 1
  abilities: [{{does: reaction, {AT}, effect: [resources: 1]}}]
- id: card/encore
  type: event
  cost: 0
  abilities: [{{does: play, effect: [play: {{of: {{types: [asset]}}}}]}}]
- id: card/hurry
  type: event
  cost: 0
  abilities: [{{does: play, effect: [act: {{deed: fight}}]}}]
- id: card/strike
  type: event
  cost: 0
  abilities: [{{does: play, deed: [fight], effect: [fight: {{}}]}}]
- id: card/rummage
  type: event
  cost: 0
  abilities: [{{does: play, effect: [search: {{top: 2, of: {{types: [asset]}}, may: true}}]}}]
- id: card/keen
  type: event
  cost: 0
  abilities: [{{does: play, on: {{when: searches, who: you}}, effect: [resources: 1]}}]
"""
CONTENT = content_of(players=PLAYERS, enemies="- {id: card/rat, fight: 1, health: 9, evade: 1}\n")
WAYS = {
    "one card": (("card/cheer", "card/vague", "card/vague"), ()),
    "two cards": (("card/cheer", "card/song", "card/song"), ()),
    "an open card": (("card/vague", "card/vague", "card/vague"), ("card/lamp",)),
    "nothing": (("card/vague", "card/vague", "card/vague"), ()),
}
"""What Anna has in hand, and in play."""


def having(held: Sequence[str], laid: Sequence[str] = ()) -> Callable[[Stage], None]:
    """Return how a game begins in which Anna holds some cards, and has others in play."""

    def lay(game: Stage) -> None:
        game.hand(ANNA, *held)
        game.hand(BEN, "card/vague", "card/vague")
        for who in (ANNA, BEN):
            game.deck(who, *["card/vague"] * 4)
        for code in laid:
            game.lay(code, Zone.PLAY, ANNA)

    return lay


def place_doom(game: Stage) -> None:
    """Have something happen that cards answer; nobody does."""
    game.go(story.place_doom(game.game, game.piece("card/agenda"), 1))


@rule("C-SECRET-31", "C-DECIDE-6", "C-DECIDE-52", "C-REACT-1")
def test_how_many_ways_a_seat_could_use_in_a_window_is_not_told() -> None:
    lays = [having(*WAYS[one]) for one in ("one card", "two cards")]

    assert twins(CONTENT, lays, place_doom) == {A}


@rule("C-SECRET-31", "C-DECIDE-6", "C-DECIDE-52")
def test_that_a_seat_is_asked_under_who_can_is_told_to_all() -> None:
    """This is the one thing that a hand tells of itself."""
    lays = [having(*WAYS[one]) for one in ("nothing", "one card")]
    games = []
    for lay in lays:
        game = Stage(CONTENT, (ANNA, BEN, "card/cara"))
        lay(game)
        place_doom(game)
        games.append(game)

    assert [len(game.asked) for game in games] == [0, 1]
    assert told_apart(*games) == EVERYBODY


@rule("C-SECRET-31", "C-DECIDE-6", "C-DECIDE-52")
@pytest.mark.parametrize("first", ["one card", "two cards"])
def test_nothing_is_told_under_strict_windows(first: str) -> None:
    lays = [having(*WAYS[one]) for one in (first, "nothing")]

    assert twins(CONTENT, lays, place_doom, is_strict=True) == {A}


@rule("C-SECRET-31", "C-DECIDE-52", "C-BWIN-1")
def test_a_player_window_tells_nothing_under_strict() -> None:
    lays = [having([one, "card/vague"]) for one in ("card/quick", "card/vague")]

    def window(game: Stage) -> None:
        game.go(windows.player_window(game.game, "turn"))
        game.go(rounds.act(game.game, BEN), {B: ["choice/resource"]})

    assert twins(CONTENT, lays, window, is_strict=True) == {A}


def finish_turn(game: Stage) -> None:
    """Have Anna's turn come to its end without an action left; she uses nothing."""
    game.set(ANNA, actions=0)
    while game.game_table.active:
        game.go(rounds.act(game.game, ANNA))


@rule("C-SECRET-31", "C-DECIDE-52", "C-BWIN-4")
def test_how_much_a_turn_without_actions_could_go_on_with_is_not_told() -> None:
    ways = (["card/quick", "card/vague"], ["card/quick", "card/quick"])

    assert twins(CONTENT, [having(one) for one in ways], finish_turn) == {A}


@rule("C-SECRET-31", "C-DECIDE-52", "C-BWIN-4")
@pytest.mark.parametrize(("is_strict", "told"), [(False, EVERYBODY), (True, {A})])
def test_a_turn_without_actions_tells_under_strict_nothing_of_a_hand(
    is_strict: bool, told: set[int]
) -> None:
    lays = [having([one, "card/vague"]) for one in ("card/quick", "card/vague")]
    games = [stage(CONTENT, lay, is_strict=is_strict) for lay in lays]
    for game in games:
        finish_turn(game)

    assert [len(game.asked) for game in games] == [1, 1 if is_strict else 0]
    assert told_apart(*games) == told


@rule("C-SECRET-31", "C-DECIDE-52")
def test_a_cost_that_is_paid_from_the_hand_tells_nothing_under_strict() -> None:
    """Anna's open card could answer only if she could discard a skill, and no hand of any other."""
    content = content_of(
        players=f"""
- {{id: card/vague, type: asset, cost: 9}}
- {{id: card/push, type: skill}}
- id: card/forge
  type: asset
  cost: 1
  abilities:
  - does: reaction
    {AT}
    cost: [discard_hand: {{of: {{types: [skill]}}}}]
    effect: [resources: 1]
"""
    )
    lays = [having([one, "card/vague"], ["card/forge"]) for one in ("card/push", "card/vague")]

    assert twins(content, lays, place_doom, is_strict=True) == {A}


@rule("C-SECRET-1", "C-SECRET-31")
@pytest.mark.parametrize("is_strict", [False, True])
def test_among_how_many_cards_one_is_chosen_to_be_played_is_not_told(is_strict: bool) -> None:
    lays = [having(["card/encore", "card/trinket", one]) for one in ("card/vague", "card/trinket")]

    def play_one(game: Stage) -> None:
        game.go(rounds.act(game.game, ANNA), {A: ["card/encore", "card/trinket"]})

    assert twins(CONTENT, lays, play_one, is_strict=is_strict) == {A}


@rule("C-SECRET-1", "C-SECRET-31", "C-DESIG-3")
def test_whether_a_card_in_hand_is_a_way_to_take_an_action_is_not_told() -> None:
    """Anna takes it with bare hands."""
    lays = [having(["card/hurry", one]) for one in ("card/vague", "card/strike")]

    def fight(game: Stage) -> None:
        game.engage("card/rat", ANNA)
        game.give_tokens("0")
        game.go(rounds.act(game.game, ANNA), {A: ["card/hurry", "choice/fight"]})

    assert twins(CONTENT, lays, fight) == {A}


@rule("C-SECRET-31", "C-DECIDE-6")
def test_what_is_being_resolved_does_not_tell_that_a_hand_could_answer_it() -> None:
    """Ben searches, which a card in Anna's hand answers only if she does."""

    def lay(held: str) -> Callable[[Stage], None]:
        def lay_out(game: Stage) -> None:
            having(["card/vague", held])(game)
            game.hand(BEN, "card/rummage")

        return lay_out

    def search(game: Stage) -> None:
        game.set_active(BEN)
        game.go(rounds.act(game.game, BEN), {B: ["card/rummage"]})

    assert twins(CONTENT, [lay("card/vague"), lay("card/keen")], search) == {A}
