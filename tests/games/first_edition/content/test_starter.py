"""The starter: two small stories on the bundled pack, from which authors begin."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from content.games.first_edition.check import check
from content.games.first_edition.loader import BASE, load_source
from content.games.first_edition.plug import KIND
from content.reading import files as reading
from content.reading.remarks import Level
from protocol.games.first_edition.words import RULESET
from server.authoring.cli import main


def begun() -> Mapping[str, bytes]:
    """Return the files of a pack that was begun from the starter, with those it builds on."""
    own = {
        name: data.replace(b"NAME/", b"bells/")
        for name, data in KIND.starter().items()
        if not name.startswith(f"{reading.TESTS}/")
    }
    lent = reading.read_files(reading.shipped(RULESET) / BASE)
    base = {n: data for n, data in lent.items() if not n.startswith("scenarios/")}
    return {**own, **{f"{reading.BASE}/{name}": data for name, data in base.items()}}


def test_starter_has_a_house_and_a_lake_and_nothing_to_mend() -> None:
    files = begun()

    stories = load_source("bells", files).pack.scenarios
    assert set(stories) == {"bells/first-night", "bells/the-mere"}
    assert stories["bells/the-mere"].allies
    assert stories["bells/the-mere"].submerged
    own = [r for r in check("bells", files) if not r.file.startswith(f"{reading.BASE}/")]
    assert [str(one) for one in own if one.level != Level.NOTE.value] == []


def test_its_first_clue_tells_the_objectives_apart() -> None:
    notes = [r for r in check("bells", begun()) if r.level == Level.NOTE.value]

    assert ("clue/rope-end", "with this clue the objectives are told apart") in [
        (note.key, note.reason) for note in notes if note.file == "scenarios/first-night.yaml"
    ]


@pytest.mark.parametrize("story", ["first-night", "the-mere"])
def test_its_french_has_its_spaces(story: str) -> None:
    french = KIND.starter()[f"words/fr/{story}.yaml"].decode()

    assert not re.search(r"\w [;!?]|\w :\s\w", french)


def test_card_of_the_bundled_pack_that_does_not_fit_is_told_where_it_is_used() -> None:
    """The author cannot change the card, which names rooms of another story."""
    files = dict(begun())
    story = "scenarios/first-night.yaml"
    files[story] = files[story].replace(b"action/old-hurts", b"action/they-come")

    told = [str(one) for one in check("bells", files)]

    assert any(
        one.startswith(f"{story}:")
        and "action/they-come does not fit this scenario: there is no space or room" in one
        for one in told
    )
    assert not [one for one in told if one.startswith(f"{reading.BASE}/")]


def test_its_plays_end_as_they_say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each side wins one of them."""
    folder = tmp_path / "bells"

    assert main(["new", str(folder), "--game", RULESET, "--on", BASE]) == 0
    written = {path.relative_to(folder).as_posix() for path in folder.rglob("*.yaml")}
    assert written == set(KIND.starter()), "with and without --on"
    assert main(["test", str(folder)]) == 0
    told = capsys.readouterr().out
    assert "the-bell-is-muffled: passed" in told
    assert "the-ferryman-is-rowed-across: passed" in told
