"""Brains pick an offered answer, and the sensible brain picks what a person might."""

import random
from collections import Counter
from collections.abc import Callable

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.bots.brains import BRAINS, RANDOM, SENSIBLE
from client.model.tables import TableView
from client.plugs.brains import Brain
from protocol.common import events
from protocol.common.asks import Choice, Point, Question, RefusedChoice
from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import (
    CodePuzzle,
    Face,
    Feature,
    FeatureKind,
    Guess,
    Harm,
    SecondEditionTable,
    Skill,
    Token,
    TokenKind,
    TokenOffer,
)
from protocol.values import evolve
from tests.games.second_edition.client.scripted import (
    ROOM,
    Script,
    action_question,
    asked,
    coding,
    playing,
)
from tests.games.second_edition.client.stage import view_of

SUBJECTS = (
    *("choice/end_turn", "choice/move_to", "choice/trade", "choice/drop", "choice/component"),
    *("choice/spend_clues", "choice/reroll", "choice/die", "choice/prevent", "choice/piece"),
    *("choice/prevent_damage", "choice/prevent_horror"),
    *("choice/take_turn", "house/option"),
)
PLACES = ("hall/a", "hall/b", "nowhere", "m1", "m9", "token/coats", "hall/2", "0", "77", "", "p1")
KINDS = ("space", "door", "investigator", "monster", "token", "card", "possession", "die")


@st.composite
def questions(draw: st.DrawFn) -> Question:
    """Draw any well-formed question, sensible or not."""
    size = draw(st.integers(0, 6))
    points = st.lists(st.builds(Point, st.sampled_from(KINDS), st.sampled_from(PLACES)), max_size=3)
    params = st.lists(st.integers(-2, 9) | st.sampled_from(("item/lantern", "x")), max_size=3)
    choices = tuple(
        Choice(
            f"3.{at}",
            Text(draw(st.sampled_from(SUBJECTS)), tuple(draw(params))),
            tuple(draw(points)),
            draw(st.sampled_from(("move", "look", "fight", "use", "rest", ""))),
            draw(st.booleans()),
        )
        for at in range(size)
    )
    can_repeat = draw(st.booleans())
    most = draw(st.integers(0, 5)) if can_repeat and size else draw(st.integers(0, size))
    return Question(
        Text("ask/any", ("investigator/ada",)),
        choices,
        at_least=draw(st.integers(0, most)),
        at_most=most,
        is_ordered=draw(st.booleans()),
        can_repeat=can_repeat,
    )


VIEWS = [view_of(make()) for make in (asked, coding, playing)] + [TableView(ROOM, 0)]


@pytest.mark.parametrize("brain", BRAINS.values(), ids=BRAINS)
@given(question=questions(), at=st.integers(0, len(VIEWS) - 1), seed=st.integers(0, 99))
def test_every_answer_is_legal(brain: Brain, question: Question, at: int, seed: int) -> None:
    picks = brain(VIEWS[at], question, random.Random(seed))

    assert question.faults(picks) is None


@pytest.mark.parametrize("brain", BRAINS.values(), ids=BRAINS)
def test_the_same_seed_gives_the_same_answer(brain: Brain) -> None:
    """A brain keeps no state between questions."""
    view = view_of(asked())

    answers = {brain(view, action_question(), random.Random(7)) for _ in range(5)}

    assert len(answers) == 1


@pytest.mark.parametrize(
    ("is_ordered", "can_repeat", "ways"),
    [(False, False, 3), (True, False, 6), (False, True, 6), (True, True, 9)],
)
def test_random_picks_are_all_as_likely(is_ordered: bool, can_repeat: bool, ways: int) -> None:
    """All ways to pick two of three choices come about equally often."""
    choices = tuple(Choice(str(at), Text("choice/any")) for at in range(3))
    question = Question(
        Text("ask/any"), choices, (), 2, 2, is_ordered=is_ordered, can_repeat=can_repeat
    )
    rng = random.Random(1)

    counts = Counter(RANDOM(VIEWS[0], question, rng) for _ in range(300 * ways))

    assert len(counts) == ways
    assert all(200 < count < 400 for count in counts.values())


def sensibly(view: TableView, question: Question) -> str:
    """Return the subject of the choice that the sensible brain picks."""
    (pick,) = SENSIBLE(view, question, random.Random(0))
    return next(c.text.subject for c in question.choices if c.choice_id == pick)


