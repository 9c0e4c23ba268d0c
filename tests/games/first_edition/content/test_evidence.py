"""Evidence: authors learn after which clue the objectives can be told apart."""

import pytest

from content.games.first_edition.check import check
from content.plugs import packs
from content.reading.remarks import Level
from tests.games.first_edition import outing_pack
from tests.games.first_edition.content.packs import FILES, HOUSE, edited, worded

GOAL = b"guide/goal: x\nending/goal/keeper: x\nending/goal/investigator: x\n"
"""Words of an objective that a test adds."""


def notes(*changes: tuple[str, str]) -> list[str]:
    """Return the notes on the tiny pack after some changes of its story."""
    remarks = check("tiny", edited(HOUSE, *changes) if changes else worded(FILES))
    assert {remark.level for remark in remarks} == {Level.NOTE.value}
    return [str(remark).partition(" ")[2] for remark in remarks]


TELLS = (
    "    number: 2\n",
    (
        "    number: 2\n    effect:\n      - when:\n"
        "          holds: {not: {answer: {question: goal, option: swarm}}}\n"
        "          then: [{threat: 1}]\n"
    ),
)


def test_the_clue_that_tells_objectives_apart_is_noted() -> None:
    """The answer to the first question decides on the text of the last clue."""
    assert notes() == ["clue/diary: with this clue the objectives are told apart"]


def test_an_earlier_clue_that_tells_is_noted_instead() -> None:
    """Threat that is given for one answer only tells as much as a text."""
    assert notes(TELLS) == ["clue/letter: with this clue the objectives are told apart"]


def test_the_room_of_a_clue_tells() -> None:
    """The last clue lies in another room for each objective, and says the same."""
    same = ("otherwise: [{say: house/squeak}]", "otherwise: [{say: house/water}]")
    files = edited(HOUSE, same)
    rows = {b"{place: shelf}": b"{goal: flood}", b"{place: well}": b"{goal: swarm}"}
    for old, new in rows.items():
        files[HOUSE] = files[HOUSE].replace(old, new)

    found = [str(remark).partition(" ")[2] for remark in check("tiny", files)]

    assert "clue/diary: with this clue the objectives are told apart" in found


def test_clues_that_tell_nothing_are_noted() -> None:
    same = ("otherwise: [{say: house/squeak}]", "otherwise: [{say: house/water}]")

    assert notes(same) == [
        "clue/diary: the clues tell no objective from another; the last one reveals it"
    ]


@pytest.mark.issue(40)
def test_clues_that_leave_some_objectives_are_noted() -> None:
    third = (
        "[{id: flood}, {id: swarm}]",
        "[{id: flood}, {id: swarm}, {id: goal}]",
    )
    objective = (
        "placement:\n",
        (
            "  - id: objective/goal\n    option: goal\n    investigators_win: {revealed: true}\n"
            "    keeper_wins: {deaths: 1}\n    on_last_event: keeper\nplacement:\n"
        ),
    )
    files = edited(HOUSE, third, objective)
    for language in ("en", "fr"):
        files[f"words/{language}/more.yaml"] = GOAL

    told = [str(one).partition(" ")[2] for one in check("tiny", files)]

    assert told == [
        "clue/diary: with this clue at most 2 of 3 objectives are left",
        "clue/diary: the clues tell not all objectives apart; the last one reveals it",
    ]


@pytest.mark.rule("W-STORY-5")
def test_an_objective_that_the_investigators_choose_needs_no_clue() -> None:
    remarks = check("outing", packs.completed(outing_pack.files()))

    told = {one.file for one in remarks if one.level == Level.NOTE.value}
    assert told == {"scenarios/by-the-lake.yaml"}
