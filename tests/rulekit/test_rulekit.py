"""Shared parts of rules, tested with a handle that stands for any game."""

from collections.abc import Coroutine
from typing import Any, TypeVar

import attrs
import pytest

from protocol.common.text import Text
from server.kernel.asks import Option
from server.rulekit import attempt, decks
from server.rulekit.draws import NOTHING, SECRET, Draws
from server.rulekit.memory import Memory
from server.rulekit.offers import Offers, refusal, together
from server.rulekit.resolver import Resolver, Run
from tests.rulekit.handle import Changed, Handle, Written

T = TypeVar("T")
MEMORY: Any = Memory(Written, Changed, 2)  # type: ignore[arg-type]  # its events are the handle's


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a rule that asks nobody."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    raise AssertionError("it asks somebody")


def a_game(version: int = 5) -> Any:
    return Handle(version)


# Resolver -------------------------------------------------------------------------------------


@attrs.frozen
class Add:
    """A step that adds to the outcome."""

    count: int


@attrs.frozen
class Twice:
    """A step that resolves its own steps twice."""

    steps: tuple[Any, ...]


@attrs.frozen
class Shout:
    """A step that the actor has to do, and that leads to nothing."""


STEPS: Resolver[Any, str, int, Run[Any, str, int]] = Resolver(
    Run, lambda _game, source: source == "gone", lambda outcome: outcome >= 10
)


@STEPS.resolves(Add)
async def _add(run: Run[Any, str, int], step: Add) -> int:
    return run.outcome + step.count


@STEPS.resolves(Twice)
async def _twice(run: Run[Any, str, int], step: Twice) -> int:
    once = await STEPS.resolve(run.game, step.steps, run.source, run.outcome)
    return await STEPS.resolve(run.game, step.steps, run.source, once)


@STEPS.resolves(Shout, by_actor=True)
async def _shout(run: Run[Any, str, int], _step: Shout) -> None:
    run.game.emit("shout")


@STEPS.follows
async def _noted(game: Any, source: str) -> None:
    game.emit(source)


def test_steps_are_resolved_in_order_and_what_follows_them_after_each() -> None:
    game = a_game()

    outcome = run(STEPS.resolve(game, (Add(1), Shout(), Twice((Add(2),))), "ada", 0))

    assert outcome == 5
    assert game.emitted == ["ada", "shout", "ada", "ada", "ada", "ada"]
    assert game.pauses == 5


def test_a_step_of_the_actor_is_passed_over_where_the_actor_is_gone() -> None:
    game = a_game()

    assert run(STEPS.resolve(game, (Shout(), Add(1)), "gone", 0)) == 1
    assert game.emitted == ["gone"]


def test_an_effect_that_returns_leaves_its_other_steps_out() -> None:
    assert run(STEPS.resolve(a_game(), (Add(10), Add(1)), "ada", 0)) == 10


def test_a_second_function_for_a_step_is_refused_where_it_is_registered() -> None:
    with pytest.raises(ValueError, match="Add is resolved twice: by _add and by _add"):
        STEPS.resolves(Add)(_add)

    assert run(STEPS.resolve(a_game(), (Add(1),), "ada", 0)) == 1


# Memory ---------------------------------------------------------------------------------------


def test_memory_writes_what_has_changed_and_now_and_then_all() -> None:
    game = a_game()
    for number in range(3):
        MEMORY.remember(game, f"c{number}", number)
        assert MEMORY.number(game, f"c{number}") == number
        MEMORY.write_down(game)

    assert [(one.is_whole, dict(one.numbers.value)) for one in game.emitted] == [
        (False, {"c0": 0}),
        (False, {"c1": 1}),
        (True, {"c0": 0, "c1": 1, "c2": 2}),
    ]
    assert MEMORY.number(game, "c1") == 1
    assert MEMORY.number(game, "c9") is None


def test_memory_of_the_first_version_writes_each_change() -> None:
    game = a_game(version=1)

    MEMORY.remember(game, "c", 3)
    MEMORY.write_down(game)

    assert [(one.name, one.to.value) for one in game.emitted] == [("c", 3)]


# Draws and decks ------------------------------------------------------------------------------


@pytest.mark.parametrize("entries", [(), ("a",), ("a", "b", "c")])
def test_every_way_of_a_secret_choice_takes_as_many_draws(entries: tuple[str, ...]) -> None:
    """Dummy draws replace those that were not taken."""
    game = a_game()
    draws = Draws(MEMORY)

    with draws.behind_a_secret(game, lambda: 2):
        if entries:
            draws.deal(game, "open", entries)

    assert [purpose for purpose, _ in game.drawn] == [SECRET, SECRET]
    assert not game.under_way


def test_out_of_sight_something_is_drawn_where_nothing_can_come() -> None:
    """In public, a single entry needs no draw."""
    game = a_game()
    draws = Draws()

    assert draws.deal(game, "deal", ()) is None
    assert draws.draw_unseen(game, "unseen", (), ()) is None
    assert draws.draw_unseen(game, "unseen", ("a", "b"), (2, 1)) == "a"
    assert draws.draw_entry(game, "open", ("a",)) == "a"
    assert game.drawn == [("deal", len((NOTHING,))), ("unseen", 1), ("unseen", 3)]


@attrs.frozen
class Card:
    """A card."""

    id: str
    weight: int = 1


def test_no_card_comes_again_before_all_that_can_come_have_come() -> None:
    game = a_game()
    deck = (Card("a"), Card("b"), Card("c"))

    def came(*able: str) -> str | None:
        card = decks.draw(game, Draws(MEMORY), deck, 1, lambda card: card.id in able)
        return None if card is None else card.id

    assert [came("a", "b"), came("a", "b"), came("a", "b"), came("b", "c"), came()] == [
        *("a", "b", "a", "b"),
        None,
    ]


# Attempts and offers --------------------------------------------------------------------------


def test_an_attempt_goes_on_until_it_is_done_or_left() -> None:
    made: list[str] = []

    async def step(_game: Any, who: str) -> None:
        made.append(who)

    async def choose() -> attempt.Perform[Any]:
        return attempt.leave if len(made) == 3 else step

    run(attempt.work(a_game(), "ada", is_done=lambda: len(made) == 2, choose=choose))
    assert made == ["ada", "ada"]
    run(attempt.work(a_game(), "ben", is_done=lambda: False, choose=choose))
    assert made == ["ada", "ada", "ben"]


def test_offers_are_joined_in_their_order() -> None:

    async def act() -> None: ...

    first = Offers((Option(act, Text("do/a")),))
    refused = refusal(Text("do/b"), Text("why/b"), "RULE-1")
    last = Offers((Option(act, Text("do/c")),))

    joined = together([first, refused, last])

    assert joined == first + refused + last
    assert [one.text.subject for one in joined.options] == ["do/a", "do/c"]
    assert [one.text.subject for one in joined.refused] == ["do/b"]
