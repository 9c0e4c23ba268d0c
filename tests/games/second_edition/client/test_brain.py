"""Brains pick an offered answer, and the sensible brain picks what a person might."""

import random
from collections import Counter
from collections.abc import Callable, Mapping

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.bots.brains import BRAINS, RANDOM, SENSIBLE
from client.bots.weighing import Past
from client.games.second_edition.bot import heuristics
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
    Phase,
    Possession,
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
def test_choices_that_exclude_each_other_hold_no_bot_up(brain: Brain) -> None:
    """Two are wanted, and no two of these go together: this is no window, and any two are legal."""
    same = (Point("investigator", "investigator/ada"),)
    choices = tuple(Choice(f"3.{at}", Text("choice/x"), same, ends=not at) for at in range(3))
    question = Question(Text("ask/any"), choices, at_least=2, at_most=3)

    assert question.faults(brain(VIEWS[-1], question, random.Random(1))) is None


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
    """A player with a pencil would guess the same way, and finds the code in few guesses."""
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
    """A Clue is not spent on a surplus success, but it is spent if the difficulty is unknown."""
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
    """The unexplored door is beyond the next space; the monsters are elsewhere."""
    script = make()
    script.emit(se.InvestigatorMoved("investigator/vera", "hall/c"))
    for token in ("token/maid", "token/window", "token/clock", "token/cellar"):
        script.emit(se.TokenRemoved(token))

    (pick,) = SENSIBLE(view_of(script, 1), moves("hall/b", "study/a"), random.Random(1))

    assert pick == f"4.{['hall/b', 'study/a'].index(expected)}"


def test_fire_is_left_alone_unless_one_stands_in_it() -> None:
    """The brain sets no fire, and extinguishes a fire only in its own space."""
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
    """A token that refuses only because it is too far away still counts as offering something."""
    token = Token("token/coats", TokenKind.SEARCH, "hall/b", offers)

    assert facing(token, *refused) == goes


# Together ----------------------------------------------------------------------------------

ADA, AMOS, VERA = "investigator/ada", "investigator/amos", "investigator/vera"


def with_skill(view: TableView, skill: Skill, **dice: int) -> TableView:
    """Return a view in which investigators have these dice in a skill, by default three."""
    game = view.table.game
    assert isinstance(game, SecondEditionTable)
    people = {
        who: evolve(one, skills={**one.skills, skill: dice.get(who.partition("/")[2], 3)})
        for who, one in game.investigators.items()
    }
    return attrs.evolve(view, table=evolve(view.table, game=evolve(game, investigators=people)))


def alone_with(script: Script, *tokens: Token) -> None:
    """Replace all tokens on the board with the given ones."""
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
    """Vera tries the lock if she has the most dice for it, and leaves it to Ada if Ada has more."""
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
    """The other investigator takes the remaining token even if it is farther away."""
    script = playing()
    for who, space in ((ADA, "hall/a"), (AMOS, "hall/a"), (VERA, "hall/b")):
        script.emit(se.InvestigatorMoved(who, space))
    near = Token("token/coats", TokenKind.SEARCH, "hall/a", OFFER)
    alone_with(script, near)
    assert _walk(script) == "hall/a"

    alone_with(script, near, Token("token/other", TokenKind.INTERACT, "study/a", OFFER))
    script.emit(se.PhaseBegan(Phase.INVESTIGATOR, 3))

    assert _walk(script) == "study/a"


def _walk(script: Script) -> str:
    (pick,) = SENSIBLE(view_of(script, 1), moves("hall/a", "study/a"), random.Random(1))
    return {"4.0": "hall/a", "4.1": "study/a"}.get(pick, "end")


