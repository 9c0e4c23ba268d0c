"""One player with two investigators: W-PLAYER, W-DECIDE-51 and W-DECIDE-54."""

from typing import Any

import pytest

from content.games.first_edition.schema.cards import Trigger
from content.games.first_edition.schema.effects import Stun, Suffer
from content.games.first_edition.schema.pack import Content
from content.games.first_edition.schema.story import KeeperStart
from protocol.common.events import Player
from protocol.common.laws import LawBroken
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.laws import FirstEditionLaws
from protocol.games.first_edition.table import TRAUMA_HAND, KeeperStep
from protocol.games.first_edition.words import INVESTIGATOR, KEEPER, Side, Variant
from server.games.first_edition.rules import (
    death,
    effects,
    monster_points,
    newcomers,
    objective,
    rounds,
    setup,
    trade,
    turn,
)
from server.games.first_edition.rules.monster_points import PointsBy
from server.games.first_edition.rules.play import GameOver, Source
from server.games.first_edition.rules.ruleset import FirstEdition
from tests.games.first_edition.rules.bench import KIM, Bench
from tests.games.first_edition.rules.house import before_setup, go, view
from tests.games.first_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    DAN,
    by_id,
    injury,
    item_card,
    mythos_card,
    pack_of,
    story_of,
    world,
)

pytestmark = pytest.mark.issue(41)
rule = pytest.mark.rule

ROW = (
    *("trait/ada-body-1", "trait/ada-mind-2"),
    *("trait/ben-body-2", "trait/ben-mind-1"),
)
"""The traits of both, which one seat picks."""


def both(**fields: Any) -> Bench:
    """Return a world in which one player leads Ada and Ben."""
    return world((ADA, BEN), are_led_by_one=True, **fields)


def set_up(bench: Bench, *variants: Variant) -> None:
    def wants(option: Any) -> bool:
        return bool(option.value == variants)

    bench.run(setup.set_up(bench.game), {KIM: wants, 1: wants}, {KIM: "wake", 1: ROW})


def has(bench: Bench, who: str) -> list[str]:
    return [item.card for item in bench.who(who).items]


# Seats


@rule("W-PLAYER-1", "W-PLAYER-2", "W-CARD-1")
def test_outdoors_a_player_alone_leads_two_and_others_lead_one_each() -> None:
    outdoors = FirstEdition().roster(Content(pack_of(), story_of(outdoor=True)))
    base = FirstEdition().roster(Content(pack_of(), story_of()))

    others = outdoors.role(INVESTIGATOR)
    assert others is not None
    assert [others.count_for(seats) for seats in (2, 3, 4, 5)] == [2, 1, 1, 1]
    assert (outdoors.fewest, outdoors.most) == (2, 5)
    assert outdoors.seating(2) == {INVESTIGATOR: 1, KEEPER: 1}
    lone = base.role(INVESTIGATOR)
    assert lone is not None
    assert lone.count_for(2) == 1


@rule("W-PLAYER-2", "W-DECIDE-51")
@pytest.mark.parametrize(
    ("people", "is_lawful"),
    [
        (((ADA, BEN),), True),
        (((ADA,),), True),
        (((ADA, BEN, CORA),), False),
        (((ADA, BEN), (CORA,)), False),
        (((ADA,), (BEN,)), True),
        (((),), False),
    ],
)
def test_a_log_in_which_others_lead_two_is_refused(
    people: tuple[tuple[str, ...], ...], is_lawful: bool
) -> None:
    players = [Player(KIM, KEEPER, ())]
    players += [Player(at, INVESTIGATOR, led) for at, led in enumerate(people, 1)]
    if is_lawful:
        FirstEditionLaws().check_start(players)
        return
    with pytest.raises(LawBroken):
        FirstEditionLaws().check_start(players)


# Setup


@rule("W-PLAYER-2", "W-PLAYER-3", "W-DECIDE-51", "W-EX-19")
def test_both_join_in_the_order_of_claiming_with_traits_that_their_seat_picks() -> None:
    bench = before_setup((ADA, BEN), are_led_by_one=True, outdoor=True)
    set_up(bench)

    assert set(bench.asked[-1].prompts) == {KIM, 1}
    joined = bench.happened(fe.InvestigatorJoined)
    assert [(one.investigator, one.seat) for one in joined] == [(ADA, 1), (BEN, 1)]
    assert [one.traits for one in joined] == [ROW[:2], ROW[2:]]


