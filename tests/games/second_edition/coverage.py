"""Coverage: which features came up in games, out of all that exist.

The expected features are read from their declarations: the registry of events, the subjects in the
rules, the steps and requirements of the schema, and its enumerations. `EXCEPTIONS` lists what
random games cannot reach, each with a reason.
"""

import contextlib
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any
from unittest import mock

from content.games.second_edition import schema
from content.games.second_edition.schema import box, effects, kinds, pack
from content.reading import formulas
from protocol.common import events
from protocol.common.text import Text
from protocol.describe import events_of
from protocol.event import Event
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import FeatureKind, Harm, Skill, TokenKind
from server.games.second_edition.rules import effects as resolving
from server.games.second_edition.rules import requirements as answering
from tests.games.second_edition.content.test_rule_words import rules_named, subjects
from tests.games.second_edition.simulate import core
from tests.kit import vocabulary

Tally = Counter[str]
"""
Number of occurrences of each thing: `event …`, `subject …`, `rule …`, `step …`, `who …` and so on.
"""

SHOWN = ("about/", "ask/", "choice/", "refusal/", "result/", "told/")
"""First parts of the subjects that people read as questions, choices, reasons and results."""

_AT_THE_END = "what an Insane back says of the result is filled in before it is asked"

EXCEPTIONS: Mapping[str, str] = {
    "requirement IsWon True": _AT_THE_END,
    "requirement IsWon False": _AT_THE_END,
    "event campaign_continued/2": "The host's, in the lobby; no rule has a part in it.",
}
"""Things that no game reaches, each with the reason."""


# What could come up --------------------------------------------------------------------------


def expected() -> set[str]:
    """Return every feature that can come up."""
    found = {*_events(), *_subjects(), *_rules(), *_steps(), *_requirements()}
    return found - EXCEPTIONS.keys()


def _events() -> Iterator[str]:
    # Not the kinds of the registry: other tests of the same run have some of their own there.
    yield from (
        f"event {kind.tag}" for module in (events, se) for kind in events_of(module.__name__)
    )


def _subjects() -> Iterator[str]:
    worded = core().catalogs["en"]
    for subject, _ in subjects():
        if subject.startswith(SHOWN):
            is_start = subject.endswith(("/", "_"))
            full = (w for w in worded if w.startswith(subject)) if is_start else (subject,)
            yield from (f"subject {one}" for one in full)


def _rules() -> Iterator[str]:
    """Yield the rules that ask or refuse."""
    yield from (f"rule {rule}" for rule, _ in rules_named())


def _steps() -> Iterator[str]:
    yield from (f"step {kind.__name__}" for kind in resolving.STEPS.known)
    yield from (f"who {who.value}" for who in effects.Who)


def _requirements() -> Iterator[str]:
    for kind in answering.answered():
        yield from (f"requirement {kind.__name__} {answer}" for answer in (True, False))


# What a pack could have ----------------------------------------------------------------------

LEFT_AS_THEY_ARE = frozenset(
    [
        # Read by the lobby alone; here every scenario is played by any number of people.
        *("scenario.Scenario.minimum_players", "scenario.Scenario.maximum_players"),
        # The one value that such a step can have.
        *("board.ClearBoard.value", "encounter.DiscardThis.value", "encounter.FlipThis.value"),
        *("encounter.DropRandomItem.value", "encounter.Forfeit.value"),
        *("encounter.TurnThisFacedown.value", "course.Return.value"),
        "course.StopCountdown.value",
    ]
)
"""Fields that the house pack need not set."""

SCHEMA = (formulas, *vocabulary.modules_of(schema))


def fields_of_schema() -> set[str]:
    """Return the fields of every class that packs can contain."""
    classes = set(vocabulary.classes_of(SCHEMA)) - {pack.Content}
    return vocabulary.fields_of(classes)


def unused(made: pack.Pack) -> list[str]:
    """Return the fields a pack leaves at their defaults, and the enum members it never uses."""
    return vocabulary.unused(
        made,
        SCHEMA,
        words=(FeatureKind, TokenKind, Harm, Skill),
        but=(pack.Content, box.Supply, kinds.Kind, kinds.Slots),
        left=LEFT_AS_THEY_ARE,
    )


# What came up --------------------------------------------------------------------------------


def note(tally: Tally, happened: Event) -> None:
    """Count an event, and what it asks or tells."""
    tally[f"event {happened.tag}"] += 1
    if isinstance(happened, events.Asked):
        tally[f"rule {happened.rule}"] += 1
        tally[f"subject {happened.about.subject}"] += 1
        for question in happened.questions.values():
            _note_question(tally, question.value)
    elif isinstance(happened, se.Told):
        _note_text(tally, happened.text)
    elif isinstance(happened, se.ToldPrivately):
        _note_text(tally, happened.text.value)
    elif isinstance(happened, se.GameEnded):
        for result in happened.ending.results:
            _note_text(tally, result.reason)


def _note_question(tally: Tally, question: Any) -> None:
    _note_text(tally, question.prompt)
    for choice in question.choices:
        _note_text(tally, choice.text)
    for refused in question.refused:
        _note_text(tally, refused.text)
        _note_text(tally, refused.reason)
        tally[f"rule {refused.rule}"] += 1


def _note_text(tally: Tally, text: Text) -> None:
    tally[f"subject {text.subject}"] += 1


@contextlib.contextmanager
def noting_effects(tally: Tally) -> Iterator[None]:
    """Count each step resolved and each requirement answered inside the context."""
    known: dict[type, Any] = resolving.STEPS.known
    answers: dict[type, Any] = answering._ANSWERS
    with (
        mock.patch.dict(
            known, {kind: _noted_step(tally, kind.__name__, one) for kind, one in known.items()}
        ),
        mock.patch.dict(
            answers,
            {kind: _noted_answer(tally, kind.__name__, one) for kind, one in answers.items()},
        ),
    ):
        yield


def _noted_step(tally: Tally, key: str, known: Any) -> Any:
    async def resolver(context: Any, step: Any) -> Any:
        tally[f"step {key}"] += 1
        if isinstance(who := getattr(step, "who", None), effects.Who):
            tally[f"who {who.value}"] += 1
        return await known.function(context, step)

    return type(known)(resolver, known.by_actor)


def _noted_answer(tally: Tally, key: str, answer: Any) -> Any:
    def noted(requirement: Any, view: Any) -> Any:
        given = answer(requirement, view)
        tally[f"requirement {key} {given}"] += 1
        return given

    return noted
