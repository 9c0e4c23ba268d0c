"""Puzzles: section 19, and K-DECIDE-42 to K-DECIDE-46."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import pytest

from content.games.first_edition.schema.cards import LockCard, Modifier, Opening
from content.games.first_edition.schema.effects import Kill
from content.games.first_edition.schema.puzzles import Layout, PieceSupply
from content.games.first_edition.schema.story import LockRow
from protocol.common.events import Dealt, Shuffled, TimerOpened
from protocol.common.text import Text
from protocol.event import cut
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.puzzles import (
    Action,
    Family,
    Piece,
    Puzzle,
    after,
    next_action,
    solution,
    words_of,
)
from protocol.games.first_edition.words import TraumaKind, Variant
from server.games.first_edition.rules import puzzles, turn
from server.kernel.asks import Prompt
from tests.games.first_edition.layouts import CONNECT, ORDER, supply_for
from tests.games.first_edition.rules.bench import KIM, Bench
from tests.games.first_edition.rules.worlds import (
    ADA,
    BEN,
    STUDY,
    by_id,
    injury,
    item_card,
    with_points,
    world,
)
from tests.kernel.twins import blank
from tests.kit.bench import TIME_OVER

rule = pytest.mark.rule

SHELF = ORDER[0]
"""Five pieces in a row."""
FOG = item_card("fog", modifiers=(Modifier(puzzle_actions=-5),))
LENS = item_card("lens", modifiers=(Modifier(puzzle_actions=2),))
LEAVE, POINT = "choice/puzzle_leave", "choice/puzzle_point"


def locked(
    lie: str = "edcba",
    *,
    layout: Layout = SHELF,
    people: Sequence[str] = (ADA,),
    supply: PieceSupply | None = None,
    points: int = 0,
    intellect: int = 4,
    luck: int = 3,
    **parts: Any,
) -> Bench:
    """Return a bench where a puzzle locks the study, and the investigators are before its door."""
    lock = LockCard("lock/study", Opening(puzzle=layout.id))
    bench = world(
        people,
        at=dict.fromkeys(people, "house/b"),
        story={"locks": (LockRow(STUDY, lock.id),)},
        locks=by_id(lock),
        puzzles=by_id(layout),
        items=by_id(LENS, FOG),
        **parts,
    )
    content = bench.game.content
    pieces = supply or supply_for(layout)
    bench.game.content = attrs.evolve(content, pack=attrs.evolve(content.pack, pieces=pieces))
    puzzles.lay_out_supplies(bench.game)
    for who in people:
        with_points(bench, who, points, intellect=intellect, luck=luck)
    if lie:
        bench.emit(fe.PuzzleLaid(layout.dealt(tuple(map(Piece, lie)))))
    bench.log.clear()
    return bench


def enter(bench: Bench, *answers: Any) -> None:
    """Have the active investigator try to enter the study."""
    bench.run(turn.take_step(bench.game), "house/c", *answers)


def swap(one: int, other: int) -> Any:
    """Return the answer that swaps the pieces in two cells, counted from 1."""
    return lambda option: option.text == Text("choice/puzzle_swap", (one, other))


def asked(bench: Bench) -> Prompt[Any]:
    """Return the only question that waits."""
    assert bench.open is not None
    (prompt,) = bench.open.prompts.values()
    return prompt


def faces(bench: Bench, puzzle: str = SHELF.id) -> str:
    return "".join(piece.face for piece in bench.game_table.puzzles[puzzle].pieces)


def pile(bench: Bench, family: str = "order") -> list[str]:
    """Return the faces in the supply of a family, top first."""
    table = bench.game_table
    return [table.card_of(handle) for handle in table.piles[f"supply/{family}"]]


MANY = [swap(1, 2), swap(2, 3), swap(3, 4), swap(4, 5), swap(1, 2), swap(2, 3), swap(3, 4)]
"""Seven actions that leave `edcba` unsolved."""


@rule("K-PUZZLE-1")
@pytest.mark.parametrize("intellect", [2, 4])
def test_an_attempt_has_as_many_actions_as_the_intellect(intellect: int) -> None:
    """Then it ends by itself, and the door stays shut."""
    bench = locked(intellect=intellect)
    enter(bench, *MANY[:intellect])
    assert len(bench.happened(fe.PuzzlePiecesSwapped)) == intellect
    assert bench.happened(fe.PuzzleAttemptBegan) == [
        fe.PuzzleAttemptBegan(ADA, SHELF.id, intellect)
    ]
    assert bench.game_table.attempt is None
    assert bench.who(ADA).space == "house/b"


@rule("K-PUZZLE-1")
def test_cards_add_actions_to_an_attempt() -> None:
    """A card with two more puzzle actions, or with five less; no attempt has less than none."""
    bench = locked()
    bench.emit(fe.ItemGained(ADA, LENS.id, (), None))
    assert puzzles.allowance(bench.game, ADA) == 6
    bench = locked()
    bench.emit(fe.ItemGained(ADA, FOG.id, (), None))
    enter(bench)
    assert bench.happened(fe.PuzzleAttemptBegan) == [fe.PuzzleAttemptBegan(ADA, SHELF.id, 0)]


@rule("K-PUZZLE-1")
def test_whoever_solves_the_puzzle_goes_in() -> None:
    """Actions that are left are lost."""
    bench = locked("bacde")
    enter(bench, swap(1, 2))
    assert bench.who(ADA).space == "house/c"
    assert bench.game_table.locks == {}
    assert bench.game_table.attempt is None


@rule("K-PUZZLE-2", "K-EX-19")
def test_a_skill_point_adds_luck_to_the_actions() -> None:
    """Intellect 4 and luck 3: seven actions in all, whenever the point is spent."""
    for before in range(5):
        bench = locked(points=1)
        enter(bench, *MANY[:before], POINT, *MANY[before:])
        assert len(bench.happened(fe.PuzzlePiecesSwapped)) == 7
        assert bench.who(ADA).skill_points == 0
        assert bench.happened(fe.PuzzlePointSpent) == [fe.PuzzlePointSpent(ADA, 3)]


@rule("K-PUZZLE-3", "K-PUZZLE-4", "K-EX-19")
def test_a_companion_goes_on_with_the_pieces_as_they_lie() -> None:
    """Ben has his own actions, and nothing is dealt again."""
    bench = locked("badce", people=(ADA, BEN))
    enter(bench, swap(1, 2), LEAVE)
    assert faces(bench) == "abdce"
    bench.emit(fe.TurnEnded(1))
    turn.begin(bench.game, BEN)
    enter(bench, swap(3, 4))
    assert bench.who(BEN).space == "house/c"
    assert bench.happened(fe.PuzzleLaid) == []


@rule("K-PUZZLE-4", "K-DECIDE-44")
def test_the_same_investigator_tries_again_with_another_step() -> None:
    """An attempt costs nothing but the step at the door; the action is still there."""
    bench = locked("badce")
    enter(bench, swap(1, 2), LEAVE)
    assert (bench.game_table.steps_left, bench.game_table.has_action) == (1, True)
    enter(bench, swap(3, 4))
    assert (bench.game_table.steps_left, bench.game_table.has_action) == (0, True)
    assert bench.who(ADA).space == "house/c"


@rule("K-DECIDE-45")
def test_only_one_skill_point_counts_in_an_attempt() -> None:
    """The next attempt takes another one."""
    bench = locked(points=2)
    enter(bench, POINT, ...)
    assert POINT not in bench.offered()
    bench = locked(points=2)
    enter(bench, POINT, LEAVE)
    enter(bench, POINT, LEAVE)
    assert bench.who(ADA).skill_points == 0


@rule("K-PUZZLE-2")
def test_without_a_skill_point_none_is_offered() -> None:
    """With one, the attempt waits for it when the actions are used up."""
    bench = locked()
    enter(bench, ...)
    assert POINT not in bench.offered()
    bench = locked(points=1)
    enter(bench, *MANY[:4], ...)
    assert bench.offered() == [POINT, LEAVE]
    prompt = asked(bench)
    assert [refused.rule for refused in prompt.refused] == ["K-PUZZLE-1"]


@rule("K-PUZZLE-3", "K-DECIDE-44")
def test_an_attempt_can_be_left_at_any_time() -> None:
    """It is what time chooses, and ends the question; the question says how many are left."""
    bench = locked()
    enter(bench, MANY[0], ...)
    prompt = asked(bench)
    assert prompt.prompt == Text("ask/puzzle", (SHELF.id, 3))
    assert prompt.default_places == (len(prompt.options) - 1,)
    assert prompt.options[-1].text == Text(LEAVE)
    assert prompt.options[-1].ends


@rule("K-TRAUMA-3")
def test_the_keeper_answers_to_harm_before_the_puzzle() -> None:
    """What an evade test did on the way to the door is not left open."""
    bench = locked(trauma=[injury()])
    bench.emit(fe.TraumaTriggered(ADA, TraumaKind.INJURY))
    bench.run(puzzles.attempt(bench.game, ADA, SHELF.id), {}, LEAVE)
    assert [ask.rule for ask in bench.asked] == ["K-TRAUMA-3", "K-PUZZLE-1"]


@rule("K-PUZZLE-1", "K-TRAUMA-19")
@pytest.mark.parametrize("timed_as_well", [False, True])
def test_whom_a_trauma_card_kills_before_the_puzzle_does_not_try_it(timed_as_well: bool) -> None:
    bench = locked(people=(ADA, BEN), trauma=[injury("gone", Kill())])
    if timed_as_well:
        timed(bench)
    bench.emit(fe.TraumaTriggered(ADA, TraumaKind.INJURY))

    is_solved = bench.run(puzzles.attempt(bench.game, ADA, SHELF.id), {KIM: "injury/gone"})

    assert is_solved is False
    assert ADA not in bench.game_table.investigators
    assert [ask.rule for ask in bench.asked] == ["K-TRAUMA-3"]


@rule("K-PUZZLE-5")
def test_with_all_pieces_in_use_none_is_drawn() -> None:
    """The refusal says why; turns and swaps stay."""
    bench = locked()
    enter(bench, ...)
    assert {"choice/puzzle_swap", LEAVE} == set(bench.offered())
    assert [refused.rule for refused in asked(bench).refused] == ["K-PUZZLE-5"]


@rule("K-DECIDE-43", "K-SECRET-22")
def test_an_exchange_draws_the_top_of_the_supply() -> None:
    """The old piece is shuffled into the supply, so that nobody knows where it lies."""
    bench = locked(supply=PieceSupply(order=dict.fromkeys("abcdexy", 1)))
    assert pile(bench) == ["x", "y"]
    bench.give_order("supply/order", ("c", "y"))
    enter(bench, lambda option: option.text == Text("choice/puzzle_exchange", (3,)), LEAVE)
    assert faces(bench) == "edxba"
    assert pile(bench) == ["c", "y"]
    assert bench.game_table.attempt is None
    shuffled = bench.happened(Shuffled)
    assert [one.knowers for one in shuffled if one.pile == "supply/order"] == [()]


@rule("K-SECRET-22")
@pytest.mark.parametrize("seat", [None, 0, 1])
def test_nobody_is_sent_the_pieces_of_the_supply(seat: int | None) -> None:
    """Two supplies of one size look the same to keeper, investigator and spectator."""
    sent = []
    for face in "xy":
        bench = locked(supply=PieceSupply(order={**dict.fromkeys("abcde", 1), face: 2}))
        enter(bench, swap(1, 2), LEAVE)
        views = [cut(stored, seat) for stored in bench.stored]
        sent.append([(blank(view.public), view.openings) for view in views])
    assert sent[0] == sent[1]


@rule("K-PUZZLE-6", "K-DECIDE-42")
def test_pieces_of_a_solved_puzzle_go_back_to_the_supply() -> None:
    """Where they can be drawn for other puzzles."""
    bench = locked("bacde")
    assert pile(bench) == []
    enter(bench, swap(1, 2))
    assert sorted(pile(bench)) == [*"abcde"]
    assert bench.game_table.puzzles == {}
    assert bench.game_table.solved == (SHELF.id,)


@rule("K-PUZZLE-6")
def test_a_puzzle_that_is_solved_stays_solved() -> None:
    """Another lock with the same puzzle opens at once."""
    bench = locked("bacde")
    enter(bench, swap(1, 2))
    assert bench.run(puzzles.attempt(bench.game, ADA, SHELF.id)) is True


@rule("K-STUN-5")
def test_stun_takes_no_puzzle_action() -> None:
    """A stunned investigator has as many as any."""
    bench = locked()
    bench.set(ADA, stun=3)
    enter(bench, *MANY[:4])
    assert len(bench.happened(fe.PuzzlePiecesSwapped)) == 4


@rule("K-DECIDE-46")
def test_only_the_player_of_the_active_investigator_is_asked() -> None:
    """All see the puzzle: it is a public part of the table."""
    bench = locked(people=(ADA, BEN))
    enter(bench, swap(1, 2), LEAVE)
    assert [set(ask.prompts) for ask in bench.asked if ask.rule == "K-PUZZLE-1"] == [{1}, {1}]
    assert isinstance(bench.game_table.puzzles[SHELF.id], Puzzle)


def timed(bench: Bench) -> Bench:
    """Return the bench with the variant of timed puzzles agreed."""
    bench.emit(fe.VariantsAgreed((Variant.TIMED_PUZZLES,)))
    return bench


@rule("K-VAR-1", "K-DECIDE-46")
def test_in_a_timed_attempt_the_clock_counts_and_not_the_intellect() -> None:
    """A minute for any number of actions; a skill point would add nothing."""
    bench = timed(locked(points=1, intellect=1))
    enter(bench, *MANY, ...)
    assert POINT not in bench.offered()
    assert asked(bench).prompt == Text("ask/puzzle_timed", (SHELF.id,))
    assert len(bench.happened(fe.PuzzlePiecesSwapped)) == 7
    (opened,) = bench.happened(TimerOpened)
    assert opened.seconds == 60


@rule("K-VAR-1")
def test_when_the_minute_is_over_the_attempt_is() -> None:
    """The pieces stay as they are, and the point is not spent."""
    bench = timed(locked(points=1))
    enter(bench, *MANY[:2], TIME_OVER)
    assert faces(bench) == "dceba"
    assert bench.game_table.attempt is None
    assert bench.who(ADA).space == "house/b"
    assert bench.who(ADA).skill_points == 1


@rule("K-VAR-1")
def test_without_the_variant_no_clock_runs() -> None:
    """An attempt lasts as long as its player thinks."""
    bench = locked()
    enter(bench, LEAVE)
    assert bench.happened(TimerOpened) == []


@rule("K-CARD-18")
def test_a_puzzle_is_dealt_at_the_first_attempt() -> None:
    """Its pieces lie in random order, and take at least as many actions as the layout says."""
    bench = locked("")
    bench.give_picks(7, 7, 7, 7)
    enter(bench, LEAVE)
    assert [len(one.choice.value.options) for one in bench.happened(Dealt)] == [256] * 4
    (laid,) = bench.happened(fe.PuzzleLaid)
    found = solution(laid.puzzle)
    assert found is not None
    assert found.actions >= SHELF.least
    assert Counter(faces(bench)) == Counter("abcde")


@rule("K-DECIDE-10")
def test_the_supply_is_what_no_puzzle_of_the_story_needs() -> None:
    """So each puzzle can be dealt, and the piles are the same for all answers of the keeper."""
    spare: Mapping[str, int] = {**dict.fromkeys("abcde", 2), "x": 1}
    bench = locked("", supply=PieceSupply(order=spare, connect={"xx..": 3}))
    assert sorted(pile(bench)) == [*"abcdex"]
    assert pile(bench, "connect") == ["xx.."] * 3
    assert pile(bench, "match") == []


@rule("K-DECIDE-43")
def test_a_piece_is_turned_by_ninety_degrees_either_way() -> None:
    """The words count the cells from 1."""
    bench = locked("", layout=CONNECT[0])
    pieces = tuple(Piece("xx..", turns) for turns in (1, 0, 3, 0, 2, 1))
    bench.emit(fe.PuzzleLaid(CONNECT[0].dealt(pieces)))
    right = Text("choice/puzzle_turn_right", (2,))
    left = Text("choice/puzzle_turn_left", (1,))
    enter(bench, lambda o: o.text == right, lambda o: o.text == left, LEAVE)
    puzzle = bench.game_table.puzzles[CONNECT[0].id]
    assert puzzle.family is Family.CONNECT
    assert [piece.turns for piece in puzzle.pieces] == [0, 1, 3, 0, 2, 1]


@pytest.mark.parametrize("layout", [CONNECT[0], ORDER[2]])
def test_whoever_follows_the_next_actions_solves_the_puzzle(layout: Layout) -> None:
    """As a bot does, who finds each of them among the choices by its words."""
    bench = locked("", layout=layout, intellect=9, points=1)
    enter(bench, LEAVE)
    for _ in range(14):
        action = next_action(bench.game_table.puzzles[layout.id])
        assert action is not None
        words = words_of(action)
        bench.emit(fe.TurnBegan(ADA, 2))
        before = len(bench.happened(fe.PuzzleSolved))
        enter(
            bench, lambda option, words=words: option.text == words, *_unless_solved(bench, action)
        )
        if len(bench.happened(fe.PuzzleSolved)) > before:
            break
    assert bench.who(ADA).space == "house/c"


def _unless_solved(bench: Bench, action: Action) -> list[str]:
    """Return the answer that leaves the puzzle, unless an action of the only puzzle solves it."""
    (puzzle,) = bench.game_table.puzzles.values()
    return [] if after(puzzle, action).is_solved else [LEAVE]
