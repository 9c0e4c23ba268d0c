"""Stories of the bundled pack at moments that people seldom bring about."""

import attrs
import pytest

from content.games.first_edition.schema.pack import Content
from protocol.event import hidden
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import KeeperStep
from protocol.games.first_edition.words import KEEPER, Side
from server.games.first_edition.rules import (
    decks,
    deeds,
    monsters,
    newcomers,
    requirements,
    setup,
    story,
    turn,
)
from server.games.first_edition.rules.play import GameOver, Source
from tests.games.first_edition.house import manor
from tests.games.first_edition.rules.bench import Bench
from tests.games.first_edition.rules.worlds import told

pytestmark = pytest.mark.issue(41)

NORA, AGNES = "investigator/nora-voss", "investigator/agnes-tull"
SQUIRE, CHAPEL = "monster/squire", "chapel/a"
TOAST, DAYBREAK = 2, 4
"""Events of Twelfth Night, by their number of earlier events."""


def at_event(name: str, number: int, answers: dict[str, str]) -> Bench:
    """Return a story at the keeper's event step, with so many earlier events resolved."""
    return begun(Content(manor(), manor().scenarios[f"manor/{name}"]), number, answers)


def begun(made: Content, number: int, answers: dict[str, str]) -> Bench:
    """Return a story of any pack as `at_event` does."""
    bench = Bench(made, (NORA, AGNES))
    setup.lay_out_board(bench.game)
    bench.emit(fe.AnswersGiven(KEEPER, hidden(answers)))
    setup.place_hidden_cards(bench.game)
    decks.lay_out(bench.game)
    for who in (NORA, AGNES):
        card = made.pack.characters[who]
        traits = (card.physical[0], card.mental[0])
        newcomers.join(bench.game, who, bench.game.seat_of(who), traits)
    bench.emit(fe.RoundBegan(1))
    table = bench.game_table
    past = tuple(sealed.value for sealed in table.events[:number])
    left = attrs.evolve(table, events=table.events[number:], resolved=past)
    bench.table = bench.with_game(left)
    bench.emit(fe.KeeperStepBegan(KeeperStep.EVENT))
    bench.log.clear()
    return bench


def twelfth_night(number: int) -> Bench:
    """Return the story of the guest of honour at an event."""
    answers = {
        "purpose": "the-guest",
        "family-bible": "the-parson",
        "who-let-them-in": "the-steward",
    }
    return at_event("twelfth-night", number, answers)


def squires(bench: Bench) -> int:
    return sum(one.kind == SQUIRE for one in bench.game_table.monsters.values())


def kill_squire(bench: Bench) -> None:
    monsters.put(bench.game, SQUIRE, CHAPEL)
    bench.emit(fe.MonsterKilled(bench.monster(SQUIRE).monster_id))


def texts(bench: Bench) -> set[str]:
    return {text.subject for text in told(bench)}


def test_a_squire_who_was_killed_does_not_rise_with_the_third_event() -> None:
    bench = twelfth_night(TOAST)
    kill_squire(bench)

    bench.run(story.resolve_event(bench.game))

    assert not squires(bench)
    assert "twelfth-night/he-is-missed" in texts(bench)
    lay_a_place = manor().actions["action/lay-a-place"].requires
    assert not requirements.holds(bench.game, lay_a_place, Source("action/lay-a-place"))


def test_a_squire_who_is_up_already_does_not_rise_a_second_time() -> None:
    bench = twelfth_night(TOAST)
    monsters.put(bench.game, SQUIRE, CHAPEL)

    bench.run(story.resolve_event(bench.game))

    assert squires(bench) == 1
    assert "twelfth-night/he-is-early" in texts(bench)
    assert "twelfth-night/he-rises" not in texts(bench)


def test_at_daybreak_a_squire_who_was_killed_does_not_dine() -> None:
    """The last clue was not found, but there is nobody left to sit down."""
    bench = twelfth_night(DAYBREAK)
    kill_squire(bench)

    with pytest.raises(GameOver):
        bench.run(story.resolve_event(bench.game))

    assert "twelfth-night/dawn-regrets" in texts(bench)
    assert bench.game_table.ending is not None
    assert bench.game_table.ending.winners == (Side.INVESTIGATORS,)


def test_at_daybreak_the_keeper_wins_while_the_squire_stands() -> None:
    bench = twelfth_night(DAYBREAK)
    monsters.put(bench.game, SQUIRE, CHAPEL)

    with pytest.raises(GameOver):
        bench.run(story.resolve_event(bench.game))

    assert "twelfth-night/dawn-guest" in texts(bench)
    assert bench.game_table.ending is not None
    assert bench.game_table.ending.winners == (Side.KEEPER,)


def test_the_understudy_is_not_looked_for_among_the_dead() -> None:
    """A person who was accused wrongly is neither accused nor suspected again."""
    answers = {"purpose": "the-benefit", "who": "miss-pardoe", "who-carried-it": "the-carter"}
    bench = at_event("understudy", 0, answers)
    by_id = {deed.id: deed for deed in bench.game.content.story.deeds}
    bench.emit(fe.CounterChanged("against-gannet", 2))
    turn.begin(bench.game, NORA)
    bench.run(deeds.perform(bench.game, NORA, by_id["deed/accuse-gannet"]))
    bench.emit(fe.KeeperStepBegan(KeeperStep.EVENT))

    bench.run(story.resolve_event(bench.game))

    assert "understudy/wronged-gannet" in texts(bench)
    turn.begin(bench.game, NORA)
    assert not deeds.offers(bench.game, NORA).options
    bench.emit(fe.Moved(NORA, "prompt-side/a"))
    bench.set(NORA, skill_points=0)
    bench.give_rolls(1)
    bench.run(deeds.perform(bench.game, NORA, by_id["deed/watch-from-the-wings"]), ...)
    assert bench.open is not None
    offered = {one.text.subject for prompt in bench.open.prompts.values() for one in prompt.options}
    assert offered == {"understudy/against-marchbanks", "understudy/against-pardoe"}
