"""Every question says why it is asked: its record names an effect, or its own words say it."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from client.model.model import ClientModel
from client.settings.preferences import Charset
from client.text.printable import printable
from client.widgets.answering import Answering
from client.widgets.canvas import Canvas
from client.widgets.question import Inset, draw_question
from client.widgets.scene import Scene
from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.effects import Amount
from content.games.second_edition.schema.scenario import Moment, MythosEvent, Trigger
from content.games.second_edition.schema.targets import Who
from protocol.common.asks import Question, Settle
from protocol.common.events import Asked
from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.second_edition.events import PhaseBegan
from protocol.games.second_edition.table import Phase
from server.games.second_edition.rules import mythos, triggers
from tests.games.second_edition.client.console import Console
from tests.games.second_edition.client.scripted import playing
from tests.games.second_edition.client.test_plain_questions import choice_of, text_of
from tests.games.second_edition.rules.bench import Bench, Unanswered
from tests.games.second_edition.rules.wording import QUESTIONS
from tests.games.second_edition.rules.worlds import ADA, BEN, world
from tests.games.second_edition.simulate import core_words
from tests.kit import reading_yaml

pytestmark = pytest.mark.issue(38)

RULES = Path(__file__).parents[4] / "server" / "games" / "second_edition" / "rules"
LISTED: Mapping[str, Any] = reading_yaml.safe(QUESTIONS.read_text("utf-8"))
REASONS: Mapping[str, Any] = LISTED["reasons"]
PROMPTS = sorted({said.split()[1] for asks in LISTED["questions"].values() for said in asks})
CAUSE = Text("choice/horror", ("Iron Poker",))
LANGUAGES = ("en", "fr")


def test_every_question_of_the_list_has_a_reason() -> None:
    """Each prompt is in one of the two parts of the list, `record` or `words`, and only once."""
    twins = {"ask/heal_horror", "ask/turn_horror"}
    named = [*REASONS["record"], *REASONS["words"]]

    assert sorted(set(named) - twins) == PROMPTS
    assert len(named) == len(set(named))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("prompt", REASONS["words"])
def test_words_that_say_a_reason_are_in_the_question(prompt: str, language: str) -> None:
    """The words of the prompt give the reason in both languages, as the list quotes them."""
    (words,) = core_words()[language][prompt].values()

    assert REASONS["words"][prompt][language] in words


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("prompt", REASONS["record"])
def test_a_reason_of_the_record_is_shown_with_the_question(prompt: str, language: str) -> None:
    """Screen and plain mode show the innermost effect of the record as the reason."""
    said = text_of(prompt, 0) if prompt.startswith("ask/") else Text("choice/search")
    choices = tuple(choice_of("choice/who", "-: investigator", at) for at in (0, 1))
    console = Console(playing(), language=language)
    catalog = core_words()[language]
    words = tuple((subject, tuple(own.items())) for subject, own in catalog.items())
    console.model.words.add(language, words)
    question = Question(said, choices)
    within = (Text("choice/evade", ("Walter",)), CAUSE)
    asked = Asked(0, "TURN-2", Text("about/turn"), Settle.EACH, (), {0: hidden(question)}, within)

    plain = " ".join(console.go_on(asked))

    reason = console.model.speaker.text(CAUSE)
    label = printable(console.model.locale.say("question.reason", "", reason)).strip()
    assert label in plain
    assert label in " ".join(_drawn(console.model, question))


def _drawn(model: ClientModel, question: Question) -> list[str]:
    assert model.view is not None
    canvas = Canvas(20, 60)
    scene = Scene(model.view.table, 0, model.speaker, Charset.BOXES)
    draw_question(canvas.pane(), scene, Answering(0, question), Inset())
    return [line.strip() for line in canvas.plain().split("\n")]


# Where effects begin ----------------------------------------------------------------------------

STARTS = {
    *("resolve", "make_test", "in_order", "each_in_order", "each_monster_in_order"),
}
"""Functions of the rules that ask about an effect, whoever has it."""
INNER = {
    "effects.py: Run.resolve": "resolves inside an effect",
    "effects.py: resolve": "the resolver itself",
    "flipping.py: flip": "a step of an effect",
    "flipping.py: flip_condition": "a step of an effect",
    "harm.py: negate": "a step of an effect",
    "placing.py: movers_in_order": "a step of an effect",
    "placing.py: monsters_in_order": "a step of an effect",
    "placing.py: people_in_order": "a step of an effect",
    "placing.py: walkers_in_order": "a step of an effect",
    "simultaneous.py: each_in_order": "its callers know the reason",
    "simultaneous.py: each_monster_in_order": "its callers know the reason",
}
"""Callers of such functions that need not name a reason, each with the explanation."""


def _unexplained() -> Iterator[str]:
    for file in sorted(RULES.glob("*.py")):
        yield from _calls(file.name, ast.parse(file.read_text("utf-8")), "", is_explained=False)


def _calls(file: str, node: ast.AST, where: str, *, is_explained: bool) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        inside, explained = where, is_explained
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inside = f"{where}.{child.name}" if where else child.name
        if isinstance(child, ast.With):
            explained = explained or any(
                isinstance(item.context_expr, ast.Call) and _name(item.context_expr) in _CAUSES
                for item in child.items
            )
        if isinstance(child, ast.Call) and _name(child) in STARTS and not explained:
            yield f"{file}: {inside}"
        yield from _calls(file, child, inside, is_explained=explained)


_CAUSES = {"within", "because"}


def _name(call: ast.Call) -> str:
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def test_every_effect_begins_with_its_reason() -> None:
    """Code that starts an effect or a test, or asks for an order, names its reason first.

    `INNER` lists the exceptions.
    """
    assert sorted(set(_unexplained())) == sorted(INNER)


# What the record says ---------------------------------------------------------------------------


def causes(bench: Bench, procedure: Any, *answers: Any) -> list[tuple[str, ...]]:
    """Return the reasons of each question that a procedure asks, as subjects."""
    with pytest.raises(Unanswered):
        bench.run(procedure, *answers)
    return [tuple(text.subject for text in chain) for chain in bench.chains]


ASKING = steps.GainClues(Amount(1), who=Who.CHOSEN)
TWO = {ADA: "house/a", BEN: "house/a"}


def test_an_event_of_the_mythos_phase_is_the_reason() -> None:
    """The question says that an event is its reason, but not which: that name is a secret."""
    parts = {"mythos": (MythosEvent("event/one", (ASKING,)),)}
    bench = world(at=TWO, turn_of=None, scenario_parts=parts)
    bench.emit(PhaseBegan(Phase.MYTHOS, 1))

    assert causes(bench, mythos.draw_event(bench.game)) == [("within/event",)]


@pytest.mark.parametrize(("text", "said"), [("text/omen", "text/omen"), (None, "within/story")])
def test_a_trigger_is_the_reason_by_its_public_text_alone(text: str | None, said: str) -> None:
    """A trigger without a public text is named as something that happened in the story."""
    trigger = Trigger("first", Moment.MYTHOS_BEGAN, (ASKING,), text=text)
    bench = world(at=TWO, scenario_parts={"triggers": (trigger,)})

    assert causes(bench, triggers.run(bench.game, Moment.MYTHOS_BEGAN)) == [(said,)]
