"""Checking a pack: every remark names the line to correct."""

from typing import Any

import pytest

from content.games.second_edition.check import check
from tests.games.second_edition.content.packs import FILES, edited
from tests.games.second_edition.content.test_mistakes import CASES

CELLAR = "scenarios/cellar.yaml"


def remarks(files: dict[str, bytes]) -> list[str]:
    return [f"{remark.level} {remark}" for remark in check("tiny", files)]


def test_nothing_is_said_about_a_good_pack() -> None:
    assert check("tiny", FILES) == ()


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in CASES])
def test_a_mistake_is_a_remark(case: dict[str, Any]) -> None:
    """Each case is a pack with one error."""
    files = edited(case["file"], case["old"], case["new"])

    assert remarks(files) == [f"mistake {line}" for line in case["told"]]


@pytest.mark.parametrize(
    ("old", "new", "file", "at", "key"),
    [
        ("          - place_token: token/man\n", "", CELLAR, "- id: token/man", "token/man"),
        ("          - place_tile: cellar\n", "", CELLAR, "- id: cellar", "cellar"),
        ("          - place_tile: cellar\n", "", CELLAR, "- id: room/cellar", "room/cellar"),
        ("    - call: scurry\n", "", CELLAR, "  scurry:", "scurry"),
        ("    - call: scurry\n", "", "monsters.yaml", "- id: monster/rat", "monster/rat"),
        ("won: false", "won: true", CELLAR, "triggers:", "end"),
        ("                - gain_item: item/key\n", "", CELLAR, "has_item: item/key", "item/key"),
        ("                - gain_item: item/key\n", "", "items.yaml", "- id: item/key", "item/key"),
        ("{trait: drink}", "{trait: drink, deck: unique}", CELLAR, "drink", "unique drink"),
        ("    repeats: true\n", "", CELLAR, "mythos:", "mythos"),
        ("    column: 10\n", "    column: 20\n", CELLAR, "drawing: |", "hall/1"),
        (
            "    - spawn: {kind: monster/rat, at: hall/a}",
            "    - remove_feature: {feature: darkness, at: all}",
            CELLAR,
            "remove_feature",
            "darkness",
        ),
    ],
)
def test_a_finding_has_a_place(old: str, new: str, file: str, at: str, key: str) -> None:
    files = edited(CELLAR, old, new)
    found = {
        (remark.file, remark.key): remark.line
        for remark in check("tiny", files)
        if remark.level == "finding"
    }

    lines = files[file].decode().splitlines()
    expected = next(number for number, line in enumerate(lines, start=1) if at in line)
    assert found[file, key] == expected


def test_a_text_that_nobody_names_stands_in_the_words() -> None:
    files = {
        **FILES,
        "words/en/words.yaml": FILES["words/en/words.yaml"] + b"rat/unused: A\n",
        "words/fr/words.yaml": FILES["words/fr/words.yaml"] + b"rat/unused: B\n",
    }

    (remark,) = check("tiny", files)

    last = FILES["words/en/words.yaml"].count(b"\n") + 1
    assert (remark.file, remark.line, remark.key) == ("words/en/words.yaml", last, "rat/unused")


def test_too_few_backs_stand_in_their_file() -> None:
    """Something missing has no line of its own, so the remark names the file."""
    files = {**FILES, "insane.yaml": b"[]\n"}

    assert {r.line for r in check("tiny", files) if r.file == "insane.yaml"} == {1}