def test_it_fights_the_monster_that_it_shares_a_space_with() -> None:
    assert sensibly(view_of(asked()), action_question()) == "choice/attack"


def without(question: Question, *subjects: str) -> Question:
    """Return the question without the choices of these subjects."""
    kept = tuple(choice for choice in question.choices if choice.text.subject not in subjects)
    return attrs.evolve(question, choices=kept)


def test_it_searches_rather_than_wander_or_rest() -> None:
    question = without(action_question(), "choice/attack")
    question = attrs.evolve(question, prompt=Text("ask/action", ("investigator/vera", 2)))

    script = asked()
    script.emit(se.TokenRemoved("token/cellar"))

    assert sensibly(view_of(script, 1), question) == "choice/search"


def test_it_does_not_do_over_and_over_what_came_to_nothing() -> None:
    script = playing()
    question = without(action_question(), "choice/attack")
    search = next(c for c in question.choices if c.text.subject == "choice/search")
    for _ in range(4):
        ask_id = script.ask({0: question}, about=Text("ask/action"))
        script.emit(events.Answered(0, ask_id, hidden((search.choice_id,))), events.Settled(ask_id))

    assert sensibly(view_of(script), question) != "choice/search"


MEND = Choice("1.8", Text("choice/component", ("item/bandages",)), (), "use")
END = Choice("1.9", Text("choice/end_turn"), (), "rest", ends=True)


@pytest.mark.parametrize(("wounds", "expected"), [(0, END), (3, MEND)])
def test_it_mends_what_hurts_and_wastes_nothing(wounds: int, expected: Choice) -> None:
    script = playing()
    script.emit(
        *(
            se.HarmTaken("investigator/vera", Harm.DAMAGE, f"d{at + 1}", None)
            for at in range(wounds)
        )
    )
    question = Question(Text("ask/action", ("investigator/vera",)), (MEND, END))

    assert sensibly(view_of(script, 1), question) == expected.text.subject


def test_it_guesses_only_codes_that_all_answers_allow() -> None:
    """A player with a pencil would do the same, and finds the code in few guesses."""
    code = ("3", "1", "3")
    guesses: tuple[Guess, ...] = ()
    for _ in range(8):
        script = playing()
        script.emit(se.CodeLaidOut(CodePuzzle("chain", 3, ("1", "2", "3", "4"))))
        for guess in guesses:
            script.emit(se.CodeGuessed("chain", guess, is_solved=False))
        question = coding_question()
        picks = SENSIBLE(view_of(script), question, random.Random(len(guesses)))
        pieces = tuple(str(int(pick.partition(".")[2]) + 1) for pick in picks)
        if pieces == code:
            return
        guesses = (*guesses, answered(code, pieces))
    raise AssertionError(guesses)


def coding_question() -> Question:
    choices = tuple(Choice(f"7.{at}", Text("choice/piece", (str(at + 1),))) for at in range(4))
    return Question(Text("ask/code"), choices, (), 3, 3, is_ordered=True, can_repeat=True)


def answered(code: tuple[str, ...], pieces: tuple[str, ...]) -> Guess:
    exact = sum(one == other for one, other in zip(code, pieces, strict=True))
    return Guess(pieces, exact, (Counter(code) & Counter(pieces)).total() - exact)


ACCEPT = Choice("2.0", Text("choice/accept", (1,)), (), "rest", ends=True)
SPEND = Choice("2.1", Text("choice/spend_clues", (1,)), (Point("die", "1"),), "use")


@pytest.mark.parametrize(("difficulty", "expected"), [(1, ACCEPT), (2, SPEND), (None, SPEND)])
def test_it_spends_clues_where_they_pass_a_test(difficulty: int | None, expected: Choice) -> None:
    """A Clue is not spent on a surplus success, but is where the difficulty is unknown."""
    script = playing()
    script.emit(
        se.TestDeclared("investigator/vera", Skill.WILL, 0, difficulty, 2),
        se.DiceShown((Face.SUCCESS, Face.INVESTIGATION)),
    )
    question = Question(Text("ask/test", (1,)), (ACCEPT, SPEND))

    assert sensibly(view_of(script, 1), question) == expected.text.subject


