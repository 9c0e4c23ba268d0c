"""Features of the scenario language, as used by the test house."""

import functools

import pytest

from content.games.second_edition.schema import board_steps as more
from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.effects import Effect
from content.games.second_edition.schema.pack import Content
from content.games.second_edition.schema.requirements import Monsters
from protocol.games.second_edition.events import (
    ActionsGained,
    CluesGained,
    CountdownStopped,
    InvestigatorEliminated,
    InvestigatorMoved,
    LimitsChanged,
    PersonHealth,
    PhaseBegan,
    TokenRemoved,
)
from protocol.games.second_edition.table import Harm, Phase
from server.games.second_edition.rules import elimination, requirements
from server.games.second_edition.rules.play import GameOver
from tests.games.second_edition.house_pack import house
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import begin_turn, join, lay_out_decks, where
from tests.games.second_edition.rules.worlds_effects import facedown_count, resolve, told

ONE, TWO = "investigator/one", "investigator/two"

pytestmark = pytest.mark.issue(38)


def at_home(scenario: str, *off: str, rats: tuple[str, ...] = ()) -> Bench:
    """Return a game of the house in its first turn, with rats in some spaces."""
    pack = house().without(off)
    content = Content(pack, pack.scenarios[f"house/{scenario}"])
    bench = Bench(content, pieces=((0, ONE), (1, TWO)))
    lay_out_decks(bench)
    join(bench, ((0, ONE), (1, TWO)))
    run = functools.partial(resolve, bench, actor=ONE)
    tiles = [step for step in content.scenario.setup if isinstance(step, steps.PlaceTile)]
    run(*tiles)
    for who in (ONE, TWO):
        bench.emit(InvestigatorMoved(who, content.scenario.start))
    run(*(step for step in content.scenario.setup if step not in tiles))
    bench.emit(PhaseBegan(Phase.INVESTIGATOR, 1))
    run(*(steps.Spawn("monster/rat", space) for space in rats))
    begin_turn(bench, ONE)
    return bench


def event(bench: Bench, name: str) -> Effect:
    """Return the effect of a Mythos event of the scenario."""
    scenario = bench.game.content.scenario
    return next(event.effect for event in scenario.mythos if event.id == name)


def test_those_near_the_clock_are_frightened() -> None:
    bench = at_home("hours")
    bench.emit(InvestigatorMoved(TWO, "wing/b"))

    resolve(bench, *event(bench, "around"), actor=ONE)
    bench.emit(InvestigatorMoved(TWO, "wing/c"))
    resolve(bench, *event(bench, "around"), actor=ONE)

    assert [facedown_count(bench, Harm.HORROR, who) for who in (ONE, TWO)] == [2, 1]
    # Each time somebody was adjacent to `wing/b`.
    assert [bench.game_table.investigators[who].clues for who in (ONE, TWO)] == [2, 1]


def test_monsters_of_the_house_flee() -> None:
    bench = at_home("hours", rats=("wing/b",))

    resolve(bench, *event(bench, "flight"), actor=ONE)

    rat = next(one for one in bench.game_table.monsters.values() if one.kind == "monster/rat")
    assert where(bench)[rat.monster_id] == "wing/c"


@pytest.mark.parametrize("off", [(), ("product/annex",)])
def test_cards_come_from_every_box_at_the_table(off: tuple[str, ...]) -> None:
    """The annex has the charm and the wisp; they are drawn only if it is at the table."""
    bench = at_home("hours", *off)
    unique = steps.GainRandomItem("unique", trait="relic")

    resolve(bench, *(unique,) * 5, actor=ONE)
    resolve(bench, *(steps.Spawn(trait="ghost"),) * 9, actor=ONE)

    relics = {has.card for has in bench.game_table.investigators[ONE].possessions}
    assert ("item/charm" in relics) is (not off)
    assert "item/book" in relics
    wisps = Monsters(kind="monster/wisp", at_least=1)
    assert requirements.holds(bench.game, wisps, None) is (not off)


