"""Content of the woods: a pack has a number of rounds for each scenario, and words."""

import types
from collections.abc import Collection, Iterator, Mapping
from importlib import resources
from typing import Any

import attrs

from content.language.json_schema import Vocabulary, schema_files
from content.plugs.kind import ContentKind, GameOutcome, Mark, ScenarioEntry, WinBounds
from content.reading.files import PACK_FILE, digest_of, read_files
from content.reading.gaps import Gap
from content.reading.mistakes import ContentError, ContentErrors
from content.reading.names import Kinds
from content.reading.remarks import Remark
from content.reading.schema import Schema
from content.reading.sheet import Sheet
from content.reading.typed import Readers
from content.reading.words import LANGUAGES, Wordings, check_named, check_parity, read_words
from content.reading.yaml_subset import read_yaml
from protocol.common.table import GameEvent, GameTable, Legacy
from protocol.common.text import Catalog, Text
from tests.games.woods.content.schema import Content
from tests.games.woods.protocol.table import ANIMAL, CLEARINGS, KEEPER, RULESET, WoodsTable

MINUTES = 5
SCHEMA = Schema(Kinds())


@attrs.frozen
class WoodsPack:
    """Pack of the woods."""

    id: str
    digest: bytes
    catalogs: Mapping[str, Catalog]
    scenarios: Mapping[str, Content]
    """Contents by the id of the scenario."""
    game: str = RULESET


@attrs.frozen
class Marked:
    """Scenario that counts in which clearings animals stand."""

    content: Content
    everything: tuple[Mark, ...] = tuple(Mark("clearing", name) for name in CLEARINGS)

    def seen(self, table: GameTable) -> Mapping[Mark, int]:
        del table
        return {}

    def on_table(self, table: GameTable) -> Collection[Mark]:
        assert isinstance(table, WoodsTable)
        return [Mark("clearing", animal.clearing) for animal in table.living()]

    def outcome(self, table: GameTable) -> GameOutcome:
        assert isinstance(table, WoodsTable)
        end = table.came_out()
        if end is None:
            return GameOutcome(rounds=table.round_number)
        return GameOutcome(end.winners, f"woods/won_by_{table.winner}", end.rounds, end.scores)

    def told(self, event: GameEvent) -> Text | None:
        """Return nothing: no event shows a text of the pack."""
        del event
        return None


class WoodsContent:
    """Implements `content.plugs.kind.ContentKind`."""

    base = "woods"
    dice: Mapping[str, int] = types.MappingProxyType({})
    bounds = (WinBounds(5, 95, side=ANIMAL), WinBounds(5, 95, side=KEEPER))

    def load(self, pack_id: str, files: Mapping[str, bytes]) -> WoodsPack:
        pack, errors = _read(pack_id, files)
        if errors:
            raise ContentErrors(errors)
        return pack

    def remarks(self, pack_id: str, files: Mapping[str, bytes]) -> tuple[Remark, ...]:
        return tuple(map(Remark.of_mistake, _read(pack_id, files)[1]))

    def gaps(self, pack_id: str, files: Mapping[str, bytes]) -> tuple[Gap, ...]:
        """Return nothing: missing words are mistakes."""
        del pack_id, files
        return ()

    def scenarios(self, pack: WoodsPack) -> tuple[ScenarioEntry, ...]:
        return tuple(ScenarioEntry(scenario, MINUTES, 1) for scenario in pack.scenarios)

    def content(
        self,
        pack: WoodsPack,
        scenario: str,
        off: Collection[str] = (),
        legacy: Legacy | None = None,
    ) -> Content:
        del off, legacy
        return pack.scenarios[scenario]

    def marked(self, pack: WoodsPack, scenario: str) -> Marked:
        return Marked(pack.scenarios[scenario])

    def map_lines(self, pack: WoodsPack, scenario: str, language: str) -> Iterator[tuple[str, ...]]:
        """Yield the clearings, whose paths are in no pack."""
        del scenario
        # The words are those of the bundled pack, as on a server.
        words = {**self.load(self.base, _bundled()).catalogs[language], **pack.catalogs[language]}
        yield tuple(words[name]["name"] for name in CLEARINGS)

    def map_as_json(self, pack: WoodsPack, scenario: str, language: str) -> dict[str, Any]:
        """Return the clearings."""
        del pack, scenario, language
        return {"clearings": list(CLEARINGS)}

    def starter(self) -> Mapping[str, bytes]:
        """Return the scenarios of the bundled pack and their words; it lends all other words."""
        kept = {PACK_FILE, *(f"words/{language}/scenarios.yaml" for language in LANGUAGES)}
        return {
            name: data.replace(b"woods/", b"NAME/")
            for name, data in _bundled().items()
            if name in kept or name.startswith("scenarios/")
        }

    def schemas(self) -> Mapping[str, str]:
        return schema_files({"scenario.yaml": Content}, (), Vocabulary(SCHEMA))


def _bundled() -> Mapping[str, bytes]:
    return read_files(resources.files(__package__) / "packs" / WoodsContent.base)


def _read(pack_id: str, files: Mapping[str, bytes]) -> tuple[WoodsPack, list[ContentError]]:
    """Return the readable parts of a pack, and its errors."""
    sheet = Sheet()
    wordings: Wordings = {language: {} for language in LANGUAGES}
    scenarios, named = dict[str, Content](), []
    read_scenario = Readers(SCHEMA).of(Content)
    for name, data in sorted(files.items()):
        sheet.file = name
        node, errors = read_yaml(name, data)
        sheet.errors.extend(errors)
        folder, _, rest = name.partition("/")
        if node is None or name == PACK_FILE:
            continue
        if folder == "words" and (language := rest.partition("/")[0]) in wordings:
            read_words(node, sheet, wordings[language])
        elif folder == "scenarios":
            content = read_scenario(node, sheet)
            if isinstance(content, Content):
                scenario = f"{pack_id}/{rest.removesuffix('.yaml')}"
                scenarios[scenario] = content
                named.append((scenario, sheet.place(node)))
        else:
            sheet.fault(node, "is in no folder of a pack; move it to scenarios or words")
    for scenario, place in named:
        sheet.errors.extend(check_named("name", scenario, place, wordings))
    sheet.errors.extend(check_parity(wordings))
    catalogs = {
        language: {subject: one.fields for subject, one in subjects.items()}
        for language, subjects in wordings.items()
    }
    return WoodsPack(pack_id, digest_of(files), catalogs, scenarios), sheet.errors


KIND: ContentKind = WoodsContent()