def test_it_rerolls_blanks_alone() -> None:
    script = playing()
    script.emit(
        se.TestDeclared("investigator/vera", Skill.WILL, 0, 3, 3),
        se.DiceShown((Face.SUCCESS, Face.BLANK, Face.BLANK)),
    )
    choices = tuple(
        Choice(f"2.{at}", Text("choice/die", (at + 1,)), (Point("die", str(at)),))
        for at in range(3)
    )
    question = Question(Text("ask/reroll"), choices, (), 1, 3)

    assert set(SENSIBLE(view_of(script, 1), question, random.Random(1))) == {"2.1", "2.2"}


def moves(*spaces: str) -> Question:
    """Return a question with moves to these spaces, or to stay."""
    ways = (
        Choice(f"4.{at}", Text("choice/move_to", (space,)), (Point("space", space),), "move")
        for at, space in enumerate(spaces)
    )
    return Question(Text("ask/turn", ("investigator/vera",)), (*ways, END))


@pytest.mark.parametrize(
    ("make", "expected"), [(playing, "hall/b"), (asked, "hall/b")], ids=["first", "asked"]
)
def test_it_goes_towards_what_is_left_to_find(make: Callable[[], Script], expected: str) -> None:
    """The unexplored door is beyond the next space, the monsters are elsewhere."""
    script = make()
    script.emit(se.InvestigatorMoved("investigator/vera", "hall/c"))
    for token in ("token/maid", "token/window", "token/clock", "token/cellar"):
        script.emit(se.TokenRemoved(token))

    (pick,) = SENSIBLE(view_of(script, 1), moves("hall/b", "study/a"), random.Random(1))

    assert pick == f"4.{['hall/b', 'study/a'].index(expected)}"


def test_fire_is_left_alone_unless_one_stands_in_it() -> None:
    """The brain sets no fire, and extinguishes one only in its own space."""
    script = playing()
    fight = (Choice("3.0", Text("choice/fight_fire"), (), "use"),)
    start = (Choice("3.1", Text("choice/set_fire"), (), "use"),)
    rest = (Choice("3.2", Text("choice/end_turn"), (), "rest", ends=True),)
    question = Question(Text("ask/turn", ("investigator/ada",)), fight + start + rest)

    assert SENSIBLE(view_of(script), question, random.Random(1)) == ("3.2",)
    game = script.table.game
    assert isinstance(game, SecondEditionTable)
    space = game.investigators["investigator/ada"].space or ""
    script.emit(se.FeaturePlaced(Feature("f", FeatureKind.FIRE, space)))

    assert SENSIBLE(view_of(script), question, random.Random(1)) == ("3.0",)


def facing(token: Token, *refused: RefusedChoice) -> str:
    """Return where Vera moves if the only token is two spaces away, or that she ends her turn."""
    script = playing()
    script.emit(se.InvestigatorMoved("investigator/vera", "hall/c"))
    game = script.table.game
    assert isinstance(game, SecondEditionTable)
    for other in game.tokens:
        script.emit(se.TokenRemoved(other))
    script.emit(se.TokenPlaced(token))
    question = attrs.evolve(moves("hall/a", "hall/b"), refused=refused)
    script.ask({1: question}, about=Text("ask/turn"))
    (pick,) = SENSIBLE(view_of(script, 1), question, random.Random(1))
    return {"4.0": "hall/a", "4.1": "hall/b"}.get(pick, "end")


LOOK = Text("house/look")
TOO_FAR = RefusedChoice(LOOK, Text("refusal/too_far"), "SEARCH-2")
LACKING = RefusedChoice(LOOK, Text("refusal/needs", ("item/key",)), "EXPLORE-5")
OFFER = (TokenOffer(LOOK, needs_action=True),)


@pytest.mark.issue(16)
@pytest.mark.parametrize(
    ("offers", "refused", "goes"),
    [
        (OFFER, (), "hall/b"),
        (OFFER, (TOO_FAR,), "hall/b"),
        (OFFER, (LACKING,), "end"),
        ((), (TOO_FAR,), "hall/b"),
        ((), (), "end"),
        ((), (attrs.evolve(TOO_FAR, rule="INTERACT-2"),), "end"),
    ],
    ids=["always", "elsewhere", "lacking", "now", "not now", "of another kind"],
)
def test_it_walks_to_no_token_that_offers_nothing(
    offers: tuple[TokenOffer, ...], refused: tuple[RefusedChoice, ...], goes: str
) -> None:
    """A refusal for distance alone does not count as offering nothing."""
    token = Token("token/coats", TokenKind.SEARCH, "hall/b", offers)

    assert facing(token, *refused) == goes