def test_a_second_wind_is_one_more_action() -> None:
    """The second wind costs a Clue and is offered only in one's own turn."""
    bench = at_home("company")
    bench.emit(CluesGained(ONE, 1))
    bench.emit(CluesGained(TWO, 1))
    sideboard = bench.game.content.scenario.tokens_by_id["token/sideboard"]
    (wind,) = [option.effect for option in sideboard.options if "second-wind" in option.text]

    resolve(bench, *wind, actor=ONE)
    resolve(bench, *wind, actor=TWO)

    assert bench.game_table.actions_left == 3
    assert bench.happened(ActionsGained) == [ActionsGained(ONE, 1)]
    assert [one.clues for one in bench.game_table.investigators.values()] == [0, 0]


def test_limits_follow_changed_health_and_sanity() -> None:
    """The investigator One bears more with more health, and is Wounded when it falls again.

    The minimum is 1.
    """
    bench = at_home("company")
    before = bench.game_table.investigators[ONE]
    resolve(bench, steps.ChangeLimits(health=2, sanity=1), actor=ONE)
    resolve(bench, steps.Suffer(damage=before.health, facedown=True), actor=ONE)
    between = bench.game_table.investigators[ONE]

    resolve(bench, steps.ChangeLimits(health=-2), actor=ONE)
    after = bench.game_table.investigators[ONE]
    resolve(bench, steps.ChangeLimits(health=-9), steps.ChangeLimits(health=-9), actor=ONE)

    assert (between.health, between.sanity) == (before.health + 2, before.sanity + 1)
    assert not between.is_wounded
    assert (after.health, after.sanity) == (before.health, before.sanity + 1)
    assert after.is_wounded
    assert [one.health for one in bench.happened(LimitsChanged)] == [
        before.health + 2,
        before.health,
        1,
    ]


@pytest.mark.rule("DECIDE-51")
def test_limits_wait_for_the_end_of_the_harm() -> None:
    bench = at_home("company")
    health = bench.game_table.investigators[ONE].health
    resolve(bench, steps.Suffer(damage=health - 2, facedown=True), actor=ONE)

    resolve(bench, steps.ChangeLimits(health=-2), actor=ONE, is_inner=True)

    assert not bench.game_table.investigators[ONE].is_wounded


def test_somebody_frail_in_the_house() -> None:
    bench = at_home("company")
    frail = event(bench, "frail")
    before = bench.game_table.investigators[ONE]

    resolve(bench, *frail, actor=ONE)

    after = bench.game_table.investigators[ONE]
    assert (after.health, after.sanity) == (before.health - 1, before.sanity)


def test_the_house_stops_the_countdown_once() -> None:
    """A trigger stops the first countdown; a second elimination starts another."""
    bench = at_home("company")

    bench.run(elimination.eliminate(bench.game, TWO))

    assert bench.happened(CountdownStopped) == [CountdownStopped()]
    assert bench.game_table.countdown is None
    resolve(bench, steps.StopCountdown(), actor=ONE)
    assert len(bench.happened(CountdownStopped)) == 1
    with pytest.raises(GameOver):
        bench.run(elimination.eliminate(bench.game, ONE))
    assert bench.happened(InvestigatorEliminated)[-1].countdown == 2


def test_the_guest_of_the_house_can_be_hurt_and_dies() -> None:
    """Of three health the guest loses two, is healed of two, and loses one.

    Two more are too many.
    """
    bench = at_home("ways")
    hurt = event(bench, "guest-hurt")

    resolve(bench, *hurt, actor=ONE)
    between = bench.game_table.persons["token/guest"]
    resolve(bench, *hurt, actor=ONE)

    assert (between.health, between.damage) == (3, 1)
    assert bench.happened(PersonHealth)[-1] == PersonHealth("token/guest", 3, 3)
    assert bench.happened(TokenRemoved) == [TokenRemoved("token/guest")]
    assert bench.game_table.persons == {}
    assert told(bench)[-1] == "ways/host-says"


def test_nothing_hurts_or_heals_somebody_who_is_not_there() -> None:
    bench = at_home("ways")

    resolve(bench, more.HurtPerson("token/host", 9), more.HealPerson("token/host"), actor=ONE)

    assert bench.happened(PersonHealth) == [PersonHealth("token/guest", 3, 0)]
