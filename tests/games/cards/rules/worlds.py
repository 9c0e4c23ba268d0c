"""
Worlds: the content of a test, of which it writes only the cards that matter.

Investigators anna, ben, cara and dan have 3 in every skill, health 7 and sanity 7. The locations L1
to L5 lie in a row, each connected with its neighbours, shroud 2, no clues. Act and agenda need more
than any test gives them.
"""

import textwrap
from collections.abc import Mapping
from typing import Any

from content.games.cards.loader import FILES
from content.games.cards.schema.pack import Content, Pack
from content.games.cards.schema.scenario import Scenario
from content.reading.sheet import Sheet
from content.reading.typed import BROKEN
from content.reading.yaml_subset import Listing, read_yaml

ANNA, BEN, CARA, DAN = PEOPLE = ("card/anna", "card/ben", "card/cara", "card/dan")
PLACES = tuple(f"card/l{n}" for n in range(1, 6))

_PERSON = """
- id: {id}
  class: lens
  willpower: 3
  intellect: 3
  combat: 3
  agility: 3
  health: 7
  sanity: 7
  unique: true
"""
_PLACE = """
- id: card/l{n}
  symbol: s{n}
  connects: [{ways}]
  face: {{id: card/l{n}-seen, shroud: 2}}
"""
BASE: Mapping[str, str] = {
    "investigators": "".join(_PERSON.format(id=who) for who in PEOPLE),
    "locations": "".join(
        _PLACE.format(n=n, ways=", ".join(f"s{m}" for m in (n - 1, n + 1) if 1 <= m <= 5))
        for n in range(1, 6)
    ),
    "acts": "- id: card/act\n  clues: 99\n",
    "agendas": "- id: card/agenda\n  doom: 99\n",
    "references": "- id: card/reference\n  s1: {by: -1}\n  s2: {by: -2}\n  s3: {}\n  s4: {}\n",
}
SCENARIO = """
id: house/test
minutes: 5
acts: [card/act]
agendas: [card/agenda]
locations: [card/l1, card/l2, card/l3, card/l4, card/l5]
start: card/l1
reference: {standard: card/reference}
bags: {standard: ["0"]}
resolutions:
- {id: resolution/none, is_won: false}
- {id: resolution/won, is_won: true}
"""


def content_of(**texts: str) -> Content:
    """
    Return the content of a test.

    Args:
        texts: YAML of further cards by the name of their file (`players`, `enemies`, `treacheries`,
            `stories`, `decks` …); a card of the same id replaces that of the base. `scenario` has
            keys that replace those of the scenario.
    """
    lists: dict[str, Any] = {}
    for file, entries in FILES.lists.items():
        name = file.removesuffix(".yaml")
        found = {}
        for text in (BASE.get(name, ""), texts.get(name, "")):
            found.update({card.id: card for card in read(file, text)})
        lists[entries.field] = found
    text = _merged(SCENARIO, texts.get("scenario", ""))
    scenario = _read(Scenario, text, "scenario")
    assert isinstance(scenario, Scenario)
    pack = Pack("house", {scenario.id: scenario}, {}, b"", **lists)
    return Content(pack, scenario)


def _merged(base: str, more: str) -> str:
    """Return YAML in which top-level keys of `more` replace those of `base`."""

    def parts(text: str) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        key = ""
        for line in textwrap.dedent(text).splitlines():
            if line[:1].isalpha():
                key = line.partition(":")[0]
                found[key] = []
            if line.strip():
                found[key].append(line)
        return found

    both = {**parts(base), **parts(more)}
    return "\n".join(line for lines in both.values() for line in lines) + "\n"


def read(file: str, text: str) -> list[Any]:
    """Return the cards in the YAML of a file. AssertionError: it has mistakes."""
    text = textwrap.dedent(text)
    if not text.strip():
        return []
    node, errors = read_yaml(file, text.encode())
    assert not errors, errors
    assert isinstance(node, Listing), text
    sheet = Sheet(FILES.readers.schema.kinds)
    sheet.turn_to(file, "", FILES.lists[file].made)
    cards = [FILES.compiled[file](entry, sheet) for entry in node.items]
    wrong = [str(error) for error in sheet.errors]
    assert not wrong, "\n".join(wrong)
    assert BROKEN not in cards
    return cards


def _read(made: type, text: str, name: str) -> object:
    node, errors = read_yaml(name, text.encode())
    assert not errors, errors
    assert node is not None
    sheet = Sheet(FILES.readers.schema.kinds)
    sheet.turn_to(name, name, made)
    value = FILES.readers.of(made)(node, sheet)
    assert not sheet.errors, [str(error) for error in sheet.errors]
    return value