@pytest.mark.issue(38)
def test_one_plan_holds_for_the_whole_round() -> None:
    """Plans follow from the positions when the round began and do not change on the way."""
    script = playing()
    for who, space in ((ADA, "hall/a"), (AMOS, "hall/c"), (VERA, "hall/b")):
        script.emit(se.InvestigatorMoved(who, space))
    alone_with(
        script,
        Token("token/coats", TokenKind.SEARCH, "hall/a", OFFER),
        Token("token/other", TokenKind.SEARCH, "hall/c", OFFER),
        Token("token/third", TokenKind.SEARCH, "hall/b", OFFER),
    )
    script.emit(se.PhaseBegan(Phase.INVESTIGATOR, 3))
    began = dict(plans_of(script))
    assert began == {ADA: "token/coats", AMOS: "token/other", VERA: "token/third"}

    script.emit(se.InvestigatorMoved(VERA, "hall/a"), se.InvestigatorMoved(ADA, "hall/b"))
    assert plans_of(script) == began
    # Something new comes up; and what Ada went for is gone, so that she alone goes elsewhere.
    script.emit(se.TokenPlaced(Token("token/new", TokenKind.EXPLORE, "hall/1", OFFER)))
    assert plans_of(script) == began
    script.emit(se.TokenRemoved("token/coats"))
    assert plans_of(script) == began | {ADA: "token/new"}

    script.emit(se.PhaseBegan(Phase.INVESTIGATOR, 4))
    assert plans_of(script) != began


def plans_of(script: Script) -> Mapping[str, str]:
    """Return the plan of the round, asserting that each seat finds the same one."""
    found = [_plans(view_of(script, seat)) for seat in (0, 1)]
    assert found[0] == found[1]
    return found[0]


def _plans(view: TableView) -> Mapping[str, str]:
    game = view.table.game
    assert isinstance(game, SecondEditionTable)
    past = Past.from_log(view, ())
    return heuristics._Mind(game, None, past, Question(Text("ask/any"), ()), {}, view).plans()


# Things --------------------------------------------------------------------------------------

LANTERN = Possession("p1", "item/lantern")
CLOSE = Choice("6.9", Text("choice/trade_close"), (), "risk", ends=True)
TRADE = Choice("6.8", Text("choice/trade"), (Point("investigator", ADA),), "use")
DROP = Choice(
    "6.7", Text("choice/drop", (VERA, "item/lantern")), (AT := Point("possession", "p1"),)
)


def gift(giver: str, receiver: str, at: int = 0) -> Choice:
    text = Text("choice/give", (giver, "item/lantern", receiver))
    return Choice(f"6.{at}", text, (AT, Point("investigator", receiver)), "use")


def together() -> Script:
    """Return a game with all three in a space without monsters; Vera has a lantern."""
    script = playing()
    for who in (ADA, AMOS, VERA):
        script.emit(se.InvestigatorMoved(who, "hall/c"))
    alone_with(script)
    return script


def seen_as_weapon(script: Script, seat: int = 1) -> Skill:
    """Show a seat that the lantern attacks; return the skill that its attack tests."""
    attack = Choice(
        "7.0",
        Text("choice/attack_with", ("monster/tallyman", "item/lantern", 2)),
        (Point("monster", "m1"), AT),
        "fight",
    )
    script.ask({seat: Question(Text("ask/turn", (VERA,)), (attack, END))}, about=Text("about/turn"))
    return Skill.STRENGTH


def seen_in_test(script: Script, seat: int = 1) -> Skill:
    """Show a seat that the lantern rerolls dice in tests of Lore."""
    reroll = Choice("7.0", Text("choice/reroll", ("item/lantern", 1)), (AT,), "free")
    script.emit(se.TestDeclared(VERA, Skill.LORE, 0, 2, 2))
    script.ask({seat: Question(Text("ask/test", (0,)), (reroll, ACCEPT))}, about=Text("about/test"))
    script.emit(se.TestFinished(VERA, 0, is_passed=False))
    return Skill.LORE


def used_in_test(script: Script, seat: int = 1) -> Skill:
    """Show everybody the use of the lantern in a test of Will."""
    del seat
    script.emit(
        se.TestDeclared(VERA, Skill.WILL, 0, 2, 2),
        se.PowerUsed(VERA, "p1"),
        se.TestFinished(VERA, 0, is_passed=False),
    )
    return Skill.WILL


def acted_with(script: Script, seat: int = 1) -> Skill:
    """Show everybody the lantern's own action, which tests Lore."""
    del seat
    script.emit(
        se.PowerUsed(VERA, "p1"),
        se.TestDeclared(VERA, Skill.LORE, 0, 2, 2),
        se.TestFinished(VERA, 0, is_passed=False),
    )
    return Skill.LORE


