"""Refused choices: the refusing rule is named for keys and for the mouse."""

import attrs
import pytest

from client.locale import LANGUAGES
from client.widgets.answering import Answering
from protocol.common.asks import Choice, Question, RefusedChoice
from protocol.common.text import Text, rule_subject
from tests.games.second_edition.client.scripted import Script, action_question, asked, playing
from tests.games.second_edition.client.stage import OnStage, model_of, play
from tests.games.second_edition.simulate import core

CHOICES = len(action_question().choices)
BY = "Not now: Trade: nobody is in your space. ? explains the rule."
MEANING = "A trade is for everybody in one space, and for nobody else."


def flat(text: str) -> str:
    """Return the text of a screen in one line, without frames."""
    return " ".join(text.replace("│", " ").split())


def pressed(*keys: str, script: Script | None = None) -> OnStage:

    async def do(stage: OnStage) -> None:
        await stage.press(*keys)
        texts.append(stage.text)

    texts: list[str] = []
    return play(model_of(script or asked()), do, rows=40, columns=120)


def test_the_cursor_reads_what_is_refused_on_its_way_down() -> None:
    stage = pressed(*["down"] * CHOICES, "enter")

    assert BY in stage.text
    assert ">x Trade: nobody is in your space" in flat(stage.text)
    assert "Enter" not in stage.text.splitlines()[-1]
    assert "? why not" in stage.text.splitlines()[-1]
    assert stage.port.said == []


def test_help_explains_the_rule_that_refuses_where_the_cursor_is() -> None:
    on_it = flat(pressed(*["down"] * CHOICES, "?").text)
    assert "The rule: Who takes part (TRADE-1)" in on_it
    assert MEANING in on_it
    assert "The question:" not in on_it
    assert "The question:" in flat(pressed("?").text)


def test_a_click_on_what_is_refused_says_why() -> None:

    async def click(stage: OnStage) -> None:
        await stage.click("x Trade")
        assert ">x Trade" in stage.text
        await stage.click("x Trade")
        assert BY in stage.text
        await stage.press("?")
        assert MEANING in flat(stage.text)

    assert play(model_of(asked()), click, rows=40, columns=120).port.said == []


def test_up_from_the_first_goes_to_the_last_that_can_be_chosen() -> None:
    """The last choice often ends the turn, and one key should reach it."""
    places = []
    answering = Answering(0, action_question())
    for by in (-1, 1, 1, -1):
        answering.move(by)
        places.append(answering.cursor)
    assert places == [CHOICES - 1, CHOICES, 0, CHOICES - 1]

    answering.go_to(CHOICES)
    assert answering.chosen is None
    assert answering.refused == action_question().refused[0]


def test_where_several_are_marked_what_is_refused_is_not() -> None:
    question = attrs.evolve(action_question(), at_most=2)
    script = playing()
    script.ask({0: question}, about=Text("ask/action", ("investigator/ada", 2)))
    stage = pressed(" ", *["down"] * CHOICES, " ", script=script)
    assert BY in stage.text

    script = playing()
    script.ask({0: question}, about=Text("ask/action", ("investigator/ada", 2)))
    stage = pressed(" ", *["down"] * CHOICES, "enter", script=script)
    assert stage.port.said == [("answer", 0, ("1.1",))]


@pytest.mark.parametrize(
    "language", ["en", *(pytest.param(n, marks=pytest.mark.long) for n in LANGUAGES if n != "en")]
)
def test_whatever_rule_refuses_it_is_named_and_explained(language: str) -> None:
    worded = core().catalogs[language]
    rules = sorted(subject for subject in worded if subject.startswith("rule/"))
    assert len(rules) > 50
    script = playing()
    refused = tuple(
        RefusedChoice(Text("refuse/trade"), Text("refuse/alone"), _id_of(subject))
        for subject in rules
    )
    question = Question(Text("ask/action"), (Choice("1.1", Text("refuse/trade")),), refused)
    script.ask({0: question}, about=Text("ask/action", ("investigator/ada", 2)))
    model = model_of(script, language=language)
    model.words.add(language, tuple((subject, tuple(worded[subject].items())) for subject in rules))

    async def look(stage: OnStage) -> None:
        for subject in rules:
            await stage.press("down", "enter")
            name, text = worded[subject]["name"], worded[subject]["text"]
            assert f"({name})" in flat(stage.text)
            assert _id_of(subject) not in flat(stage.text)
            await stage.press("?")
            assert f"{name} ({_id_of(subject)})" in flat(stage.text)
            assert flat(text)[:60] in flat(stage.text)
            await stage.press("q")

    play(model, look, rows=60, columns=200)


def _id_of(subject: str) -> str:
    rule = subject.removeprefix("rule/").upper()
    assert rule_subject(rule) == subject
    return rule


def test_a_rule_is_named_once_for_what_it_refuses() -> None:

    def refused(what: str, rule: str) -> RefusedChoice:
        return RefusedChoice(Text("choice/move", (what,)), Text("refuse/alone"), rule)

    script = playing()
    listed = (
        refused("room/hall", "TRADE-1"),
        refused("room/kitchen", "TURN-2"),
        refused("room/study", "TRADE-1"),
    )
    question = attrs.evolve(action_question(), refused=listed)
    script.ask({0: question}, about=Text("ask/action", ("investigator/ada", 2)))
    shown = flat(pressed(script=script).text)

    assert shown.count("(Who takes part)") == 1
    assert (
        shown.index("x Move to: Hall")
        < shown.index("(Who takes part)")
        < shown.index("x Move to: Study")
    )
    assert shown.index("x Move to: Study") < shown.index("x Move to: Kitchen")
    assert Answering(0, question).refusals == (listed[0], listed[2], listed[1])
