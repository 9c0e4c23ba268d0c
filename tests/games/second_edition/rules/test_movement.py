"""Movement from space to space, voluntary or not."""

import pytest

from content.games.second_edition.schema.cards import ComponentAction
from content.games.second_edition.schema.effects import (
    Forfeit,
    MayEnter,
    MayMove,
    MoveAway,
    PlaceInvestigator,
    Say,
)
from content.games.second_edition.schema.scenario import TokenCard
from protocol.games.second_edition.events import (
    ActionForfeited,
    InvestigatorMoved,
    TokenRemoved,
    Told,
)
from protocol.games.second_edition.table import TokenKind
from server.games.second_edition.rules import effects, elimination, movement
from server.games.second_edition.rules.play import Source
from tests.games.second_edition.rules.bench import Bench, Unanswered
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    DROWNED,
    HOUSE_ROOMS,
    RAT,
    ROW,
    begin_turn,
    entry,
    monster_card,
    offered,
    proceed,
    refused,
    tile,
    where,
    world,
)
from tests.games.second_edition.rules.worlds_effects import item

THROWER = monster_card(evades=(entry(PlaceInvestigator("house/e")),))
"""Monster whose evade check places the investigator at the other end of the row."""
STRICT = monster_card(evades=(entry(Forfeit(), text="text/evade"),))
"""A monster that makes each evader forfeit."""


def row(**parts: object) -> Bench:
    """Return a bench with five spaces in a row."""
    return world(tiles=[tile(ROW)], **parts)  # type: ignore[arg-type]  # passed on


def moves_of(bench: Bench, person: str = ADA) -> list[str | None]:
    """Return where an investigator moved after being placed."""
    moved = [e.space for e in bench.happened(InvestigatorMoved) if e.investigator == person]
    return moved[1:]


# The move action -----------------------------------------------------------------------------


@pytest.mark.rule("MOVE-1")
@pytest.mark.rule("MOVE-2")
def test_a_move_action_goes_two_spaces_one_at_a_time() -> None:
    bench = row()

    proceed(bench, "house/b", "house/c")

    assert moves_of(bench) == ["house/b", "house/c"]
    assert bench.game_table.actions_left == 1


@pytest.mark.rule("MOVE-2")
def test_a_move_offers_adjacent_spaces_only() -> None:
    bench = row(at={ADA: "house/c"})

    assert [o for o in offered(bench) if "move_to" in o] == [
        "choice/move_to house/b",
        "choice/move_to house/d",
    ]


@pytest.mark.rule("DECIDE-22")
@pytest.mark.rule("MOVE-1")
def test_movement_left_is_lost_when_the_move_is_ended() -> None:
    bench = row()

    proceed(bench, "house/b", "choice/stop")

    assert moves_of(bench) == ["house/b"]
    assert bench.game_table.actions_left == 1


@pytest.mark.rule("DECIDE-23")
def test_a_move_of_no_space_spends_the_action() -> None:
    """A move of "up to two" includes none."""
    bench = row()

    proceed(bench, "choice/move_later", "choice/stop")

    assert moves_of(bench) == []
    assert bench.game_table.actions_left == 1


@pytest.mark.rule("MOVE-7")
@pytest.mark.rule("MOVE-9")
def test_a_shut_way_is_refused_with_its_rule() -> None:
    """Impassable borders and unexplored doors are shown with the reason."""
    picture = "+---+---+---+\n| b ! a = c |\n+---+---+---+"
    token = TokenCard("token/door", TokenKind.EXPLORE, "house/a=house/c", ())
    bench = world(tiles=[tile(picture)], tokens=[token])

    assert [o for o in offered(bench) if "move_to" in o] == []
    shut = [("choice/move_to", "MOVE-7"), ("choice/move_to", "MOVE-9")]
    assert refused(bench, "choice/move_to") == shut


@pytest.mark.rule("MOVE-16")
@pytest.mark.rule("EVADE-1")
def test_a_move_action_out_of_a_monsters_space_is_intentional() -> None:
    """The monster must be evaded before the figure leaves."""
    bench = row(monsters=[(DROWNED, "house/a")])

    proceed(bench, "house/b", "choice/stop")

    order = [e for e in bench.log if isinstance(e, Told | InvestigatorMoved)]
    assert [type(e) for e in order[-2:]] == [Told, InvestigatorMoved]


@pytest.mark.rule("FORFEIT-2")
@pytest.mark.rule("EVADE-6")
def test_a_forfeit_while_leaving_loses_the_movement_left() -> None:
    bench = row(monsters=[(DROWNED, "house/a")], monster_cards=[STRICT])

    proceed(bench, "house/b")

    assert moves_of(bench) == []
    assert bench.happened(ActionForfeited) == [ActionForfeited(ADA, "move")]
    assert bench.game_table.actions_left == 1


