"""Packs that build on the core pack: what they can name, and how later versions affect them."""

import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from content.games.second_edition.loader import load_source
from content.plugs import packs
from content.reading.entries import entries_in
from content.reading.files import BASE, PACK_FILE, digest_of, read_files
from content.reading.mistakes import ContentErrors
from content.reading.pack_file import read_pack_file
from content.reading.remarks import Level
from protocol.games.second_edition.table import RULESET
from server.authoring import starter
from server.authoring.cli import main
from server.packs import sources
from tests.games.second_edition.simulate import core

pytestmark = pytest.mark.usefixtures("warm_judge")


@pytest.fixture(scope="module")
def quay(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a new pack that builds on the core pack."""
    where = tmp_path_factory.mktemp("packs") / "quay"
    starter.begin(str(where), RULESET, "core")
    return where


@pytest.fixture(scope="module")
def own(quay: Path) -> Mapping[str, bytes]:
    return read_files(quay)


def with_file(own: Mapping[str, bytes], name: str, text: str) -> Mapping[str, bytes]:
    return packs.completed({**own, name: text.encode()})


def test_a_new_pack_on_core_is_good_and_its_plays_pass(
    quay: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(quay)]) == 0
    assert main(["test", str(quay)]) == 0
    assert capsys.readouterr().out.count(": passed\n") == 2


def test_a_pack_has_the_cards_of_core_and_none_of_its_scenarios(own: Mapping[str, bytes]) -> None:
    pack = load_source("quay", packs.completed(own)).pack

    assert pack.items == core().items
    assert pack.monsters == core().monsters
    assert list(pack.scenarios) == ["quay/first-night"]
    assert not pack.campaigns
    assert pack.catalogs["fr"]["monster/reed-hound"] == core().catalogs["fr"]["monster/reed-hound"]


def test_a_running_game_keeps_the_core_that_it_began_with(own: Mapping[str, bytes]) -> None:
    whole = packs.completed(own)

    assert packs.completed(whole) == whole
    assert load_source("quay", whole).pack.digest == digest_of(whole)
    assert digest_of(whole) != digest_of(with_file(own, f"{BASE}/items.yaml", "[]"))


def test_an_id_of_core_cannot_be_declared_again(own: Mapping[str, bytes]) -> None:
    """The error names the author's file and the place of the other declaration."""
    text = "- id: item/bandages\n  deck: common\n  traits: [remedy]\n"
    with pytest.raises(ContentErrors) as caught:
        packs.load("quay", with_file(own, "items.yaml", text))

    (error,) = caught.value.errors
    assert (error.file, error.line) == ("items.yaml", 1)
    assert "'item/bandages' a second time; the first stands in base/items.yaml:" in error.reason


def test_words_of_a_pack_replace_words_of_core(own: Mapping[str, bytes]) -> None:
    files = {
        **packs.completed(own),
        "words/en/own.yaml": b"person/mrs-dunmore: {name: Mrs D, text: Thin.}",
        "words/fr/own.yaml": b"person/mrs-dunmore: {name: Mme D, text: Maigre.}",
    }
    pack = load_source("quay", files).pack

    assert pack.catalogs["en"]["person/mrs-dunmore"] == {"name": "Mrs D", "text": "Thin."}
    assert pack.catalogs["en"]["token/mrs-dunmore"]["name"] == "Mrs D"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("builds_on: rust\nwritten_for: 1", "no bundled pack 'rust' to build on; known: core"),
        ("builds_on: core", "the version of 'core' is missing; write 'written_for: 1'"),
        ("builds_on: core\nwritten_for: 2", "needs version 2 of 'core', here is 1; update Manse"),
        ("builds_on: core\nwritten_for: soon", "expected a whole number"),
    ],
)
def test_a_pack_that_cannot_build_on_core_is_refused(
    quay: Path, tmp_path: Path, said: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, data in read_files(quay).items():
        (tmp_path / "quay" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "quay" / name).write_bytes(data)
    (tmp_path / "quay" / PACK_FILE).write_text(f"game: {RULESET}\n{said}\n")

    assert main(["check", str(tmp_path / "quay")]) == 1
    assert told in capsys.readouterr().out


def test_a_newer_core_is_a_finding_and_no_mistake(own: Mapping[str, bytes]) -> None:
    newer = f"game: {RULESET}\nversion: 3\n".encode()
    (remark,) = packs.remarks("quay", {**packs.completed(own), f"{BASE}/{PACK_FILE}": newer})

    assert remark.level == Level.FINDING.value
    assert "was written for version 1 of 'core', and here is 3" in remark.reason


def test_a_mistake_in_files_that_pretend_to_be_core_is_told(own: Mapping[str, bytes]) -> None:
    """An error in a file of core's folder prevents loading, so the pack's author is told of it."""
    remarks = packs.remarks("quay", with_file(own, f"{BASE}/items.yaml", "- id: 3"))

    assert {remark.level for remark in remarks} == {Level.MISTAKE.value}


def test_a_pack_without_the_files_that_it_builds_on_is_refused(own: Mapping[str, bytes]) -> None:
    with pytest.raises(ContentErrors, match="the files of the pack that this one builds on"):
        packs.load("quay", own)


def test_a_zip_on_core_is_completed_like_its_folder(quay: Path, tmp_path: Path) -> None:
    zipped = tmp_path / "quay.zip"
    with zipfile.ZipFile(zipped, "w") as into:
        for name, data in read_files(quay).items():
            into.writestr(f"quay/{name}", data)

    assert sources.find(str(zipped)) == sources.find(str(quay))


@pytest.mark.parametrize("on", ["rust", "core/../core"])
def test_a_starter_on_an_unknown_pack_is_refused(
    tmp_path: Path, on: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", str(tmp_path / "quay"), "--on", on]) == 1
    assert f"no starter that builds on '{on}'" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_the_list_has_ids_names_and_places(quay: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "core", "reed-hound"]) == 0
    line = capsys.readouterr().out
    assert line.endswith("core/monsters/reed-hound.yaml:4: monster/reed-hound  Reed-Hound\n")
    assert Path(line.partition(":")[0]).is_file()
    assert main(["list", str(quay), "barre de vanne", "--language", "fr"]) == 0
    line = capsys.readouterr().out
    assert "core/items.yaml:" in line
    assert Path(line.partition(":")[0]).is_file()
    assert main(["list", str(quay), "first-night"]) == 0
    assert (
        capsys.readouterr().out
        == f"{quay}/scenarios/first-night.yaml:8: quay/first-night  First Night\n"
    )


def test_ids_that_packs_may_have_used_stay_while_the_version_of_core_does() -> None:
    """To remove an id, raise `version` in core's `pack.yaml` and store a new list of ids."""
    kept = Path(__file__).with_name("core_ids_1.txt")
    files = packs.base_files(RULESET)
    today = {entry.id for entry in entries_in(files)}

    assert read_pack_file(files).version == 1, "keep the ids of the new version beside this file"
    assert set(kept.read_text().split()) <= today