def choosing(view: TableView, *choices: Choice, who: str = VERA) -> str:
    question = Question(Text("ask/trade", (who,)), choices)
    (pick,) = SENSIBLE(view, question, random.Random(1))
    return pick


@pytest.mark.issue(38)
@pytest.mark.parametrize("saw", [seen_as_weapon, seen_in_test, used_in_test, acted_with])
def test_a_thing_is_given_to_who_uses_it_better(saw: Callable[[Script], Skill]) -> None:
    script = together()
    skill = saw(script)
    gifts = (gift(VERA, ADA, 1), gift(VERA, AMOS, 2), CLOSE)

    better = with_skill(view_of(script, 1), skill, amos=6)
    alike = with_skill(view_of(script, 1), skill)
    worse = with_skill(view_of(script, 1), skill, vera=6)

    assert [choosing(view, *gifts) for view in (better, alike, worse)] == ["6.2", "6.9", "6.9"]
    assert choosing(better, TRADE, END) == "6.8"
    assert [choosing(view, TRADE, END) for view in (alike, worse)] == ["1.9", "1.9"]


@pytest.mark.issue(38)
def test_a_second_weapon_goes_to_who_has_none() -> None:
    """Vera gives her second weapon to Ada, who has none, but keeps her only one."""
    script = together()
    script.emit(se.PossessionGained(VERA, Possession("p2", "item/lantern")))
    seen_as_weapon(script)
    view = with_skill(view_of(script, 1), Skill.STRENGTH)

    assert choosing(view, gift(VERA, ADA), CLOSE) == "6.0"
    script.emit(se.PossessionGiven(VERA, ADA, "p2"))
    view = with_skill(view_of(script, 1), Skill.STRENGTH)
    assert choosing(view, gift(VERA, AMOS), CLOSE) == "6.9"


@pytest.mark.issue(38)
@pytest.mark.parametrize("reason", ["refusal/needs_item", "refusal/other_has_item"])
def test_a_key_goes_to_who_goes_to_the_lock(reason: str) -> None:
    """By the plan of the round Ada goes to the lock. Vera was refused there for lack of the key."""
    script = together()
    lock = Token("token/lock", TokenKind.INTERACT, "hall/b", (TokenOffer(LOCK, needs_action=True),))
    script.emit(se.TokenPlaced(lock))
    for who, space in ((ADA, "hall/b"), (AMOS, "hall/a"), (VERA, "hall/c")):
        script.emit(se.InvestigatorMoved(who, space))
    script.emit(se.PhaseBegan(Phase.INVESTIGATOR, 3))
    assert plans_of(script) == {ADA: "token/lock"}
    refused = RefusedChoice(LOCK, Text(reason, ("item/lantern",)), "EXPLORE-5")
    asks = Question(Text("ask/turn", (VERA,)), (END,), (refused,))
    gifts = (gift(VERA, ADA, 1), gift(VERA, AMOS, 2), CLOSE)
    assert choosing(view_of(script, 1), *gifts) == "6.9"

    script.ask({1: asks}, about=Text("about/turn"))

    assert choosing(view_of(script, 1), *gifts) == "6.1"


@pytest.mark.issue(38)
@pytest.mark.parametrize(
    ("more", "does"),
    [
        (Choice("5.0", LOCK, (Point("token", "token/lock"),), "look"), "5.0"),
        (Choice("4.0", Text("choice/move_to", ("hall/b",)), (Point("space", "hall/b"),)), "6.8"),
    ],
    ids=["something to do here", "a walk for nothing"],
)
def test_a_trade_takes_no_action_that_is_needed_more(more: Choice, does: str) -> None:
    script = together()
    lock = Token("token/lock", TokenKind.SEARCH, "hall/c", (TokenOffer(LOCK, needs_action=True),))
    script.emit(*([se.TokenPlaced(lock)] if does == "5.0" else []))
    skill = used_in_test(script)
    view = with_skill(view_of(script, 1), skill, amos=6)

    assert choosing(view, TRADE, attrs.evolve(more, group=more.group or "move"), END) == does


