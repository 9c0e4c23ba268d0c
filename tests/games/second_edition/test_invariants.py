"""Each invariant fails on the breach that is planted for it."""

import functools
from collections.abc import Callable
from typing import Any

import attrs
import pytest

from content.games.second_edition.schema.pack import Content
from protocol.boards.maps import Boundary, Covering
from protocol.common import events
from protocol.common.asks import Choice, Question, Settle
from protocol.common.table import OpenAsk, Table
from protocol.common.text import Text
from protocol.event import Event, hidden
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import (
    INSANE_DECK,
    Condition,
    FaceupCard,
    Feature,
    FeatureKind,
    Harm,
    Monster,
    Phase,
    Possession,
    SecondEditionTable,
    Token,
    TokenKind,
    copies_deck,
    deck,
    facedown_pile,
)
from tests.games.second_edition.house_pack import house
from tests.games.second_edition.invariants import LAWS, Look, Watch, faults
from tests.games.second_edition.simulate import core, scenario_id, simulate

Game = SecondEditionTable
Breach = tuple[Table, Event | None]
Plant = Callable[[Table], Breach]
PLANTED: dict[str, list[Plant]] = {}
"""Functions that break each law, by law."""
CONTENT = Content(house(), house().scenarios["house/embers"])


def _breaks(law: str) -> Callable[[Callable[[Game, str], Any]], Callable[[Game, str], Any]]:
    """Register a function that makes a forbidden game from a valid one."""

    def declare(spoil: Callable[[Game, str], Any]) -> Callable[[Game, str], Any]:
        def plant(table: Table) -> Breach:
            game = table.game
            assert isinstance(game, SecondEditionTable)
            spoilt = spoil(game, next(iter(game.investigators)))
            if isinstance(spoilt, OpenAsk):
                return table.with_room(ask=spoilt), None
            if isinstance(spoilt, Event):
                return table, spoilt
            return attrs.evolve(table, game=spoilt), None

        PLANTED.setdefault(law, []).append(plant)
        return spoil

    return declare


@_breaks("each_harm_card_is_in_one_zone")
def _lose_a_card(game: Game, _who: str) -> Game:
    return game.drawn(deck(Harm.HORROR), game.piles[deck(Harm.HORROR)][0])


@_breaks("each_harm_card_is_in_one_zone")
def _double_a_card(game: Game, who: str) -> Game:
    bruise = FaceupCard("made-up", "damage/bruise")
    return game.with_investigator(who, faceup={Harm.DAMAGE: (bruise,)})


@_breaks("each_insane_card_is_in_one_zone")
def _lose_an_insane_card(game: Game, _who: str) -> Game:
    return game.drawn(INSANE_DECK, game.piles[INSANE_DECK][0])


@_breaks("no_handle_lies_twice")
def _lie_twice(game: Game, who: str) -> Game:
    top = game.piles[deck(Harm.DAMAGE)][0]
    return attrs.evolve(game, piles={**game.piles, facedown_pile(who, Harm.DAMAGE): (top,)})


@_breaks("each_possession_is_in_one_zone")
def _forge_an_item(game: Game, who: str) -> Game:
    return game.with_investigator(who, possessions=(Possession("p999", "item/key"),))


@_breaks("each_possession_is_in_one_zone")
def _have_it_and_leave_it(game: Game, who: str) -> Game:
    has = game.investigators[who].possessions[0]
    return attrs.evolve(game, lying={"room/a": (has,)})


@_breaks("each_spell_is_in_one_zone")
def _show_another_back(game: Game, who: str) -> Game:
    handle = game.piles[copies_deck("spell/ward")][0]
    other = next(b.id for b in house().spells["spell/bolt"].backs)
    shown = Possession("p999", "spell/ward", handle, turned_to=other)
    game = game.drawn(copies_deck("spell/ward"), handle)
    supply = {**game.supply, "spell/ward": game.supply["spell/ward"] - 1}
    game = attrs.evolve(game, supply=supply)
    return game.with_investigator(who, possessions=(shown,))


@_breaks("each_condition_is_in_one_zone")
def _be_wet_for_nothing(game: Game, who: str) -> Game:
    return game.with_investigator(who, conditions=(Condition("condition/wet"),))


@_breaks("each_copy_of_a_condition_is_in_one_zone")
def _lose_a_copy(game: Game, who: str) -> Game:
    pile = copies_deck("condition/hexed")
    return attrs.evolve(game, piles={**game.piles, pile: game.piles[pile][1:]})


@_breaks("each_copy_of_a_condition_is_in_one_zone")
def _show_the_back_of_another_copy(game: Game, who: str) -> Game:
    pile = copies_deck("condition/hexed")
    handle = game.piles[pile][0]
    backs = ("back/hexed-gone", "back/hexed-stays")
    other = next(back for back in backs if back != game.card_of(handle))
    supply = {**game.supply, "condition/hexed": game.supply["condition/hexed"] - 1}
    game = attrs.evolve(game.drawn(pile, handle), supply=supply)
    shown = Condition("condition/hexed", handle, turned_to=other)
    return game.with_investigator(who, conditions=(shown,))


