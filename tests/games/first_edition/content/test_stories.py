"""The large stories of the bundled pack: what each of them has to have."""

import re
from collections.abc import Mapping

import pytest

from content.games.first_edition.answers import sets_of
from content.games.first_edition.evidence import evidence
from content.games.first_edition.loader import BASE
from content.games.first_edition.schema.cards import Opening
from content.games.first_edition.schema.pack import Pack
from content.games.first_edition.schema.requirements import Answered
from content.games.first_edition.schema.story import Story
from content.language.walk import parts_in
from content.reading.files import read_files, shipped
from content.reading.words import LANGUAGES, catalogs_of
from protocol.common.text import Catalog
from protocol.games.first_edition.words import RULESET
from tests.games.first_edition.house import manor

pytestmark = pytest.mark.issue(40)

STORIES = ("manor/twelfth-night", "manor/lot-forty", "manor/understudy")
"""The stories that are played in an evening; `manor/six-rooms` is for learning the game."""

WORD = re.compile(r"\w+(?:[’-]\w+)*")


@pytest.fixture(scope="module", name="pack")
def load_pack() -> Pack:
    return manor()


@pytest.fixture(name="story", params=STORIES)
def story_of(request: pytest.FixtureRequest, pack: Pack) -> Story:
    return pack.scenarios[request.param]


def words_of(story: Story, language: str) -> Catalog:
    """Return the words that a story brings with it, which stand in files of its name."""
    name = story.id.partition("/")[2]
    files = read_files(shipped(RULESET) / BASE)
    own = {f"words/{one}/{name}.yaml": files[f"words/{one}/{name}.yaml"] for one in LANGUAGES}
    return catalogs_of(own)[language]


def count(fields: Mapping[str, str]) -> int:
    return sum(len(WORD.findall(text)) for text in fields.values())


def test_it_has_three_objectives_three_questions_and_many_answers(story: Story) -> None:
    assert len(story.objectives) == 3
    assert len(story.questions) == 3
    assert len(list(sets_of(story))) >= 12


def test_it_takes_an_evening(story: Story) -> None:
    assert len(story.events) == 5
    assert 12 <= sum(event.time for event in story.events) <= 15
    assert 90 <= story.minutes <= 120


def test_it_has_cards_of_its_own(story: Story) -> None:
    own = words_of(story, "en")
    assert sum(card in own for card in story.mythos) >= 8
    assert sum(card in own for card in story.actions) >= 4
    assert any(item in own for row in story.placement for item in row.cards)


def test_each_clue_does_or_tells_something(story: Story) -> None:
    assert 5 <= len(story.clues) <= 6
    assert all(clue.effect for clue in story.clues)


def test_the_objective_is_told_late(story: Story) -> None:
    """No clue before the last two tells all objectives apart."""
    numbers = {clue.id: clue.number for clue in story.clues}
    told = [one.subject for one in evidence(story) if one.reason.endswith("told apart")]
    assert all(numbers[clue] <= 2 for clue in told)


def test_the_objective_changes_where_the_last_clue_lies(story: Story) -> None:
    """Two sets of answers that differ in the objective alone lead to different rooms."""
    last = next(clue.id for clue in story.clues if clue.number == 1)
    goals = {goal.option for goal in story.objectives}
    rooms = dict[frozenset[tuple[str, str]], set[str]]()
    for answers in sets_of(story):
        others = frozenset(one for one in answers.items() if one[1] not in goals)
        room = next(r.id for r in story.rooms if last in story.cards_under(r.id, answers))
        rooms.setdefault(others, set()).add(room)
    assert all(len(found) > 1 for found in rooms.values())


def test_events_differ_by_objective(story: Story) -> None:
    goals = {goal.option for goal in story.objectives}
    asked = [
        any(isinstance(part, Answered) and part.option in goals for part in parts_in(event))
        for event in story.events
    ]
    assert sum(asked) >= 2


def test_about_half_of_its_obstacles_are_puzzles(story: Story, pack: Pack) -> None:
    placed = {card for row in story.placement for card in row.cards}
    openings = [one.opening for one in pack.obstacles.values() if one.id in placed]
    assert openings
    assert 2 * puzzles_in(openings) >= len(openings) - 2


def puzzles_in(openings: list[Opening]) -> int:
    return sum(one.puzzle is not None for one in openings)


def test_it_has_features_of_several_kinds(story: Story) -> None:
    assert len({one.kind for one in story.features} | {one.kind.value for one in story.links}) >= 5


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_has_words_for_an_evening(story: Story, language: str) -> None:
    words = words_of(story, language)
    assert sum(count(fields) for fields in words.values()) >= 8000
    for goal in story.objectives:
        guide = words[f"guide/{goal.id.partition('/')[2]}"]
        assert 600 <= count(guide) <= 1000, goal.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_room_has_a_text(story: Story, language: str) -> None:
    words = words_of(story, language)
    short = [room.id for room in story.rooms if count({"": words[room.id].get("text", "")}) < 25]
    assert short == []


@pytest.mark.rule("K-MYTHOS-4")
def test_several_mythos_cards_are_laid_face_down(pack: Pack) -> None:
    assert sum(card.face_down is not None for card in pack.mythos.values()) >= 6
