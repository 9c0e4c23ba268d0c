"""What authors begin with: the starter, the reference, the schemas of editors, the page."""

import functools
from pathlib import Path

import pytest
import yaml

from content.games.cards import json_schema, reference, sentences
from content.games.cards.plug import KIND
from content.games.cards.schema.pack import Pack
from content.games.cards.schema.steps import Step
from content.plugs import packs
from content.reading.parts import parts_of
from server.authoring import playing, simulation
from server.authoring.bot_brains import BotBrains

pytestmark = pytest.mark.issue(42)

NAME = b"bells"
PAGE = reference.PAGE.parent / "README.md"


def starter() -> dict[str, bytes]:
    """Return the files of a pack that an author has just begun."""
    return {way: data.replace(b"NAME/", NAME + b"/") for way, data in KIND.starter().items()}


@functools.cache
def bells() -> Pack:
    """Return that pack, with what it builds on."""
    pack = packs.load("bells", packs.completed(starter()))
    assert isinstance(pack, Pack)
    return pack


def test_the_starter_has_nothing_to_mend() -> None:
    files = packs.completed(starter())

    assert [str(one) for one in packs.remarks("bells", files)] == []


def test_the_starter_is_played_by_bots() -> None:
    trial = playing.trial_of(bells(), "bells/first-night")

    played = simulation.play(trial, 1, 1, BotBrains("sensible"))

    assert not played.fault
    assert played.epilogue.startswith("resolution/first-night")


def test_only_what_a_scenario_lays_out_is_expected_to_come() -> None:
    """A pack that builds on another is not told of the other's scenarios."""
    ids = {mark.id for mark in KIND.marked(bells(), "bells/first-night").everything}

    assert {"card/verger", "card/yard-seen", "card/storm-lamp", "card/hunch"} <= ids
    assert {"card/quay", "card/quay-seen", "card/eels", "card/ebb-calm"} & ids == set()


def test_the_acts_of_the_pack_that_is_built_on_stay_there() -> None:
    """They name resolutions of its scenarios."""
    assert [*bells().acts] == ["card/act-crypt"]
    assert [*bells().agendas] == ["card/agenda-dusk", "card/agenda-bells"]


def test_yaml_of_the_page_is_that_of_the_starter() -> None:
    written = [text.decode() for way, text in starter().items() if way.endswith(".yaml")]
    blocks = PAGE.read_text("utf-8").split("```yaml\n")[1:]
    lines = {line.strip() for text in written for line in text.splitlines()}

    for block in (block.partition("```")[0] for block in blocks):
        assert yaml.safe_load(block)
        assert [line for line in block.splitlines() if line.strip() not in lines] == []


def test_links_of_the_page_lead_somewhere() -> None:
    for way in ("reference.md", "../authoring.md"):
        assert f"]({way})" in PAGE.read_text("utf-8")
        assert (Path(PAGE).parent / way).exists()


def test_the_reference_is_current() -> None:
    """To update it, run `python -m content.games.cards.reference`."""
    assert reference.main(["--check"]) == 0


def test_schemas_of_editors_are_current() -> None:
    """To update them, run `python -m content.games.cards.json_schema`."""
    assert json_schema.main(["--check"]) == 0
    assert KIND.schemas() == json_schema.files()


def test_every_key_and_word_has_a_sentence() -> None:
    """The sentence is a docstring in the schema, or is listed for keys of one meaning."""
    assert [*reference.REFERENCE.silent()] == []


def test_a_key_without_a_sentence_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(vars(sentences)["SENTENCES"], "is_direct")

    assert [*reference.REFERENCE.silent()] == ["Harm.is_direct"]


def test_the_reference_has_every_step() -> None:
    page = reference.REFERENCE.page()

    assert [key for key in parts_of(Step) if f"### `{key}`\n" not in page] == []


def test_no_sentence_is_there_for_nothing() -> None:
    page = reference.REFERENCE.page()

    assert [said for said in sentences.SENTENCES.values() if said not in page] == []