@rule("W-PLAYER-3", "W-DECIDE-51")
def test_the_first_claimed_comes_first_where_seats_are_in_order() -> None:
    bench = before_setup((BEN, ADA), are_led_by_one=True, outdoor=True)
    row = (*ROW[2:], *ROW[:2])
    bench.run(setup.set_up(bench.game), "choice/no_variant", {KIM: "wake", 1: row})

    assert [one.investigator_id for one in bench.game_table.in_seat_order()] == [BEN, ADA]


@rule("W-PLAYER-3", "W-DECIDE-51", "W-EX-19")
def test_the_threat_at_the_start_is_that_against_two() -> None:
    start = KeeperStart(threat=(1, 5, 7, 9))
    bench = before_setup((ADA, BEN), are_led_by_one=True, outdoor=True, keeper_start=start)
    set_up(bench)

    assert bench.game_table.threat == 5


@rule("W-DECIDE-54", "W-EX-25")
@pytest.mark.parametrize(("by", "points"), [(PointsBy.INVESTIGATORS, 2), (PointsBy.PLAYERS, 1)])
def test_monsters_have_a_skill_point_for_each_investigator_or_for_each_player(
    by: PointsBy, points: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(monster_points, "KEEPER_SKILL_POINTS_BY", by)
    bench = before_setup((ADA, BEN), are_led_by_one=True, outdoor=True)
    set_up(bench, Variant.MONSTER_SKILL_POINTS)

    assert bench.game_table.keeper_skill_points == points


@rule("W-DECIDE-54")
def test_usually_investigators_are_counted() -> None:
    assert monster_points.KEEPER_SKILL_POINTS_BY is PointsBy.INVESTIGATORS


# Rounds


@rule("W-PLAYER-3", "W-DECIDE-51", "W-EX-19")
def test_each_has_a_full_turn_in_a_round_in_an_order_of_choice() -> None:
    bench = both(active=None)
    go(bench, {1: BEN})
    assert (bench.game_table.active, bench.game_table.steps_left) == (BEN, 2)
    assert bench.game_table.has_action
    go(bench, "choice/end_turn")
    go(bench)
    assert (bench.game_table.active, bench.game_table.steps_left) == (ADA, 2)
    go(bench, "choice/end_turn")

    assert not bench.game_table.to_act()
    assert [one.investigator for one in bench.happened(fe.TurnBegan)] == [BEN, ADA]


@rule("W-PLAYER-3")
def test_a_turn_can_be_given_back_for_that_of_the_other() -> None:
    bench = both(active=None)
    go(bench, {1: ADA})
    go(bench, "choice/withdraw")

    assert len(bench.game_table.to_act()) == 2


@rule("W-DECIDE-51", "W-EX-19")
def test_the_keeper_gains_a_threat_for_each_of_the_two() -> None:
    bench = both(step=KeeperStep.THREAT)
    go(bench)

    assert bench.game_table.threat == 2


# Trade


@rule("W-PLAYER-3")
def test_the_two_give_each_other_items_and_nobody_is_asked_for_consent() -> None:
    bench = both(step=KeeperStep.TRADE, items=by_id(item_card("spade"), item_card("lamp")))
    newcomers.gain_item(bench.game, ADA, "item/spade")
    newcomers.gain_item(bench.game, BEN, "item/lamp")
    bench.run(trade.step(bench.game), "item/spade", "item/lamp")

    assert (has(bench, ADA), has(bench, BEN)) == (["item/lamp"], ["item/spade"])
    assert bench.game_table.step is KeeperStep.STUN
    assert [ask.prompts[1].prompt.subject for ask in bench.asked] == ["ask/trade_own"] * 2


@rule("W-PLAYER-3")
def test_whoever_leads_both_ends_the_trade_for_both() -> None:
    bench = both(step=KeeperStep.TRADE, items=by_id(item_card("spade"), item_card("lamp")))
    newcomers.gain_item(bench.game, ADA, "item/spade")
    newcomers.gain_item(bench.game, BEN, "item/lamp")
    bench.run(trade.step(bench.game), "choice/trade_done")

    assert (has(bench, ADA), has(bench, BEN)) == (["item/spade"], ["item/lamp"])
    assert bench.game_table.step is KeeperStep.STUN


# Deaths


@rule("W-DECIDE-51")
def test_a_dead_investigator_is_replaced_and_the_other_keeps_the_own_turn() -> None:
    bench = both()
    bench.run(death.kill(bench.game, ADA))
    (waiting,) = bench.game_table.waiting
    assert (waiting.seat, waiting.has_acted) == (1, True)
    go(bench)
    assert bench.game_table.active == BEN
    go(bench, "choice/end_turn")
    bench.emit(fe.RoundBegan(2))
    go(bench, {1: "choice/new_investigator"}, {1: CORA}, {1: (0, 0)})

    assert set(bench.game_table.investigators) == {BEN, CORA}
    assert bench.who(CORA).seat == 1
    assert [one.seat for one in bench.game_table.to_act()] == [1]
    go(bench)
    assert bench.game_table.active == BEN


@rule("W-DECIDE-51")
def test_two_who_are_killed_are_both_replaced_one_turn_for_each() -> None:
    bench = both(active=None)
    for who in (ADA, BEN):
        bench.run(death.kill(bench.game, who))
    bench.run(rounds.choose_turn(bench.game), {1: CORA}, {1: (0, 0)})
    assert [one.seat for one in bench.game_table.to_act()] == [1]
    bench.run(rounds.choose_turn(bench.game), {1: DAN}, {1: (0, 0)})

    assert set(bench.game_table.investigators) == {CORA, DAN}
    assert not bench.game_table.to_act()


@rule("W-DECIDE-51")
def test_one_for_whom_nobody_is_left_is_out_and_the_other_plays_on() -> None:
    bench = both(story={"investigators": (ADA, BEN, CORA)})
    bench.run(death.kill(bench.game, ADA))
    bench.run(death.kill(bench.game, BEN))
    bench.run(newcomers.arrive(bench.game, 1), {1: CORA}, {1: (0, 0)})
    bench.run(newcomers.arrive(bench.game, 1))

    assert (bench.game_table.eliminated, bench.game_table.waiting) == ((1,), ())
    assert set(bench.game_table.investigators) == {CORA}
    assert bench.game_table.ending is None


@rule("W-DECIDE-51")
def test_the_keeper_wins_once_both_are_killed_and_none_returns() -> None:
    bench = both()
    objective.reveal(bench.game)
    bench.run(death.kill(bench.game, ADA))
    with pytest.raises(GameOver):
        bench.run(death.kill(bench.game, BEN))

    assert bench.game_table.eliminated == (1, 1)
    assert bench.game_table.ending is not None
    assert bench.game_table.ending.winners == (Side.KEEPER,)


@rule("W-EX-25", "W-DECIDE-51")
def test_of_two_after_the_reveal_one_is_left_and_cards_for_several_go() -> None:
    many, few = injury("crush", several=True), injury("limp")
    bench = both(trauma=[many], step=KeeperStep.THREAT, in_decks={"traumas": [few]})
    objective.reveal(bench.game)
    bench.run(death.kill(bench.game, ADA))

    assert [one.card for one in bench.happened(fe.HandCardDiscarded)] == ["injury/crush"]
    hand = [bench.game_table.card_of(one) for one in bench.game_table.hand(TRAUMA_HAND)]
    assert hand == ["injury/limp"]
    go(bench)
    assert bench.game_table.threat == 1


@rule("W-DECIDE-51")
def test_with_both_alive_a_card_for_several_stays_in_hand() -> None:
    bench = both(trauma=[injury("crush", several=True)])
    bench.run(effects.resolve(bench.game, (Suffer(damage=1),), Source("x/y", ADA)), ...)

    assert not bench.happened(fe.HandCardDiscarded)
    assert len(bench.game_table.hand(TRAUMA_HAND)) == 1


# Secrets


@rule("W-DECIDE-51", "W-PLAYER-3")
@pytest.mark.parametrize("who", [ADA, BEN])
def test_what_lies_face_down_before_either_is_known_to_their_player(who: str) -> None:
    hush = mythos_card("hush", Stun(), face_down=Trigger.EXPLORED)
    bench = both(mythos=[hush], active=who)
    bench.run(turn.take_step(bench.game), {KIM: "mythos/hush"})

    (card,) = view(bench, 1).investigators[who].face_down
    assert card.card.value == "mythos/hush"
    (card,) = view(bench, None).investigators[who].face_down
    assert not card.card.is_open
