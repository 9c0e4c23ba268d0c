"""The starter: two small stories on the bundled pack, from which authors begin."""

import functools
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from content.games.first_edition.check import check
from content.games.first_edition.loader import BASE, load_source
from content.games.first_edition.plug import KIND
from content.games.first_edition.schema.pack import Content
from content.reading import files as reading
from content.reading.remarks import Level, Remark
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.words import RULESET, FeatureKind
from server.authoring.cli import main
from server.games.first_edition.rules import death, deeds, newcomers, tales, turn
from tests.games.first_edition.rules.test_stories_played import AGNES, NORA
from tests.games.first_edition.rules.test_stories_played import begun as begun_story


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


@functools.cache
def noticed() -> tuple[Remark, ...]:
    return check("bells", begun())


def test_starter_has_a_house_and_a_lake_and_nothing_to_mend() -> None:
    stories = load_source("bells", begun()).pack.scenarios
    assert set(stories) == {"bells/first-night", "bells/the-mere"}
    assert stories["bells/the-mere"].allies
    assert stories["bells/the-mere"].submerged
    own = [r for r in noticed() if not r.file.startswith(f"{reading.BASE}/")]
    assert [str(one) for one in own if one.level != Level.NOTE.value] == []


def test_its_first_clue_tells_the_objectives_apart() -> None:
    notes = [r for r in noticed() if r.level == Level.NOTE.value]

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


@pytest.mark.long
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


FERRYMAN = "ally/ferryman"


@pytest.mark.issue(41)
@pytest.mark.parametrize("at", ["shore/b", "shore/c"])
def test_the_oars_and_the_boat_of_the_mere_can_be_had_again_from_the_shore(at: str) -> None:
    """Nora dies in the boat on the mere, or on the island beside it, with the oars."""
    pack = load_source("bells", begun()).pack
    bench = begun_story(Content(pack, pack.scenarios["bells/the-mere"]), 0, {"purpose": "toll"})
    game, table = bench.game, bench.game_table
    (boat,) = [one for one in table.features.values() if one.kind is FeatureKind.BOAT]
    bench.emit(fe.FeatureMoved(boat.feature_id, at))
    bench.emit(fe.Moved(NORA, at))
    newcomers.gain_item(game, NORA, "item/oars")
    tales.lay_out(game)
    bench.emit(fe.Moved(FERRYMAN, at))
    bench.run(death.kill(game, NORA))
    assert [one.card for one in bench.game_table.lying[table.map.rooms[at]]][-1] == "item/oars"

    (deed,) = [one for one in game.content.story.deeds if one.id == "deed/reach-out"]
    bench.give_rolls(1)
    bench.set(AGNES, skill_points=0, space="shore/a")
    turn.begin(game, AGNES)
    bench.run(deeds.perform(game, AGNES, deed), ("item/oars",))

    assert "item/oars" in {one.card for one in bench.who(AGNES).items}
    assert bench.game_table.features_at("shore/a", FeatureKind.BOAT)
    assert bench.game_table.allies[FERRYMAN].space == ("shore/a" if at == "shore/b" else at)