@pytest.mark.rule("FORFEIT-2")
def test_a_forfeit_on_the_second_space_keeps_the_first() -> None:
    bench = row(monsters=[(DROWNED, "house/b")], monster_cards=[STRICT])

    proceed(bench, "house/b", "house/c")

    assert moves_of(bench) == ["house/b"]


# Offers of effects ---------------------------------------------------------------------------


@pytest.mark.rule("MOVE-14")
@pytest.mark.rule("GOLDEN-6")
@pytest.mark.rule("GOLDEN-7")
def test_a_may_move_can_be_declined_and_is_gone() -> None:
    bench = row()

    bench.run(movement.may_move(bench.game, ADA, 2), "choice/stay")

    assert moves_of(bench) == []
    assert len(bench.asked) == 1


@pytest.mark.rule("MOVE-14")
def test_a_may_move_goes_up_to_its_spaces() -> None:
    bench = row()

    bench.run(movement.may_move(bench.game, ADA, 2), "house/b", "house/c")

    assert moves_of(bench) == ["house/b", "house/c"]


@pytest.mark.rule("DECIDE-35")
def test_a_forfeit_in_a_may_move_loses_that_movement_alone() -> None:
    """The movement is no action, so no action is forfeited."""
    bench = row(monsters=[(DROWNED, "house/a")], monster_cards=[STRICT])

    outcome = bench.run(effects.resolve(bench.game, (MayMove(2),), Source(ADA)), "choice/slip_away")

    assert moves_of(bench) == []
    assert not outcome.is_forfeited
    assert bench.happened(ActionForfeited) == []


EXPLORED = "+---+---+\n| a = b |\n+---+---+"


def doorway(*, monsters: tuple[tuple[str, str], ...] = ()) -> Bench:
    """Return a bench with an Explore token on the door between two spaces."""
    token = TokenCard("token/door", TokenKind.EXPLORE, "house/a=house/b", ())
    return world(tiles=[tile(EXPLORED)], tokens=[token], monsters=monsters)


@pytest.mark.rule("EXPLORE-3")
@pytest.mark.rule("DECIDE-98")
def test_the_explore_token_leaves_before_the_entry_is_offered() -> None:
    """A door with an Explore token on it cannot be entered."""
    bench = doorway()

    bench.run(movement.may_enter(bench.game, ADA, "house/a=house/b"), "house/b")

    assert bench.happened(TokenRemoved) == [TokenRemoved("token/door")]
    assert moves_of(bench) == ["house/b"]


@pytest.mark.rule("EXPLORE-4")
@pytest.mark.rule("GOLDEN-7")
@pytest.mark.rule("EX-9")
def test_an_entry_that_is_declined_is_gone() -> None:
    """Later the entry takes a move action."""
    bench = doorway()

    bench.run(movement.may_enter(bench.game, ADA, "house/a=house/b"), "choice/stay")

    assert moves_of(bench) == []
    assert "choice/move_to house/b" in offered(bench)


@pytest.mark.rule("DECIDE-35")
@pytest.mark.rule("EX-9")
def test_an_entry_out_of_a_monsters_space_is_evaded_for() -> None:
    """The entry is an intentional move out of the space."""
    bench = doorway(monsters=((DROWNED, "house/a"),))

    bench.run(movement.may_enter(bench.game, ADA, "house/a=house/b"), "house/b")

    assert [e.text.subject for e in bench.happened(Told)] == ["text/evade"]


@pytest.mark.rule("EXPLORE-3")
def test_nobody_is_offered_an_entry_from_elsewhere() -> None:
    bench = row()
    bench.emit(InvestigatorMoved(ADA, "house/d"))

    bench.run(effects.resolve(bench.game, (MayEnter("nowhere"),), Source(ADA)))

    assert bench.asked == []


# Being moved ---------------------------------------------------------------------------------


@pytest.mark.rule("MOVE-15")
@pytest.mark.rule("GOLDEN-2")
@pytest.mark.rule("DECIDE-2")
@pytest.mark.rule("DECIDE-10")
@pytest.mark.rule("EVADE-8")
@pytest.mark.rule("NEAREST-4")
@pytest.mark.rule("MOVE-10")
@pytest.mark.rule("EX-10")
def test_being_moved_away_needs_no_evade_check() -> None:
    """The figure moves two spaces away from the ghost without a check."""
    bench = row(at={ADA: "house/b"}, monsters=[(DROWNED, "house/b")], monster_cards=[STRICT])

    bench.run(effects.resolve(bench.game, (MoveAway(2),), Source(ADA, "m1")), "house/c")

    assert moves_of(bench) == ["house/c", "house/d"]
    assert bench.happened(Told) == []


