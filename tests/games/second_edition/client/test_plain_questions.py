"""Every kind of question in plain mode can be read and answered in words.

`tests/games/second_edition/rules/questions.yaml` lists the questions of the rules, and tests of the
rules keep it complete, so new questions and choices are covered here too.
"""

import functools
import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from client.locale.word_store import WordStore
from client.text.printable import printable
from protocol.common.asks import Choice, Point, Question, Settle
from protocol.common.events import Asked
from protocol.common.templates import placeholders
from protocol.common.text import Text
from protocol.event import hidden
from tests.games.second_edition.client.console import Console
from tests.games.second_edition.client.scripted import playing, words
from tests.games.second_edition.rules.wording import QUESTIONS
from tests.games.second_edition.simulate import core_words
from tests.kit import reading_yaml
from tests.kit.every_run import half_of

LISTED: Mapping[str, Any] = reading_yaml.safe(QUESTIONS.read_text("utf-8"))
CATALOGS = core_words()
LANGUAGES = ("en", "fr")
NAMES = (
    ("Ada Whitlock", "Iron Poker", "Nora Quill"),
    ("Walter Brandt", "Storm Lantern", "Tom Wren"),
)
"""Parameters of the texts of the first and the second choice."""
PIECES: Mapping[str, tuple[str, str]] = {
    "space": ("hall/b", "study/a"),
    "investigator": ("investigator/ada", "investigator/vera"),
    "monster": ("m1", "m2"),
    "token": ("token/coats", "token/coats"),
    "possession": ("p1", "p1"),
}
"""
Pieces at which the first and the second choice point, by kind. Clients ignore pieces that are not
on the scripted table.
"""

_KINDS = [
    (subject, described) for subject, kinds in LISTED["choices"].items() for described in kinds
]
_ASKS = [(about, *said.split()) for about, asks in LISTED["questions"].items() for said in asks]


def _in_words(one: str | tuple[str, ...]) -> str:
    return one if isinstance(one, str) else " ".join(one)


def text_of(subject: str, which: int) -> Text:
    """Return text of the core pack about the first or the second of two sample pieces."""
    words = CATALOGS["en"].get(subject)
    if words is None:
        return Text("choice/search")
    template = next(iter(words.values()))
    count = max((int(number) for number in placeholders(template)), default=-1) + 1
    # What tells one from many is a number.
    counted = {int(number) for number in re.findall(r"\{(\d)\|", template)}
    params = tuple(which + 1 if at in counted else NAMES[which][at] for at in range(count))
    return Text(subject, params, field=next(iter(words)))


def choice_of(subject: str, described: str, which: int) -> Choice:
    """Return a choice made from its description in `questions.yaml`."""
    group, _, kinds = described.partition(": ")
    points = (Point(kind, PIECES.get(kind, ("1", "2"))[which]) for kind in kinds.split())
    choice_id = f"{subject}.{which}"
    given = "" if group == "-" else group
    return Choice(
        choice_id, text_of(subject, which), tuple(p for p in points if p.kind != "-"), given
    )


END = Choice("end", Text("choice/end_turn"), (), "rest", ends=True)


@functools.cache
def _words(language: str) -> WordStore:
    """Return the words of the stage and of the core pack; no test changes them."""
    store = words(language)
    store.add(
        language,
        tuple((subject, tuple(own.items())) for subject, own in CATALOGS[language].items()),
    )
    return store


def asking(
    language: str, question: Question, settle: Settle, about: str
) -> tuple[Console, list[str]]:
    """Return a console that is asked a question, and the lines printed for it."""
    console = Console(playing(), language=language)
    console.model.words = _words(language)
    asked = Asked(0, "TURN-2", Text(about), settle, (), {0: hidden(question)})
    return console, console.go_on(asked)


def chosen(console: Console, typed: str) -> tuple[str, ...] | None:
    """Return the choices that a line picks, None if nothing is sent."""
    console.port.said.clear()
    if _asks_again(console, console.type(typed)):
        console.type(typed)
    match console.port.said:
        case [("answer", 0, picks)]:
            return tuple(picks)
        case [("vote", 0, picks)]:
            return tuple(picks)
    return None