@_breaks("nothing_is_below_zero")
def _owe_clues(game: Game, who: str) -> Game:
    return game.with_investigator(who, clues=-1)


@_breaks("nothing_is_below_zero")
def _quench_too_much(game: Game, who: str) -> Game:
    return game.with_investigator(who, quenches=-1)


@_breaks("nothing_is_below_zero")
def _owe_the_deck(game: Game, _who: str) -> Game:
    return attrs.evolve(game, supply={**game.supply, "item/key": -1})


@_breaks("no_heap_gives_more_than_it_has")
def _make_tokens(game: Game, _who: str) -> Game:
    persons = {f"t{n}": Token(f"t{n}", TokenKind.PERSON, "room/a") for n in range(2)}
    return attrs.evolve(game, tokens=persons)


@_breaks("each_piece_is_there_once")
def _be_in_two_spaces(game: Game, who: str) -> Game:
    twin = attrs.evolve(game.investigators[who], space="room/b")
    return attrs.evolve(game, investigators={**game.investigators, "twin": twin})


@_breaks("each_piece_is_there_once")
def _place_a_tile_twice(game: Game, _who: str) -> Game:
    return attrs.evolve(game, tiles=(*game.tiles, *game.tiles))


@_breaks("each_figure_stands_on_the_board")
def _step_off_the_board(game: Game, who: str) -> Game:
    return game.with_investigator(who, space="nowhere/a")


@_breaks("each_figure_stands_on_the_board")
def _haunt(game: Game, who: str) -> Game:
    return game.with_investigator(who, is_eliminated=True)


@_breaks("the_eliminated_have_nothing")
def _take_it_along(game: Game, who: str) -> Game:
    return game.with_investigator(who, is_eliminated=True, space=None)


@_breaks("what_lies_about_lies_in_a_space")
def _drop_it_nowhere(game: Game, _who: str) -> Game:
    return attrs.evolve(game, lying={"nowhere/a": (Possession("p999", "item/key"),)})


def _monster(number: int = 0, **changes: Any) -> Monster:
    usual = Monster(f"m{number}", "monster/thief", number, "room/a", 3, 1, 1, 1)
    return attrs.evolve(usual, **changes)


def _with_monsters(game: Game, *monsters: Monster) -> Game:
    return attrs.evolve(game, monsters={m.monster_id: m for m in monsters})


@_breaks("each_monster_stands_on_the_board")
def _lurk_nowhere(game: Game, _who: str) -> Game:
    return _with_monsters(game, _monster(space="nowhere/a"))


@_breaks("each_monster_stands_on_the_board")
def _be_too_many(game: Game, _who: str) -> Game:
    return _with_monsters(game, *(_monster(number) for number in range(3)))


@_breaks("each_monster_stands_on_the_board")
def _share_a_number(game: Game, _who: str) -> Game:
    return _with_monsters(game, _monster(1), _monster(1, monster_id="m2"))


@_breaks("no_defeated_monster_stays")
def _outlive_it(game: Game, _who: str) -> Game:
    return _with_monsters(game, _monster(damage=3))


@_breaks("each_token_lies_on_the_board")
def _lie_on_a_door(game: Game, _who: str) -> Game:
    door = next(iter(game.map.doors))
    return attrs.evolve(game, tokens={"t": Token("t", TokenKind.SEARCH, door)})


@_breaks("features_lie_where_they_can")
def _burn_twice(game: Game, _who: str) -> Game:
    fires = {id_: Feature(id_, FeatureKind.FIRE, "room/a") for id_ in ("one", "other")}
    return attrs.evolve(game, features=fires)


@_breaks("features_lie_where_they_can")
def _burn_nowhere(game: Game, _who: str) -> Game:
    return attrs.evolve(game, features={"f": Feature("f", FeatureKind.FIRE, "nowhere/a")})


@_breaks("coverings_make_what_they_say")
def _wall_up_nothing(game: Game, _who: str) -> Game:
    return attrs.evolve(game, coverings=(Covering("odd", Boundary.DOOR, ((2, 2),)),))


@_breaks("only_one_in_turn_is_active")
def _act_in_the_mythos_phase(game: Game, who: str) -> Game:
    return attrs.evolve(game, phase=Phase.MYTHOS, active=who)


@_breaks("only_one_in_turn_is_active")
def _take_a_second_turn(game: Game, who: str) -> Game:
    return attrs.evolve(game, active=who).with_investigator(who, has_taken_turn=True)


@_breaks("nobody_acts_out_of_turn")
def _act_in_anothers_turn(game: Game, who: str) -> Event:
    return se.ActionSpent(next(one for one in game.investigators if one != who), "search")


