"""Content of the toy: a pack has a deck for each scenario, and words."""

import enum
import types
from collections.abc import Collection, Iterator, Mapping
from importlib import resources
from typing import Annotated, Any

import attrs

from content.language.json_schema import Vocabulary, schema_files
from content.language.references import Naming, check_references, check_words
from content.plugs.kind import ContentKind, GameOutcome, Mark, ScenarioEntry, WinBounds
from content.reading.files import PACK_FILE, digest_of, read_files
from content.reading.gaps import Gap
from content.reading.meanings import Bounds, Names
from content.reading.mistakes import ContentError, ContentErrors, Place
from content.reading.names import Kinds
from content.reading.remarks import Remark
from content.reading.schema import Schema
from content.reading.sheet import Sheet
from content.reading.typed import Readers
from content.reading.words import LANGUAGES, Wording, check_parity, read_words
from content.reading.yaml_subset import read_yaml
from protocol.common.table import GameEvent, GameTable, Legacy
from protocol.common.text import Catalog, Text
from tests.kit.tables.toy_table import KINDS, Content, ToyTable, TurnedUp, a_deck

STARTER = "tests.games.toy"
CARDS = 18
"""Number of cards in every deck."""
ONE_KIND = "all cards are of one kind"
KNOWN = KINDS
"""Kinds of cards that the rules implement."""


class Named(enum.Enum):
    """Kinds of names in a pack of the toy."""

    CARD = "kind of card"


@attrs.frozen
class Deck:
    """Scenario, as written in its file."""

    rounds: Annotated[int, Bounds(1, 9)] = 3
    kinds: tuple[Annotated[str, Names(Named.CARD)], ...] = ()
    """Kinds of the cards, repeated in turn to fill the deck."""


SCHEMA = Schema(Kinds())
NAMING = Naming(words=(), always={Named.CARD: KNOWN})


@attrs.frozen
class ToyPack:
    """Pack of the toy."""

    id: str
    digest: bytes
    catalogs: Mapping[str, Catalog]
    decks: Mapping[str, Content]
    """Contents by the id of the scenario."""
    game: str = "toy"


@attrs.frozen
class Marked:
    """Scenario whose kinds of cards can be counted in games of bots."""

    content: Content

    @property
    def everything(self) -> tuple[Mark, ...]:
        return tuple(Mark("card", kind) for kind in _kinds(self.content.deck))

    def seen(self, table: GameTable) -> Mapping[Mark, int]:
        del table
        return {}

    def on_table(self, table: GameTable) -> Collection[Mark]:
        assert isinstance(table, ToyTable)
        faceup = (card for person in table.people.values() for _, card in person.faceup)
        return [Mark("card", kind) for kind in _kinds(faceup)]

    def outcome(self, table: GameTable) -> GameOutcome:
        assert isinstance(table, ToyTable)
        end = table.came_out()
        if end is None:
            return GameOutcome(rounds=table.round_number)
        return GameOutcome(end.winners, "toy/plain", end.rounds, end.scores)

    def told(self, event: GameEvent) -> Text | None:
        return Text(event.card, field="name") if isinstance(event, TurnedUp) else None


def _kinds(cards: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(card.split("/")[1] for card in cards))


class ToyContent:
    """Implements `content.plugs.kind.ContentKind`."""

    base = ""
    dice: Mapping[str, int] = types.MappingProxyType({})
    bounds: tuple[WinBounds, ...] = ()

    def load(self, pack_id: str, files: Mapping[str, bytes]) -> ToyPack:
        pack, errors = _read(pack_id, files)
        if errors:
            raise ContentErrors(errors)
        return pack

    def remarks(self, pack_id: str, files: Mapping[str, bytes]) -> tuple[Remark, ...]:
        pack, errors = _read(pack_id, files)
        if errors:
            return tuple(map(Remark.of_mistake, errors))
        return tuple(
            Remark.of_note(Place(f"scenarios/{id_.partition('/')[2]}.yaml"), id_, ONE_KIND)
            for id_, content in pack.decks.items()
            if len(_kinds(content.deck)) == 1
        )

    def gaps(self, pack_id: str, files: Mapping[str, bytes]) -> tuple[Gap, ...]:
        """Return nothing: the toy does not look for missing words."""
        del pack_id, files
        return ()

    def scenarios(self, pack: ToyPack) -> tuple[ScenarioEntry, ...]:
        return tuple(ScenarioEntry(scenario, 5, 1) for scenario in pack.decks)

    def content(
        self,
        pack: ToyPack,
        scenario: str,
        off: Collection[str] = (),
        legacy: Legacy | None = None,
    ) -> Content:
        del off, legacy
        return pack.decks[scenario]

    def marked(self, pack: ToyPack, scenario: str) -> Marked:
        return Marked(pack.decks[scenario])

    def map_lines(self, pack: ToyPack, scenario: str, language: str) -> Iterator[tuple[str, ...]]:
        """Yield the deck, as there is no map."""
        words = pack.catalogs[language]
        yield tuple(words[f"kind/{kind}"]["name"] for kind in _kinds(pack.decks[scenario].deck))

    def map_as_json(self, pack: ToyPack, scenario: str, language: str) -> dict[str, Any]:
        """Return the deck, as there is no map."""
        del language
        return {"deck": list(pack.decks[scenario].deck)}

    def starter(self) -> Mapping[str, bytes]:
        return read_files(resources.files(STARTER) / "pack")

    def schemas(self) -> Mapping[str, str]:
        return schema_files({"scenario.yaml": Deck}, (), Vocabulary(SCHEMA))


def _read(pack_id: str, files: Mapping[str, bytes]) -> tuple[ToyPack, list[ContentError]]:
    """Return a pack as far as it can be read, and its errors."""
    sheet = Sheet()
    wordings: dict[str, dict[str, Wording]] = {language: {} for language in LANGUAGES}
    decks: dict[str, Content] = {}
    read_deck = Readers(SCHEMA).of(Deck)
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
            deck = read_deck(node, sheet)
            if isinstance(deck, Deck):
                scenario = f"{pack_id}/{rest.removesuffix('.yaml')}"
                decks[scenario] = Content(deck.rounds, a_deck(*deck.kinds, count=CARDS))
        else:
            sheet.fault(node, "is in no folder of a pack; move it to scenarios or words")
    sheet.errors.extend(check_references(sheet, NAMING))
    sheet.errors.extend(check_words(sheet, wordings, NAMING))
    sheet.errors.extend(check_parity(wordings))
    catalogs = {
        language: _with_cards({subject: one.fields for subject, one in subjects.items()}, decks)
        for language, subjects in wordings.items()
    }
    return ToyPack(pack_id, digest_of(files), catalogs, decks), sheet.errors


def _with_cards(words: Catalog, decks: Mapping[str, Content]) -> Catalog:
    """Return words extended by those of every card, taken from its kind."""
    cards = {card for content in decks.values() for card in content.deck}
    return {
        **words,
        **{card: words.get(f"kind/{card.split('/')[1]}", {}) for card in sorted(cards)},
    }


KIND: ContentKind = ToyContent()