def _asks_again(console: Console, said: Sequence[str]) -> bool:
    """True if a risky choice must be typed a second time."""
    sure = printable(console.model.locale.say("plain.sure", "*")).partition("*")[0]
    return any(line.startswith(sure) for line in said)


def listed_lines(lines: Sequence[str]) -> dict[str, str]:
    """Return the text of each printed choice, by number."""
    found = (re.match(r"(\d+)\. (.+)", line) for line in lines)
    return {match[1]: match[2] for match in found if match}


@pytest.mark.parametrize(("kind", "language"), half_of(_KINDS, LANGUAGES), ids=_in_words)
def test_a_choice_of_each_kind_is_reached_by_number_and_by_words(
    kind: tuple[str, str], language: str
) -> None:
    subject, described = kind
    texts = dict.fromkeys(text_of(subject, which) for which in (0, 1))
    choices = [choice_of(subject, described, at) for at in range(len(texts))]
    others = [END] if subject != "choice/end_turn" else []
    question = Question(Text("ask/turn", ("Ada Whitlock", 2)), (*choices, *others))
    console, lines = asking(language, question, Settle.EACH, "about/turn")

    numbered = listed_lines(lines)

    found = {chosen(console, number) for number in numbered}
    assert found == {(choice.choice_id,) for choice in question.choices}
    for number, said in numbered.items():
        assert not re.search("<[a-z]", said), said
        assert chosen(console, said) == chosen(console, number), said
        assert chosen(console, said.lower()) == chosen(console, number), said


@pytest.mark.parametrize(("ask", "language"), half_of(_ASKS, LANGUAGES), ids=_in_words)
def test_a_question_of_each_kind_is_read_and_answered(ask: tuple[str, ...], language: str) -> None:
    about, _, prompt, how, *more = ask
    choices = tuple(choice_of("choice/who", "-: investigator", at) for at in (0, 1))
    many = 2 if "ordered" in more or "repeats" in more else 1
    question = Question(
        Text(prompt) if prompt.startswith("ask/") else Text("choice/search"),
        choices,
        at_least=many,
        at_most=many,
        is_ordered="ordered" in more,
        can_repeat="repeats" in more,
        default=(choices[0].choice_id,) * many if "default" in more else (),
    )
    console, lines = asking(language, question, Settle(how), about)
    numbered = listed_lines(lines)

    assert list(numbered.values()) == [NAMES[0][0], NAMES[1][0]]
    ids = [choice.choice_id for choice in choices]
    one, other = ("walter", "ada whitlock")
    if many == 1:
        assert [chosen(console, typed) for typed in (other, one)] == [(ids[0],), (ids[1],)]
        assert [chosen(console, typed) for typed in "12"] == [(ids[0],), (ids[1],)]
    else:
        assert chosen(console, "2 1") == chosen(console, f"{one}, {other}") == (ids[1], ids[0])
        assert (chosen(console, "2 2") is not None) == question.can_repeat


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_none_or_several_are_chosen_words_do_as_well_as_numbers(language: str) -> None:
    kinds = (("choice/take", "use: possession"), ("choice/takes", "use: investigator"))
    choices = tuple(choice_of(*kind, which) for kind in kinds for which in (0, 1))
    question = Question(Text("ask/steal"), choices, at_least=0, at_most=4)
    console, lines = asking(language, question, Settle.EACH, "about/steal")
    ids = [choice.choice_id for choice in choices]
    numbered = listed_lines(lines)

    assert chosen(console, console.model.locale.say("plain.none").split()[0]) == ()
    assert chosen(console, "0") == ()
    assert chosen(console, "1, 3 4") == (ids[0], ids[2], ids[3])
    assert chosen(console, f"{numbered['4']}, {numbered['2']}") == (ids[3], ids[1])
