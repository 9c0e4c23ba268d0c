"""Faceup Damage and Horror is no possession: it stands apart wherever possessions are listed."""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile
from typing import Any

import attrs
import pytest

from client.exports.drawings import COLUMNS, ROWS, Drawings, view_of
from client.games.second_edition.boxes.inventory import inventory
from client.games.second_edition.panes.party import party_lines
from client.games.second_edition.panes.sides import draw_side
from client.journal.replay_model import ReplayModel
from client.locale import load
from client.locale.speaker import Speaker
from client.widgets.canvas import Canvas
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import Harm
from tests.games.second_edition.client.console import Console
from tests.games.second_edition.client.scripted import Script, asked, words
from tests.games.second_edition.client.stage import OnStage, model_of, play
from tests.games.second_edition.client.test_app_menus import scene_of

pytestmark = pytest.mark.issue(38)
ADA, VERA = "investigator/ada", "investigator/vera"
LANGUAGES = ("en", "fr")


def hurt() -> Script:
    """Return a game where Ada carries what Vera had, and has faceup harm of both kinds."""
    script = asked()
    script.emit(
        se.PossessionGiven(VERA, ADA, "p1"),
        se.HarmTaken(ADA, Harm.HORROR, "h9", "horror/dread"),
        se.HarmTaken(VERA, Harm.DAMAGE, "d9", "damage/sprain"),
    )
    return script


def speaker_of(language: str) -> Speaker:
    return Speaker(load(language), words(language))


def parts(lines: Iterable[str]) -> Iterator[str]:
    """Yield the parts of a pane, split at semicolons and before harm; indented lines are joined."""
    joined = "\n".join(lines).replace("\n   ", " ")
    yield from re.split(r"[;\n]|(?=faceup:|face visible)", joined)


def side_pane(language: str) -> Iterator[str]:
    """Yield the parts of the column beside the map, drawn tall enough for everything."""
    scene = attrs.evolve(scene_of(hurt(), 0), speaker=speaker_of(language))
    canvas = Canvas(80, 50)
    draw_side(canvas.pane(), scene, 0, 0)
    yield from parts(canvas.plain().split("\n"))


def party_pane(language: str) -> Iterator[str]:
    scene = attrs.evolve(scene_of(hurt(), 0), speaker=speaker_of(language))
    for line in party_lines(scene, 60, 40):
        yield from "".join(bit.text for bit in line).split(";")


def inventory_box(language: str) -> Iterator[str]:
    scene = attrs.evolve(scene_of(hurt(), 0), speaker=speaker_of(language))
    yield from (row.text for row in inventory(scene))


def plain(command: str) -> Callable[[str], Iterator[str]]:
    """Return a function that yields what a command of plain mode prints, sentence by sentence."""

    def lines(language: str) -> Iterator[str]:
        console = Console(hurt(), language=language)
        for line in console.type(load(language).say(f"plain.word.{command}")):
            yield from line.split(". ")

    return lines


def full_screen(language: str) -> Iterator[str]:
    """Yield the parts of the side column on a 200x60 screen, where every section fits."""
    found: list[str] = []

    async def look(stage: OnStage) -> None:
        found.extend(line[105:149] for line in stage.text.split("\n"))

    play(model_of(hurt(), language=language), look, rows=60, columns=200)
    yield from parts(found)


def export_page(language: str) -> Iterator[str]:
    """Yield the parts of the side column on the last screen of the HTML page."""
    speaker, drawings = speaker_of(language), Drawings()
    replay = ReplayModel(hurt().records)
    view: Any = view_of(replay, speaker, drawings, lambda _done, _all: None)
    rows = {at: row for row, at in drawings.rows.items()}
    screen = [0] * ROWS
    for step in view["steps"]:
        for place, row in zip(step["rows"][::2], step["rows"][1::2], strict=True):
            screen[place] = row
    texts = ("".join(str(part) for part in rows[row][1::2]) for row in screen)
    column = parts(text[COLUMNS * 58 // 100 + 1 :] for text in texts)
    # The journal tells each harm by itself.
    journal = f"─ {speaker.say('pane.journal')}"
    yield from takewhile(lambda part: not part.startswith(journal), column)


PLACES = (
    *(side_pane, party_pane, inventory_box, full_screen, export_page),
    *(plain(command) for command in ("party", "cards")),
)
HEADS = ("pane.harm", "box.harm", "party.faceup", "plain.faceup")
"""The words that stand before harm."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("place", PLACES)
def test_harm_stands_under_words_of_its_own(
    place: Callable[[str], Iterator[str]], language: str
) -> None:
    speaker = speaker_of(language)
    heads = [re.split(r"[:{]", load(language).say(key, "{"))[0].strip() for key in HEADS]
    harm = [speaker.name("card", card) for card in ("damage/sprain", "horror/dread")]
    lantern = speaker.name("card", "item/lantern")
    is_harm, found = False, set[str]()
    for line in place(language):
        text = line.casefold()
        if any(head.casefold() in text for head in heads):
            is_harm = True
        elif lantern in line or line.startswith("─"):
            # Another section, or another owner.
            is_harm = False
        if lantern in line:
            found.add(lantern)
            assert not is_harm, line
        for name in harm:
            # The texts of cards speak of harm, too.
            if re.search(rf"(^|[\W_]){name}($|[\W_])", line):
                found.add(name)
                assert is_harm, line

    assert found >= {lantern, harm[0]}
