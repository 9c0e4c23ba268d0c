"""Code puzzles."""

from typing import Any

import pytest

from content.games.second_edition.expressions import read_number
from content.games.second_edition.schema.cards import ItemCard, Modifier, ModifierKind, MoreSteps
from content.games.second_edition.schema.effects import Amount, Attempt, Say
from content.games.second_edition.schema.puzzles import Code
from content.games.second_edition.schema.scenario import TokenCard, TokenOption
from protocol.common.chance import Stream
from protocol.common.events import Shuffled
from protocol.games.second_edition.events import (
    AttemptBegan,
    CluesGained,
    CluesSpent,
    CodeGuessed,
    CodeLaidOut,
    StepsAdded,
    Told,
)
from protocol.games.second_edition.table import CodePuzzle, Guess, Skill, TokenKind
from server.games.second_edition.rules.puzzles import code
from server.games.second_edition.rules.puzzles.attempt import attempt
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    begin_turn,
    investigator_card,
    proceed,
    world,
)
from tests.games.second_edition.rules.worlds_effects import item, resolve, with_clues

DIGITS = ("1", "2", "3", "4", "5")
GUESS, CLUE, CLOSE = "choice/puzzle_guess", "choice/puzzle_clue", "choice/puzzle_close"


def locked(solution: str = "513", *, lore: int = 5, clues: int = 0, **parts: Any) -> Bench:
    """Return a bench with a code puzzle of known solution."""
    chain = Code("code/chain", len(solution), DIGITS)
    attempt = Attempt(
        "code/chain", Skill.LORE, solved=(Say("text/open"),), unsolved=(Say("text/shut"),)
    )
    lock = TokenCard(
        "token/lock", TokenKind.INTERACT, "house/a", (TokenOption("text/try", (attempt,)),)
    )
    bench = world(
        tokens=[lock],
        investigators=[investigator_card(ADA, lore=lore), investigator_card(BEN, lore=2)],
        scenario_parts={"codes": (chain,)},
        **parts,
    )
    for position, piece in enumerate(solution):
        others = [other for other in DIGITS if other != piece]
        bench.give_order(f"puzzle/code/chain/{position}", [piece, *others])
    if clues:
        bench.emit(CluesGained(ADA, clues))
    return bench


def pieces(guess: str) -> tuple[Any, ...]:
    """Return the answer that guesses these pieces, in order."""
    return tuple(DIGITS.index(piece) for piece in guess)


def guessing(*guesses: str) -> list[Any]:
    """Return the answers that make these guesses."""
    return [answer for guess in guesses for answer in (GUESS, pieces(guess))]


def guesses(bench: Bench) -> tuple[Guess, ...]:
    puzzle = bench.game_table.puzzles["code/chain"]
    assert isinstance(puzzle, CodePuzzle)
    return puzzle.guesses


def answers(bench: Bench) -> list[tuple[int, int]]:
    """Return the marks of each guess."""
    guessed = [e.guess for e in bench.happened(CodeGuessed)]
    return [(guess.successes, guess.investigations) for guess in guessed]


@pytest.mark.rule("EX-4")
@pytest.mark.rule("PUZZLE-2")
@pytest.mark.rule("PUZZLE-6")
@pytest.mark.rule("PUZZLE-8")
@pytest.mark.rule("CODE-4")
@pytest.mark.rule("CODE-5")
@pytest.mark.rule("CODE-6")
@pytest.mark.rule("CODE-7")
@pytest.mark.rule("CODE-8")
@pytest.mark.rule("CODE-9")
def test_agatha_finds_5_1_3_with_her_fifth_guess() -> None:
    """Lore 5 gives five steps. The effect continues after the solution."""
    bench = locked()

    proceed(bench, "text/try", *guessing("123", "234", "222", "135", "513"))

    assert answers(bench) == [(1, 1), (0, 1), (0, 0), (0, 3), (3, 0)]
    assert bench.game_table.puzzles["code/chain"].is_solved
    assert [e.text.subject for e in bench.happened(Told)] == ["text/open"]


