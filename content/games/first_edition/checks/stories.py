"""Checks of stories and what they declare, beyond their types."""

import attrs

from content.games.first_edition.checks.registry import CHECKS, checks
from content.games.first_edition.schema import story
from content.games.first_edition.schema.kinds import Kind
from content.language.drawings import DrawingChecks
from content.reading.mistakes import ContentError, Place
from content.reading.sheet import Complaint, Sheet
from content.reading.yaml_subset import Fields, Listing

CHECKS[story.LaidTile] = DrawingChecks(
    Kind.SPACE, Kind.DOOR, (Kind.SPACE, Kind.DOOR, Kind.PLACE), has_corners=True
).check_own


@checks(story.Story)
def _words(made: story.Story, fault: Complaint) -> None:
    """Note the words of what has a plain id: they stand under `<story>/<id>`."""
    sheet = fault.sheet
    wanted = [
        *((Kind.QUESTION, question.id, Kind.TEXT) for question in made.questions),
        *((Kind.OPTION, o.id, Kind.TEXT) for q in made.questions for o in q.options),
        *((Kind.COUNTER, counter.id, Kind.NAME) for counter in made.counters),
    ]
    for kind, id_, field in wanted:
        sheet.refer(field, made.subject_of(id_), _place_of(sheet, kind, id_))
    for objective in made.objectives:
        guide = f"guide/{objective.id.partition('/')[2]}"
        sheet.refer(Kind.TEXT, guide, _place_of(sheet, Kind.OBJECTIVE, objective.id))


def _place_of(sheet: Sheet, kind: Kind, id_: str) -> Place:
    return sheet.declared[sheet.scope, kind][id_]


@checks(story.Story)
def _answers(made: story.Story, fault: Complaint) -> None:
    """Report answers that belong to another question, and options that nobody can choose."""
    options = {q.id: {option.id for option in q.options} for q in made.questions}
    conditions = {
        "placement": [row.when for row in made.placement],
        "locks": [row.when for row in made.locks],
    }
    for field, rows in conditions.items():
        for index, when in enumerate(rows):
            for question, option in when.items():
                # What does not exist at all is told elsewhere.
                if option not in options.get(question, {option}):
                    known = ", ".join(sorted(options[question]))
                    reason = f"{option!r} is no option of {question!r}; known: {known}"
                    _fault_in_row(fault, field, index, "when", reason)


def _fault_in_row(fault: Complaint, field: str, index: int, key: str, reason: str) -> None:
    """Note a mistake in a key of a row of a list of the story."""
    assert isinstance(fault.node, Fields)
    rows = fault.node.values[field]
    assert isinstance(rows, Listing)
    place = fault.sheet.place(rows.items[index], key)
    whole = attrs.evolve(place, key=f"{field}[{index}].{place.key}")
    fault.sheet.errors.append(ContentError.at(whole, reason))
