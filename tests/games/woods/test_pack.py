"""The pack of the woods: content, words, and games of bots, by the tools of authors."""

from pathlib import Path

import pytest

from client.locale import LANGUAGES, load
from client.plugs.brains import brain_of, pick_random
from client.plugs.face import face_of
from client.plugs.lessons import Glance
from client.teaching.coach import Coach, words_of
from content.plugs import packs
from content.plugs.kind import kind_of
from content.reading.files import read_files
from protocol.common.templates import placeholders
from server.authoring import cli
from tests.games.every import start
from tests.games.woods.client.tellers import TELLERS
from tests.games.woods.protocol import events
from tests.games.woods.protocol.table import ANIMAL, KEEPER, RULESET

PACKS = Path(__file__).parent / "content" / "packs"

pytestmark = pytest.mark.issue(39)


@pytest.mark.parametrize("pack", ["woods", "tutorial"])
def test_its_packs_have_no_mistake(pack: str) -> None:
    assert packs.remarks(pack, read_files(PACKS / pack)) == ()


def test_a_mistake_is_told_with_its_place() -> None:
    files = dict(read_files(PACKS / "woods"))
    files["scenarios/night.yaml"] = b"rounds: 99\n"
    files["scenarios/noon.yaml"] = b"rounds: 2\n"

    remarks = packs.remarks("woods", files)

    assert [(one.file, one.line) for one in remarks] == [
        ("scenarios/night.yaml", 1),
        ("scenarios/noon.yaml", 1),
    ]


def test_a_pack_to_begin_with_has_names_for_its_scenarios(tmp_path: Path) -> None:
    folder = tmp_path / "glen"

    assert cli.main(["new", str(folder), "--game", RULESET]) == 0

    pack = packs.load("glen", read_files(folder))
    assert [one.id for one in kind_of(RULESET).scenarios(pack)] == ["glen/night", "glen/paths"]


def test_every_event_has_a_teller_and_every_lesson_words() -> None:
    kinds = {
        kind for kind in vars(events).values() if getattr(kind, "tag", "").startswith("woods/")
    }
    assert set(TELLERS) == kinds
    lessons = [lesson for role in (KEEPER, ANIMAL) for lesson in face_of(RULESET).lessons_for(role)]
    for language in LANGUAGES:
        locale = load(language).for_game(RULESET)
        told = [
            words_of(lesson, locale, is_plain=plain)
            for lesson in lessons
            for plain in (False, True)
        ]
        assert [words for words in told if "<" in words] == []


def test_the_languages_say_the_same() -> None:
    first, second = (load(language, game=RULESET).templates for language in LANGUAGES)

    assert first.keys() == second.keys()
    assert {key for key in first if placeholders(first[key]) != placeholders(second[key])} == set()


def test_both_sides_read_the_story() -> None:
    """Only the keeper reads where the snare lies before somebody walks into it."""
    evening = start(RULESET)
    evening.play()
    told = "\n".join(evening.printed)

    assert "The keeper lays the snare, unseen." in told
    assert "The snare lies here" not in told
    assert "Round 1 is over." in told
    assert "have won" in told or "has won" in told


def test_each_role_has_its_lessons_and_its_brain() -> None:
    evening = start(RULESET)
    keeper = evening.clients[2].model.view
    assert keeper is not None
    lesson = Coach().lesson_for(Glance(keeper))
    assert lesson is not None
    assert lesson.name == "keeper_lay"
    evening.people[2].act()
    evening.house.settle(0.1)
    lesson = Coach().lesson_for(Glance(evening.ann.model.view))
    assert lesson is not None
    assert lesson.name == "animal_walk"
    brains = {brain_of(RULESET, role) for role in (KEEPER, ANIMAL)}
    assert len(brains) == 2
    assert pick_random not in brains