@pytest.mark.rule("EX-37")
@pytest.mark.rule("CODE-4")
@pytest.mark.rule("CODE-8")
@pytest.mark.rule("CODE-9")
@pytest.mark.rule("DECIDE-119")
@pytest.mark.parametrize(
    ("solution", "guess", "expected"),
    [
        ("112", "121", (1, 2)),
        ("112", "111", (2, 0)),
        ("123", "111", (1, 0)),
        ("111", "123", (1, 0)),
        ("122", "211", (0, 2)),
        ("123", "456", (0, 0)),
    ],
)
def test_each_mark_stands_for_one_piece(
    solution: str, guess: str, expected: tuple[int, int]
) -> None:
    """Exact matches are counted first; each remaining piece matches at most once."""
    assert code.answer(solution, guess) == expected


@pytest.mark.rule("CODE-1")
@pytest.mark.rule("CODE-2")
@pytest.mark.rule("CODE-3")
def test_length_and_pieces_of_a_code_lie_open() -> None:
    """The code is sealed in hidden piles."""
    bench = locked()

    proceed(bench, "text/try", CLOSE)

    (laid,) = bench.happened(CodeLaidOut)
    assert (laid.puzzle.length, laid.puzzle.pieces) == (3, DIGITS)
    shuffled = [e for e in bench.happened(Shuffled) if e.pile.startswith("puzzle")]
    assert [e.order.audience for e in shuffled] == [()] * 3
    assert all(e.stream is Stream.DEAL for e in shuffled)


@pytest.mark.rule("PUZZLE-4")
@pytest.mark.rule("PUZZLE-9")
@pytest.mark.rule("PUZZLE-7")
def test_an_attempt_can_be_closed_before_its_steps_are_used() -> None:
    bench = locked()

    proceed(bench, "text/try", *guessing("123"), CLOSE)

    assert len(answers(bench)) == 1
    assert [e.text.subject for e in bench.happened(Told)] == ["text/shut"]


@pytest.mark.rule("PUZZLE-2")
@pytest.mark.rule("PUZZLE-4")
@pytest.mark.rule("PUZZLE-5")
@pytest.mark.rule("PUZZLE-11")
def test_the_steps_are_the_printed_skill_and_no_more() -> None:
    """Lore 2 gives two guesses, and then the attempt ends by itself."""
    bench = locked(lore=2)

    proceed(bench, "text/try", *guessing("123", "124"))

    assert len(guesses(bench)) == 2


@pytest.mark.rule("CLUE-5")
@pytest.mark.rule("PUZZLE-3")
@pytest.mark.rule("DECIDE-115")
@pytest.mark.rule("SPEND-1")
@pytest.mark.rule("SPEND-3")
def test_a_clue_buys_a_further_step_at_any_moment() -> None:
    """A Clue may be spent before the first guess and after the last, but need not be."""
    bench = locked(lore=2, clues=2)

    proceed(bench, "text/try", CLUE, *guessing("111", "222", "333"), CLUE, *guessing("444"))

    assert bench.happened(CluesSpent) == [CluesSpent(ADA, 1)] * 2
    assert len(answers(bench)) == 4


@pytest.mark.rule("SPEND-2")
@pytest.mark.rule("DECIDE-112")
def test_nobody_spends_a_clue_that_they_do_not_have() -> None:
    bench = locked(lore=2, at={ADA: "house/a", BEN: "house/a"})
    bench.emit(CluesGained(BEN, 3))

    proceed(bench, "text/try", ...)

    assert bench.offered() == [GUESS, CLOSE]


