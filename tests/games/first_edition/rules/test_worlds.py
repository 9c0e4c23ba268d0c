"""The spine of the rules, seen from one step of one investigator."""

import pytest

from content.games.first_edition.schema.effects import Suffer
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import MYTHOS_HAND, KeeperStep
from server.games.first_edition.rules import rounds, turn
from tests.games.first_edition.rules.bench import KIM
from tests.games.first_edition.rules.worlds import (
    ADA,
    BEN,
    RAT,
    insanity,
    mythos_card,
    world,
)

rule = pytest.mark.rule


@rule("K-MOVE-1", "K-TURN-1")
def test_a_step_leads_into_an_adjacent_space_and_is_spent() -> None:
    bench = world()

    bench.run(turn.take_step(bench.game), "house/b")

    assert bench.who(ADA).space == "house/b"
    assert bench.game_table.steps_left == 1


@rule("K-HORROR-1", "K-HORROR-4", "K-HORROR-5")
def test_whoever_enters_the_room_of_a_monster_may_lose_heart() -> None:
    bench = world(at={ADA: "house/b"}, monsters_at=[(RAT, "house/c")])
    bench.give_rolls(6)

    bench.run(turn.take_step(bench.game), "house/c")

    assert bench.who(ADA).horror == 1


@rule("K-MYTHOS-2", "K-MYTHOS-3", "K-DECIDE-16")
def test_the_keeper_strikes_beside_the_question_for_a_step_once_a_turn() -> None:
    bench = world(mythos=[mythos_card("chill", Suffer(horror=1)), mythos_card("draught")])
    assert len(bench.hand(MYTHOS_HAND)) == 2

    bench.run(turn.take_step(bench.game), {KIM: "mythos/chill"})
    bench.run(turn.take_step(bench.game), "house/b")

    assert bench.who(ADA).horror == 1
    assert [len(ask.prompts) for ask in bench.asked] == [2, 1]


@rule("K-TRAUMA-3", "K-DECIDE-15")
def test_trauma_follows_in_the_question_for_the_next_step() -> None:
    bench = world(trauma=[insanity()], at={ADA: "house/b"}, monsters_at=[(RAT, "house/c")])
    bench.give_rolls(10)

    bench.run(turn.take_step(bench.game), "house/c")
    bench.run(turn.take_step(bench.game), {KIM: "insanity/fear"})

    assert bench.who(ADA).insanity == "insanity/fear"


@rule("K-KEEPER-5")
def test_the_keeper_gains_threat_for_each_investigator() -> None:
    bench = world((ADA, BEN), threat=2, step=KeeperStep.THREAT)

    bench.run(rounds.gain_threat(bench.game))

    assert bench.game_table.threat == 4
    assert bench.happened(fe.KeeperStepBegan)[-1].step is KeeperStep.ACTIONS