@_breaks("nobody_acts_out_of_turn")
def _begin_a_turn_too_many(game: Game, who: str) -> Event:
    other = next(one for one in game.investigators if one != who)
    return se.TurnBegan(other, 2)


@_breaks("conditions_and_flags_agree")
def _be_insane_without_a_card(game: Game, who: str) -> Game:
    return game.with_investigator(who, is_insane=True)


@_breaks("conditions_and_flags_agree")
def _be_wet_twice(game: Game, who: str) -> Game:
    return game.with_investigator(who, conditions=(Condition("condition/wet"),) * 2)


@_breaks("nobody_bears_more_than_they_can")
def _bear_it(game: Game, who: str) -> Game:
    cards = tuple(FaceupCard(str(n), "damage/bruise") for n in range(9))
    return game.with_investigator(who, faceup={Harm.DAMAGE: cards})


def _ask(seat: int = 0, rule: str = "TEST-8", **changes: Any) -> OpenAsk:
    choice = Choice("one", Text("choice/stop"))
    question = attrs.evolve(Question(Text("ask/turn"), (choice,), default=("one",)), **changes)
    asked = {seat: hidden(question)}
    return OpenAsk(7, rule, Text("about/turn"), Settle.ANY_ONE, asked, (), 0)


@_breaks("every_question_can_be_answered")
def _ask_for_too_much(_game: Game, _who: str) -> OpenAsk:
    return _ask(at_least=2, at_most=2)


@_breaks("every_question_can_be_answered")
def _ask_about_nothing(_game: Game, _who: str) -> OpenAsk:
    return _ask(choices=(), at_least=0, default=())


@_breaks("every_question_can_be_answered")
def _have_no_default(_game: Game, _who: str) -> OpenAsk:
    return _ask(default=("other",))


@_breaks("every_question_is_still_open")
def _ask_nobody_more(_game: Game, _who: str) -> OpenAsk:
    return attrs.evolve(_ask(), answered=(0,))


@_breaks("the_right_seat_is_asked")
def _ask_another(game: Game, _who: str) -> OpenAsk:
    assert game.active is not None
    return _ask(1 - game.investigators[game.active].seat, "TURN-2")


@_breaks("the_right_seat_is_asked")
def _ask_whose_turn_it_is(_game: Game, _who: str) -> OpenAsk:
    return _ask(0, "ROUND-3")


@functools.cache
def _sound() -> Table:
    """Return a valid table in the middle of a turn."""
    game = simulate(5, 2, pack=house())
    game.scenario = "house/embers"
    game.open()
    for _ in range(500):
        table = game.game
        if table.active == next(iter(table.investigators)) and table.actions_left == 2:
            holds = table.investigators[table.active].possessions
            if holds and not table.test:
                return game.room.table
        game.step()
    raise AssertionError("nobody's turn comes")


def test_a_sound_table_has_no_faults() -> None:
    """Otherwise a planted breach would prove nothing."""
    assert faults(_sound(), CONTENT) == []


def _found(law: str, plant: Plant) -> list[str]:
    table, event = plant(_sound())
    before = _sound().game
    assert isinstance(before, SecondEditionTable)
    return list(LAWS[law].check(Look(table, CONTENT, before, event)))


@pytest.mark.parametrize(
    ("law", "number"), [(law, at) for law, plants in PLANTED.items() for at in range(len(plants))]
)
def test_a_planted_breach_is_found(law: str, number: int) -> None:
    """The law itself reports the breach."""
    assert _found(law, PLANTED[law][number])


def test_what_happens_after_the_end_is_found() -> None:
    """This law alone needs a game that is over before the event."""
    game = _sound().game
    assert isinstance(game, SecondEditionTable)
    over = attrs.evolve(game, phase=Phase.OVER)
    who = next(iter(game.investigators))
    law = LAWS["nothing_happens_after_the_end"]

    assert list(law.check(Look(_sound(), CONTENT, over, se.CluesGained(who, 1))))


def test_every_law_has_a_planted_breach() -> None:
    """A law without a breach might check nothing."""
    assert {*PLANTED, "nothing_happens_after_the_end"} == LAWS.keys()


@pytest.mark.parametrize(
    "law", [law for law in PLANTED if LAWS[law].reads and LAWS[law].time.value == "always"]
)
def test_a_watch_sees_a_breach_in_what_has_changed(law: str) -> None:
    """A law must declare all fields it reads: it is checked again only when one changes."""
    for plant in PLANTED[law]:
        watch = Watch(CONTENT)
        assert watch.faults(_sound(), events.Settled(1), _sound()) == []
        spoilt, _ = plant(_sound())

        found = watch.faults(_sound(), events.Settled(2), spoilt)

        assert any(fault.startswith(law) for fault in found)


def test_the_introductory_scenario_is_held_to_the_same_laws() -> None:
    game = simulate(5, 2)
    game.open()

    assert faults(game.room.table, Content(core(), core().scenarios[scenario_id()])) == []