@pytest.mark.rule("PUZZLE-10")
@pytest.mark.rule("DECIDE-117")
@pytest.mark.rule("DECIDE-120")
def test_another_investigator_resumes_where_it_was_left() -> None:
    bench = locked(lore=2, at={ADA: "house/a", BEN: "house/a"})
    proceed(bench, "text/try", *guessing("123", "124"))
    proceed(bench, "choice/end_turn")
    begin_turn(bench, BEN)

    proceed(bench, "text/try", *guessing("513"))

    assert len(bench.happened(CodeLaidOut)) == 1
    assert [guess.pieces for guess in guesses(bench)] == [
        ("1", "2", "3"),
        ("1", "2", "4"),
        ("5", "1", "3"),
    ]


@pytest.mark.rule("DECIDE-118")
def test_only_the_attempting_investigator_handles_the_puzzle() -> None:
    bench = locked(at={ADA: "house/a", BEN: "house/a"})

    proceed(bench, "text/try", GUESS, ...)

    assert bench.open is not None
    assert list(bench.open.prompts) == [0]
    assert bench.open.prompts[0].can_repeat
    assert bench.open.prompts[0].is_ordered


@pytest.mark.rule("DECIDE-116")
def test_dice_of_cards_are_no_steps() -> None:
    """Lore 2 gives two steps, and no dice are rolled."""
    bench = locked(lore=2)

    proceed(bench, "text/try", *guessing("123"), CLOSE)

    (first, *_rest) = [ask for ask in bench.asked if ask.rule == "PUZZLE-4"]
    assert first.prompts[0].prompt.params[1] == 2


@pytest.mark.rule("PUZZLE-1")
def test_an_attempt_is_asked_for_by_an_effect_that_names_the_skill() -> None:
    bench = locked()
    proceed(bench, "text/try", *guessing("513"))

    proceed(bench, "text/try")

    assert [e.text.subject for e in bench.happened(Told)] == ["text/open", "text/open"]


@pytest.mark.rule("PUZZLE-2")
def test_of_several_puzzles_the_one_that_is_named_is_worked_on() -> None:
    puzzles = (Code("code/chain", 3, DIGITS), Code("code/gate", 2, DIGITS))
    bench = world(scenario_parts={"codes": puzzles})

    bench.run(attempt(bench.game, ADA, "code/gate", Skill.LORE), ...)

    assert [laid.puzzle.puzzle_id for laid in bench.happened(CodeLaidOut)] == ["code/gate"]


@pytest.mark.rule("PUZZLE-9")
def test_attempt_on_a_solved_puzzle_succeeds_without_being_begun() -> None:
    """The players are told of no attempt."""
    bench = world(scenario_parts={"codes": (Code("code/gate", 2, DIGITS),)})
    bench.emit(CodeLaidOut(CodePuzzle("code/gate", 2, DIGITS)))
    bench.emit(CodeGuessed("code/gate", Guess(("1", "1"), 2, 0), is_solved=True))

    assert bench.run(attempt(bench.game, ADA, "code/gate", Skill.LORE)) is True
    assert bench.happened(AttemptBegan) == []


# Steps from elsewhere ------------------------------------------------------------------------

GLASS = item("item/glass", Modifier(ModifierKind.PUZZLE_STEPS, 2, Skill.LORE))
BLUR = item("item/blur", Modifier(ModifierKind.PUZZLE_STEPS, -9))
PICKS = item("item/picks", Modifier(ModifierKind.PUZZLE_STEPS, 2, Skill.AGILITY))


@pytest.mark.rule("PUZZLE-3")
@pytest.mark.parametrize(
    ("has", "more", "steps"),
    [((), 0, 3), ((GLASS,), 0, 5), ((PICKS,), 0, 3), ((), 2, 5), ((GLASS,), 1, 6), ((BLUR,), 2, 0)],
)
def test_cards_and_the_effect_that_calls_for_it_add_steps(
    has: tuple[ItemCard, ...], more: int, steps: int
) -> None:
    """The number of steps is never below zero."""
    bench = locked(lore=3, items=[GLASS, BLUR, PICKS], has={ADA: [card.id for card in has]})

    step = Attempt("code/chain", Skill.LORE, more=more)
    resolve(bench, step, answers=[CLOSE] if steps else [])

    (began,) = bench.happened(AttemptBegan)
    assert began.steps == steps


