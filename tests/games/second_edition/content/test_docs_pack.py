"""Examples of docs/language/pack.md form a pack that loads."""

import re
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from tests.games.second_edition.content.packs import FILES, load

PAGE: Final = Path(__file__).parents[4] / "docs" / "language" / "pack.md"
BLOCKS: Final = re.findall(
    r"^```yaml (\S+)\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
)
SCENARIOS: Final = [text for name, text in BLOCKS if name == "scenario"]
PACK_FILES: Final = {name: text.encode() for name, text in BLOCKS if name != "scenario"}
WORDS: Final = """
person/vicar: {name: The vicar, text: He hums.}
person/cook: {name: The cook}
room/scullery: {name: Scullery}
room/garden: {name: Garden}
product/high-shelf: {name: The high shelf}
"""


def with_page(example: str) -> dict[str, bytes]:
    """Return the tiny pack with the files of the page, and one example in its scenario."""
    text = FILES["scenarios/cellar.yaml"].decode()
    for key, value in yaml.safe_load(example).items():
        text = _with(text, key, value, example)
    words = {
        name: data + WORDS.encode() for name, data in FILES.items() if name.startswith("words/")
    }
    scenario = text if "rooms:\n  - id: room/scullery" in text else _with_room(text)
    return {**FILES, **words, **PACK_FILES, "scenarios/cellar.yaml": scenario.encode()}


def _with(text: str, key: str, value: Any, example: str) -> str:
    if f"\n{key}:\n" in text and isinstance(value, list):
        return text.replace(f"\n{key}:\n", f"\n{example}", 1)
    return f"{text}{example}"


def _with_room(text: str) -> str:
    room = "rooms:\n  - {id: room/scullery, traits: [kitchen, damp]}\n"
    return text.replace("rooms:\n", room, 1)


def test_the_page_has_examples() -> None:
    files = ["box.yaml", "mythos.yaml", "pack.yaml", "persons.yaml", "products.yaml", "tiles.yaml"]
    assert sorted(PACK_FILES) == files
    assert len(SCENARIOS) == 7


@pytest.mark.parametrize("example", SCENARIOS, ids=lambda text: str(text.partition(":")[0]))
def test_an_example_can_be_loaded(example: str) -> None:
    pack = load(with_page(example))

    assert list(pack.tiles) == ["tile/root-cellar", "tile/passage"]
    assert list(pack.persons) == ["person/vicar", "person/cook"]
    assert list(pack.events) == ["mythos/cold-draught", "mythos/spring-tide"]
