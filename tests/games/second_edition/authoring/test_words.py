"""`manse content words`, and packs that are drawn and played before their words are written."""

import json
from pathlib import Path

import pytest
import yaml

from content.games.second_edition.lint import lint
from content.reading.files import read_files
from content.reading.gaps import Gap, with_stubs
from content.reading.words import LANGUAGES
from server.authoring.cli import main
from tests.games.second_edition.authoring.test_cli import written
from tests.games.second_edition.content.packs import FILES, load

pytestmark = [pytest.mark.issue(16), pytest.mark.usefixtures("warm_judge")]
WORDS = "words/{}/words.yaml"


def without(**subjects: str) -> dict[str, bytes]:
    """Return the tiny pack without the words of one subject in each of these languages."""
    files = dict(FILES)
    for language, subject in subjects.items():
        name = WORDS.format(language)
        kept = [line for line in files[name].splitlines() if not line.startswith(subject.encode())]
        files[name] = b"\n".join(kept)
    return files


def test_stubs_are_written_below_what_is_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each missing word gets a stub at the end of the words file of its language."""
    files = without(en="cellar/open:", fr="room/hall:")
    folder = written(tmp_path, files)

    assert main(["words", folder]) == 0
    told = capsys.readouterr()

    assert told.out.splitlines() == [f"{folder}/{WORDS.format(one)}" for one in LANGUAGES]
    assert told.err == "2 stubs written; 0 left to you.\n"
    after = read_files(Path(folder))
    for language, line in (
        ("en", 'cellar/open: "<cellar/open>"'),
        ("fr", 'room/hall: {name: "<room/hall>"}'),
    ):
        name = WORDS.format(language)
        assert after[name] == files[name] + f"\n{line}\n".encode()
    found = [finding.reason for finding in lint(load(after))]
    assert found == ["a stub in 'en'; write its words", "a stub in 'fr'; write its words"]


def test_a_whole_language_can_be_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {name: data for name, data in FILES.items() if not name.startswith("words/fr/")}
    folder = written(tmp_path, files)

    assert main(["map", f"{folder}/cellar"]) == 0
    assert main(["words", folder]) == 0

    assert capsys.readouterr().err.endswith("; 0 left to you.\n")
    load(read_files(Path(folder)))


def test_nothing_is_written_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = written(tmp_path, without(en="cellar/open:"))

    assert main(["words", folder]) == 0
    before = read_files(Path(folder))
    assert main(["words", folder]) == 0

    assert capsys.readouterr().err.endswith("No words are missing.\n")
    assert read_files(Path(folder)) == before


def test_what_is_missing_is_listed_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = without(fr="cellar/open:")
    folder = written(tmp_path, files)

    assert main(["words", folder, "--check"]) == 1
    assert capsys.readouterr().out == "fr: cellar/open: text\n"
    assert main(["words", folder, "--check", "--json"]) == 1
    (gap,) = json.loads(capsys.readouterr().out)["missing"]
    assert (gap["language"], gap["subject"], gap["fields"]) == ("fr", "cellar/open", ["text"])
    assert read_files(Path(folder)) == files


def test_words_that_were_begun_are_left_to_their_author(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = WORDS.format("fr")
    files = {**FILES, name: FILES[name].replace(b"item/tonic: {name: Tonique, ", b"item/tonic: {")}
    assert files != FILES
    folder = written(tmp_path, files)

    assert main(["words", folder]) == 1

    assert capsys.readouterr().out.startswith(f"fr: item/tonic: name, add it in {name}:")
    assert read_files(Path(folder)) == files


def test_only_a_folder_is_written_into(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["words", "core"]) == 1
    assert "is no folder; words are written into the files of one" in capsys.readouterr().out


def test_a_stub_takes_what_the_other_language_takes() -> None:
    gap = Gap("fr", "cellar/so", ("name", "text"), ("0", "2"))

    changed = with_stubs({}, [gap])

    (read,) = map(yaml.safe_load, changed.values())
    assert list(changed) == ["words/fr/cellar.yaml"]
    assert read == {"cellar/so": {"name": "<cellar/so>", "text": "<cellar/so> {0} {2}"}}


def test_nothing_is_put_below_a_mapping_in_braces() -> None:
    files = {WORDS.format("en"): b"{cellar/one: x}\n"}

    changed = with_stubs(files, [Gap("en", "cellar/two", ("text",))])

    assert changed == {"words/en/stubs.yaml": b'cellar/two: "<cellar/two>"\n'}


@pytest.mark.parametrize("is_json", [False, True])
def test_a_pack_without_words_is_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], *, is_json: bool
) -> None:
    files = {name: data for name, data in FILES.items() if not name.startswith("words/")}
    folder = written(tmp_path, files)

    assert main(["map", folder, *(["--json"] if is_json else [])]) == 0

    told = capsys.readouterr()
    assert "<room/hall>" in told.out
    count = int(told.err.split()[0])
    assert told.err == f"{count} texts are missing; their subjects are shown.\n"
    assert count > 50
    assert not is_json or json.loads(told.out)["missing_words"] == count


def test_a_pack_without_words_is_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The rules need no words."""
    folder = written(tmp_path, without(en="cellar/won:"))

    assert main(["play", folder, "--games", "1", "--json"]) == 0

    assert json.loads(capsys.readouterr().out)["missing_words"] == 1


def test_other_mistakes_are_told_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = without(en="cellar/open:")
    scenario = "scenarios/cellar.yaml"
    folder = written(
        tmp_path,
        {**files, scenario: files[scenario].replace(b"difficulty: 1", b"difficulty: 9")},
    )

    assert main(["map", folder]) == 1

    reason = "9 is out of bounds; 1 to 5 is allowed"
    assert capsys.readouterr().out == f"{scenario}:3:13: difficulty: {reason}\n"


@pytest.mark.issue(38)
def test_a_stub_goes_to_the_words_of_the_scenario_that_names_it() -> None:
    """A stub goes to the words file of the scenario that names the subject.

    The file is made if missing. A subject named elsewhere goes to a file with words of its kind.
    """
    files = {
        "words/en/cellar.yaml": b"room/a: {name: A}\nroom/b: {name: B}\n",
        "words/en/items.yaml": b"item/a: {name: A}\n",
    }
    gaps = [
        Gap("en", "room/c", ("name",), named_in="scenarios/attic.yaml"),
        Gap("en", "item/b", ("name",), named_in="items.yaml"),
        Gap("en", "room/d", ("name",), named_in="persons.yaml"),
    ]

    assert with_stubs(files, gaps) == {
        "words/en/attic.yaml": b'room/c: {name: "<room/c>"}\n',
        "words/en/items.yaml": files["words/en/items.yaml"] + b'item/b: {name: "<item/b>"}\n',
        "words/en/cellar.yaml": files["words/en/cellar.yaml"] + b'room/d: {name: "<room/d>"}\n',
    }