@pytest.mark.rule("DECIDE-116")
def test_dice_of_a_card_are_no_steps() -> None:
    book = item("item/book", Modifier(ModifierKind.DICE, 2, Skill.LORE))
    bench = locked(lore=3, items=[book], has={ADA: [book.id]})

    resolve(bench, Attempt("code/chain", Skill.LORE), answers=[CLOSE])

    assert bench.happened(AttemptBegan)[0].steps == 3


@pytest.mark.rule("PUZZLE-3")
@pytest.mark.rule("SPEND-1")
def test_a_card_adds_steps_in_the_middle_of_an_attempt() -> None:
    """The card is discarded as the cost. A card for another skill adds none."""
    chalk = item("item/chalk", more_steps=MoreSteps(steps=2, discard=True))
    rope = item("item/rope", more_steps=MoreSteps(skill=Skill.STRENGTH))
    bench = locked(lore=2, items=[chalk, rope], has={ADA: [chalk.id, rope.id]})

    answers = [*guessing("111"), "choice/puzzle_card"]
    bench.run(attempt(bench.game, ADA, "code/chain", Skill.LORE), *answers, ...)

    assert bench.happened(StepsAdded) == [StepsAdded(2)]
    assert bench.game_table.attempt is not None
    assert bench.game_table.attempt.left == 3
    assert [has.card for has in bench.game_table.investigators[ADA].possessions] == [rope.id]
    assert bench.open is not None
    assert "choice/puzzle_card" not in {o.text.subject for o in bench.open.prompts[0].options}


@pytest.mark.rule("PUZZLE-3")
def test_how_many_steps_a_card_adds_may_hang_on_its_owner() -> None:
    """The card adds as many steps as its owner has Clues, at least one, and the offer says so."""
    scale = item("item/scale", more_steps=MoreSteps(steps=Amount(formula=read_number("clues")[0])))
    for clues, added in ((0, 1), (3, 3)):
        bench = locked(lore=2, items=[scale], has={ADA: [scale.id]})
        with_clues(bench, clues)

        bench.run(attempt(bench.game, ADA, "code/chain", Skill.LORE), "choice/puzzle_card", ...)

        (offer,) = [o for o in bench.asked[0].prompts[0].options if "card" in o.text.subject]
        assert offer.text.params == (scale.id, added)
        assert bench.happened(StepsAdded) == [StepsAdded(added)]


@pytest.mark.rule("DECIDE-29")
def test_a_card_that_is_kept_adds_steps_once_in_a_round() -> None:
    lens = item("item/lens", more_steps=MoreSteps())
    bench = locked(lore=2, items=[lens], has={ADA: [lens.id]})

    bench.run(attempt(bench.game, ADA, "code/chain", Skill.LORE), "choice/puzzle_card", ...)

    assert bench.open is not None
    assert "choice/puzzle_card" not in {o.text.subject for o in bench.open.prompts[0].options}


@pytest.mark.rule("PUZZLE-3")
@pytest.mark.parametrize(("skill", "is_offered"), [(Skill.LORE, True), (Skill.STRENGTH, False)])
def test_a_card_for_the_skill_of_the_attempt_can_be_used(skill: Skill, *, is_offered: bool) -> None:
    lens = item("item/lens", more_steps=MoreSteps(skill=skill))
    bench = locked(lore=2, items=[lens], has={ADA: [lens.id]})

    bench.run(attempt(bench.game, ADA, "code/chain", Skill.LORE), ...)

    assert ("choice/puzzle_card" in bench.offered()) is is_offered