@pytest.mark.issue(38)
def test_two_bots_do_not_hand_a_thing_to_and_fro() -> None:
    """Each bot has seen another use of the thing, at which the other bot would be better."""
    script = together()
    seen_as_weapon(script, 1)
    seen_in_test(script, 0)
    people = {"amos": 1, "vera": 1, "ada": 6}
    view = with_skill(view_of(script, 1), Skill.STRENGTH, **people)
    assert choosing(view, gift(VERA, ADA), CLOSE) == "6.0"
    script.emit(se.PossessionGiven(VERA, ADA, "p1"))
    view = with_skill(view_of(script, 0), Skill.STRENGTH, **people)
    view = with_skill(view, Skill.LORE, vera=6, ada=1, amos=1)

    assert choosing(view, gift(ADA, VERA), CLOSE, who=ADA) == "6.9"


@pytest.mark.issue(38)
def test_nothing_is_dropped_in_a_trade() -> None:
    script = playing()
    drop = Choice("6.0", Text("choice/drop", (VERA, "item/lantern")), (), "use")
    close = Choice("6.1", Text("choice/trade_close"), (), "rest", ends=True)
    question = Question(Text("ask/trade", (VERA,)), (drop, close))

    assert SENSIBLE(view_of(script, 1), question, random.Random(1)) == ("6.1",)


@pytest.mark.issue(38)
@pytest.mark.parametrize("seen", [(), (seen_as_weapon,), (seen_in_test, used_in_test)])
def test_nothing_is_dropped_whether_or_not_its_use_is_known(
    seen: tuple[Callable[[Script], Skill], ...],
) -> None:
    """The brain drops nothing, gives no Clue away, and disputes no card that somebody picked up."""
    script = together()
    for saw in seen:
        saw(script)
    script.emit(se.CluesGained(VERA, 1))
    clue = Choice(
        "6.5", Text("choice/give_clue_to", (VERA, ADA)), (Point("investigator", ADA),), "use"
    )
    claim = Choice("6.6", Text("choice/claim_too", (VERA, "item/lantern", ADA)), (AT,), "use")

    assert choosing(view_of(script, 1), DROP, clue, claim, CLOSE) == "6.9"


@pytest.mark.issue(38)
def test_what_lies_there_is_picked_up() -> None:
    script = together()
    script.emit(se.PossessionDropped(VERA, "p1", "hall/c"))
    pick = Choice("6.0", Text("choice/pick_up", (VERA, "item/lantern")), (AT,), "use")

    assert choosing(view_of(script, 1), TRADE, END) == "6.8"
    assert choosing(view_of(script, 1), pick, CLOSE) == "6.0"


@pytest.mark.issue(38)
@pytest.mark.parametrize(
    ("faces", "clues", "uses"),
    [
        ((Face.BLANK, Face.BLANK), 0, True),
        ((Face.INVESTIGATION, Face.SUCCESS), 0, True),
        ((Face.INVESTIGATION, Face.SUCCESS), 1, False),
        ((Face.SUCCESS, Face.SUCCESS), 0, False),
    ],
    ids=["blanks", "no Clue for it", "a Clue for it", "passed"],
)
def test_a_fitting_item_is_used_in_a_test(
    faces: tuple[Face, ...], clues: int, *, uses: bool
) -> None:
    """Of two items that can still help, the one that costs no card is used."""
    script = together()
    vera = view_of(script, 1).table.game
    assert isinstance(vera, SecondEditionTable)
    spare = vera.investigators[VERA].clues - clues
    script.emit(
        *([se.CluesSpent(VERA, spare)] if spare else []),
        se.TestDeclared(VERA, Skill.LORE, 0, 2, 2),
        se.DiceShown(faces),
    )
    costly = Choice(
        "2.1", Text("choice/reroll", ("item/flask", 1)), (Point("possession", "p2"),), "use"
    )
    free = Choice("2.2", Text("choice/reroll", ("item/lantern", 1)), (AT,), "free")
    question = Question(Text("ask/test", (1,)), (ACCEPT, costly, free))

    picks = {SENSIBLE(view_of(script, 1), question, random.Random(n)) for n in range(5)}

    assert picks == {("2.2",) if uses else ("2.0",)}