# Together ----------------------------------------------------------------------------------

ADA, AMOS, VERA = "investigator/ada", "investigator/amos", "investigator/vera"


def with_skill(view: TableView, skill: Skill, **dice: int) -> TableView:
    """Return a view with other values of one skill."""
    game = view.table.game
    assert isinstance(game, SecondEditionTable)
    people = {
        who: evolve(one, skills={**one.skills, skill: dice.get(who.partition("/")[2], 3)})
        for who, one in game.investigators.items()
    }
    return attrs.evolve(view, table=evolve(view.table, game=evolve(game, investigators=people)))


def alone_with(script: Script, *tokens: Token) -> None:
    """Replace all tokens on the board with these."""
    game = script.table.game
    assert isinstance(game, SecondEditionTable)
    for other in game.tokens:
        script.emit(se.TokenRemoved(other))
    script.emit(*(se.TokenPlaced(token) for token in tokens))


LOCK, BOOK = Text("house/lock"), Text("house/book")


def at_the_lock(view: TableView) -> str:
    """Return the choice of an investigator with two tokens to try in their space."""
    question = Question(
        Text("ask/turn", (VERA,)),
        (
            Choice("5.0", LOCK, (Point("token", "token/lock"),), "look"),
            Choice("5.1", BOOK, (Point("token", "token/book"),), "look"),
            END,
        ),
    )
    (pick,) = SENSIBLE(view, question, random.Random(1))
    return {"5.0": "lock", "5.1": "book"}.get(pick, "end")


@pytest.mark.issue(38)
@pytest.mark.parametrize(
    ("dice", "does"),
    [({"vera": 6}, "lock"), ({"vera": 1, "ada": 6}, "book")],
    ids=["best", "worst"],
)
def test_the_best_die_takes_a_test_that_was_seen(dice: dict[str, int], does: str) -> None:
    """Of two equal choices, the brain leaves to another the test for which they have more dice."""
    script = playing()
    script.emit(se.InvestigatorMoved(VERA, "hall/c"))
    alone_with(
        script,
        Token("token/book", TokenKind.INTERACT, "hall/c", (TokenOffer(BOOK, needs_action=True),)),
        Token("token/lock", TokenKind.INTERACT, "hall/c", (TokenOffer(LOCK, needs_action=True),)),
    )
    script.emit(
        se.OptionChosen(AMOS, LOCK),
        se.TestDeclared(AMOS, Skill.STRENGTH, 0, 2, 3),
        se.TestFinished(AMOS, 0, is_passed=False),
    )

    assert at_the_lock(with_skill(view_of(script, 1), Skill.STRENGTH, **dice)) == does


@pytest.mark.issue(38)
def test_two_do_not_walk_to_the_same_token() -> None:
    """The other investigator takes the remaining one even if it is farther."""
    script = playing()
    for who, space in ((ADA, "hall/a"), (AMOS, "hall/a"), (VERA, "hall/b")):
        script.emit(se.InvestigatorMoved(who, space))
    near = Token("token/coats", TokenKind.SEARCH, "hall/a", OFFER)
    alone_with(script, near)
    assert _walk(script) == "hall/a"

    alone_with(script, near, Token("token/other", TokenKind.INTERACT, "study/a", OFFER))

    assert _walk(script) == "study/a"


def _walk(script: Script) -> str:
    (pick,) = SENSIBLE(view_of(script, 1), moves("hall/a", "study/a"), random.Random(1))
    return {"4.0": "hall/a", "4.1": "study/a"}.get(pick, "end")


@pytest.mark.issue(38)
def test_nothing_is_dropped_in_a_trade() -> None:
    """The trade is closed."""
    script = playing()
    drop = Choice("6.0", Text("choice/drop", (VERA, "item/lantern")), (), "use")
    close = Choice("6.1", Text("choice/trade_close"), (), "rest", ends=True)
    question = Question(Text("ask/trade", (VERA,)), (drop, close))

    assert SENSIBLE(view_of(script, 1), question, random.Random(1)) == ("6.1",)
