"""
The toy's content: a pack is a list of days, and words.

It stands for any game that comes later. What the shelf and the tools of authors do with a pack they
do through `ContentKind` alone, and so they can do it with this one.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import attrs

from content.games.kind import ContentKind, Mark, Outcome, ScenarioEntry
from content.reading.files import digest_of
from content.reading.mistakes import ContentErrors
from content.reading.names import Kinds
from content.reading.remarks import Remark
from content.reading.schema import Schema
from content.reading.sheet import Sheet
from content.reading.typed import Readers
from content.reading.words import catalogs_of
from content.reading.yaml_subset import Listing, read_yaml
from protocol.common.table import GameEvent, GameTable, Legacy
from protocol.common.text import Catalog
from tests.kernel.toy import RULESET, Content, ToyTable


@attrs.frozen
class Day:
    """A scenario, as it stands in `days.yaml`."""

    id: str
    rounds: int = 3


@attrs.frozen
class ToyPack:
    """Implements `content.games.kind.LoadedPack`."""

    game = RULESET

    id: str
    digest: bytes
    catalogs: Mapping[str, Catalog]
    days: Mapping[str, Day]


@attrs.frozen
class ToyMarked:
    """Implements `content.games.kind.Marked`: nothing is counted."""

    content: Content
    everything: tuple[Mark, ...] = ()

    def seen(self, table: GameTable) -> Mapping[Mark, int]:
        """See `Marked.seen`."""
        del table
        return {}

    def on_table(self, table: GameTable) -> Collection[Mark]:
        """See `Marked.on_table`."""
        del table
        return ()

    def outcome(self, table: GameTable) -> Outcome:
        """See `Marked.outcome`."""
        assert isinstance(table, ToyTable)
        return Outcome(ending=table.result, rounds=table.round_number)

    def told(self, happened: GameEvent) -> None:
        """See `Marked.told`."""
        del happened


_READ = Readers(Schema(Kinds(), bounds={(Day, "rounds"): (1, 9)})).of(Day)


class ToyContent:
    """Implements `ContentKind`; no pack of the toy comes along."""

    base = ""

    def load(self, pack_id: str, files: Mapping[str, bytes]) -> ToyPack:
        """See `ContentKind.load`."""
        node, errors = read_yaml("days.yaml", files["days.yaml"])
        sheet = Sheet(file="days.yaml", errors=list(errors))
        assert isinstance(node, Listing)
        days = [_READ(entry, sheet) for entry in node.items]
        if sheet.errors:
            raise ContentErrors(sheet.errors)
        by_id = {f"{pack_id}/{day.id}": day for day in days}
        return ToyPack(pack_id, digest_of(files), catalogs_of(files), by_id)

    def remarks(self, pack_id: str, files: Mapping[str, bytes]) -> tuple[Remark, ...]:
        """See `ContentKind.remarks`."""
        try:
            self.load(pack_id, files)
        except ContentErrors as errors:
            return tuple(map(Remark.of_mistake, errors.errors))
        return ()

    def scenarios(self, pack: ToyPack) -> tuple[ScenarioEntry, ...]:
        """See `ContentKind.scenarios`."""
        return tuple(ScenarioEntry(id_, 5, 1) for id_ in pack.days)

    def content(
        self, pack: ToyPack, scenario: str, off: Collection[str] = (), legacy: Legacy | None = None
    ) -> Content:
        """See `ContentKind.content`."""
        del off, legacy
        return Content(rounds=pack.days[scenario].rounds)

    def marked(self, pack: ToyPack, scenario: str) -> ToyMarked:
        """See `ContentKind.marked`."""
        return ToyMarked(self.content(pack, scenario))

    def map_lines(self, pack: ToyPack, scenario: str, language: str) -> Iterator[tuple[str, ...]]:
        """See `ContentKind.map_lines`: there is no board."""
        del language
        yield (f"{scenario} takes {pack.days[scenario].rounds} rounds.",)

    def map_as_json(self, pack: ToyPack, scenario: str, language: str) -> dict[str, Any]:
        """See `ContentKind.map_as_json`."""
        del language
        return {"scenario": scenario, "rounds": pack.days[scenario].rounds}

    def starter(self) -> Mapping[str, bytes]:
        """See `ContentKind.starter`."""
        return {"pack.yaml": b"game: toy\n", "days.yaml": b"- id: first\n", **_words("NAME")}

    def schemas(self) -> Mapping[str, str]:
        """See `ContentKind.schemas`: editors are told nothing."""
        return {}


def _words(pack_id: str) -> Mapping[str, bytes]:
    return {
        f"words/{language}/days.yaml": f"{pack_id}/first: {{name: {name}}}\n".encode()
        for language, name in (("en", "The first day"), ("fr", "Le premier jour"))
    }


KIND: ContentKind = ToyContent()