@pytest.mark.rule("DECIDE-105")
def test_being_moved_away_ends_where_no_space_is_farther() -> None:
    bench = row(at={ADA: "house/b"}, monsters=[(DROWNED, "house/c")])

    bench.run(effects.resolve(bench.game, (MoveAway(3),), Source(ADA, "m1")))

    assert moves_of(bench) == ["house/a"]


@pytest.mark.rule("DECIDE-103")
@pytest.mark.rule("CONFLICT-1")
def test_the_group_chooses_among_ways_that_lead_away() -> None:
    bench = row(at={ADA: "house/c", BEN: "house/a"}, monsters=[(DROWNED, "house/c")])

    away = effects.resolve(bench.game, (MoveAway(1),), Source(ADA, "m1"))
    bench.run(away, "choice/not_usual", "house/d")

    assert sorted(bench.asked[0].prompts) == [0, 1]
    assert moves_of(bench) == ["house/d"]


@pytest.mark.rule("MOVE-12")
@pytest.mark.rule("MOVE-13")
@pytest.mark.rule("DECIDE-30")
@pytest.mark.rule("MOVE-11")
def test_being_placed_passes_through_nothing() -> None:
    picture = "+---+---+\n| a | b |\n+---+---+"
    bench = world(tiles=[tile(picture)], monsters=[(DROWNED, "house/a")], monster_cards=[STRICT])

    bench.run(effects.resolve(bench.game, (PlaceInvestigator("house/b"),), Source(ADA)))

    assert moves_of(bench) == ["house/b"]
    assert bench.happened(Told) == []


@pytest.mark.rule("DECIDE-148")
def test_who_is_off_the_board_can_only_end_the_turn() -> None:
    whistle = item("item/whistle", action=ComponentAction((Say("text/whistle"),)))
    bench = world(monsters=[(RAT, "house/a")], items=[whistle], has={ADA: [whistle.id]})
    bench.emit(InvestigatorMoved(ADA, None))

    assert offered(bench) == ["choice/end_turn"]


@pytest.mark.rule("MOVE-2")
def test_a_check_that_carries_the_figure_off_ends_that_step() -> None:
    bench = row(monsters=[(DROWNED, "house/a")], monster_cards=[THROWER])

    proceed(bench, "house/b", "choice/stop")

    assert moves_of(bench) == ["house/e"]


@pytest.mark.rule("MOVE-1")
def test_a_check_that_carries_the_figure_off_costs_no_space_of_the_move_action() -> None:
    """Ada still has both spaces of her move, and uses them from where she was thrown."""
    bench = row(monsters=[(DROWNED, "house/a")], monster_cards=[THROWER])

    proceed(bench, "house/b", "house/d", "house/c")

    assert moves_of(bench) == ["house/e", "house/d", "house/c"]
    assert [ask.prompts[0].prompt.params[1] for ask in bench.asked[1:]] == [2, 1]


@pytest.mark.rule("MOVE-14")
def test_a_check_that_carries_the_figure_off_costs_no_space_of_a_movement_offered() -> None:
    bench = row(monsters=[(DROWNED, "house/a")], monster_cards=[THROWER])

    bench.run(movement.may_move(bench.game, ADA, 1), "house/b", "house/d")

    assert moves_of(bench) == ["house/e", "house/d"]


@pytest.mark.rule("GOLDEN-4")
def test_only_the_seat_that_controls_an_investigator_moves_it() -> None:
    bench = world(at={ADA: "house/a", BEN: "house/b"}, turn_of=None)
    begin_turn(bench, BEN)

    offered(bench)

    assert bench.open is not None
    assert list(bench.open.prompts) == [1]


def test_an_answer_that_was_not_offered_is_no_move() -> None:
    with pytest.raises(Unanswered):
        proceed(world(tiles=[tile(rooms=HOUSE_ROOMS)]), "house/c")


def test_the_drawn_world_is_as_drawn() -> None:
    """Tests the board that the other tests use."""
    assert where(world(monsters=[(RAT, "house/c")])) == {ADA: "house/a", "m1": "house/c"}


@pytest.mark.rule("ELIMINATED-2")
def test_who_is_eliminated_is_put_nowhere() -> None:
    bench = row(at={ADA: "house/a", BEN: "house/b"})
    bench.run(elimination.eliminate(bench.game, ADA))

    bench.run(movement.place(bench.game, ADA, "house/c"))

    assert where(bench)[ADA] is None
