"""
Loading a pack: from a folder of files to a `Pack` that rules can read, or to all its mistakes.

`content.language.loader` reads the files; the checks that need several files are here.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

from content.games.first_edition.checks.puzzles import missing_pieces
from content.games.first_edition.decks import check_decks
from content.games.first_edition.maps import check_board
from content.games.first_edition.reader_schema import READERS
from content.games.first_edition.references import NAMING, WITH_TEXT
from content.games.first_edition.refusals import refusals
from content.games.first_edition.schema.cards import (
    ActionCard,
    AllyCard,
    CharacterCard,
    CombatCard,
    ItemCard,
    LockCard,
    MonsterCard,
    MythosCard,
    ObstacleCard,
    PitMarker,
    SpellCard,
    TraitCard,
    TraumaCard,
)
from content.games.first_edition.schema.kinds import Kind
from content.games.first_edition.schema.pack import Pack
from content.games.first_edition.schema.products import Product
from content.games.first_edition.schema.puzzles import Layout, PieceSupply
from content.games.first_edition.schema.story import Story
from content.language.loader import Entries, PackFiles, Reading
from content.language.products import check_products, with_marks
from content.language.references import check_reached, named_in
from content.reading.files import Folder, digest_of, read_files, shipped
from content.reading.gaps import Gap
from content.reading.mistakes import ContentError, ContentErrors, Place
from content.reading.sheet import Sheet
from content.reading.words import Wordings
from protocol.games.first_edition.words import RULESET

BASE = "manor"
"""The pack with the box and the words of the rules."""

PIECES_FILE = "pieces.yaml"
"""The pieces that puzzles are made of."""

# Readers are compiled when they are first needed, once for all packs.
FILES = PackFiles(
    READERS,
    NAMING,
    lists={
        "investigators.yaml": Entries(CharacterCard, "characters", Kind.CHARACTER),
        "traits.yaml": Entries(TraitCard, "traits", Kind.TRAIT),
        "items.yaml": Entries(ItemCard, "items", Kind.ITEM),
        "spells.yaml": Entries(SpellCard, "spells", Kind.SPELL),
        "monsters.yaml": Entries(MonsterCard, "monsters", Kind.MONSTER),
        "combat.yaml": Entries(CombatCard, "combat", Kind.COMBAT),
        "traumas.yaml": Entries(TraumaCard, "traumas", Kind.TRAUMA),
        "mythos.yaml": Entries(MythosCard, "mythos", Kind.MYTHOS),
        "actions.yaml": Entries(ActionCard, "actions", Kind.ACTION),
        "locks.yaml": Entries(LockCard, "locks", Kind.LOCK),
        "obstacles.yaml": Entries(ObstacleCard, "obstacles", Kind.OBSTACLE),
        "puzzles.yaml": Entries(Layout, "puzzles", Kind.PUZZLE),
        "pits.yaml": Entries(PitMarker, "pits", Kind.PIT),
        "allies.yaml": Entries(AllyCard, "allies", Kind.ALLY),
        "products.yaml": Entries(Product, "products", Kind.PRODUCT),
    },
    objects={PIECES_FILE: PieceSupply},
    scenario=Story,
    missed=(Kind.SCENARIO,),
    with_name=frozenset(),
    first=frozenset(),
    finished=lambda story, _: story,
)
LIST_FILES = frozenset(FILES.lists)
FILE_CLASSES = FILES.classes


@attrs.frozen
class PackSource:
    """A pack, with the places in its files of everything in it."""

    pack: Pack
    sheet: Sheet
    wordings: Wordings


def load_base() -> Pack:
    """Return the bundled base pack."""
    return load_pack(shipped(RULESET) / BASE)


def load_pack(folder: Folder | str) -> Pack:
    """
    Load a pack from a folder, whose name is the id of the pack.

    Raises:
        ContentErrors: the pack cannot be used; the error has all mistakes.
    """
    where = Path(folder).resolve() if isinstance(folder, str | Path) else folder
    return load_source(where.name, read_files(where)).pack


def gaps(pack_id: str, files: Mapping[str, bytes]) -> tuple[Gap, ...]:
    """Return the words that a pack names and lacks; empty if its words cannot be read."""
    reading = FILES.read(pack_id, files)
    _want_texts(reading.sheet)
    return reading.gaps()


def load_source(pack_id: str, files: Mapping[str, bytes]) -> PackSource:
    """
    Load a pack from its files, with the places of everything in it.

    Raises:
        ContentErrors: the pack cannot be used; the error has all mistakes.
    """
    reading = FILES.read(pack_id, files)
    _want_texts(reading.sheet)
    reading.check()
    sheet, errors = reading.sheet, reading.sheet.errors
    errors.extend(check_products(reading.lists["products"], reading.places(Kind.PRODUCT)))
    reached = {
        file: {story.id: set(cards_of(reading.lists, story))}
        for file, story in reading.scenarios.items()
    }
    errors.extend(check_reached(sheet, NAMING, reached))
    for file, story in reading.scenarios.items():
        # With a tile that cannot be read, the board would seem to have further mistakes.
        if (file, Kind.SPACE) not in sheet.incomplete:
            errors.extend(check_board(story, reading.places(Kind.TILE, file)))
    if errors:
        raise ContentErrors(errors)
    # The checks for each set of answers rely on sound references.
    pack = _pack(reading, files)
    errors.extend(
        ContentError.at(sheet.keys.get((file, key), Place(file)), reason)
        for file, story in reading.scenarios.items()
        for key, reason in refusals(pack, story)
    )
    errors.extend(
        ContentError.at(reading.places(kind)[id_], reason)
        for kind, id_, reason in check_decks(pack)
    )
    errors.extend(_missing_pieces(reading, pack))
    if errors:
        raise ContentErrors(errors)
    return PackSource(pack, sheet, reading.wordings)


def _missing_pieces(reading: Reading, pack: Pack) -> Iterator[ContentError]:
    """Yield a mistake for each story whose puzzles need more pieces than there are. K-DECIDE-10."""
    for file, story in reading.scenarios.items():
        for family, face, count in missing_pieces(pack.puzzles_of(story), pack.pieces):
            reason = (
                f"its puzzles of the family {family.value} need {count} more of the piece {face}; "
                f"write them into {PIECES_FILE}"
            )
            yield ContentError.at(reading.sheet.keys[file, "id"], reason)


def _want_texts(sheet: Sheet) -> None:
    """Note that players are shown the texts of cards."""
    for (scope, kind), declared in list(sheet.declared.items()):
        if kind in WITH_TEXT:
            sheet.scope = scope
            for id_, place in declared.items():
                sheet.refer(Kind.TEXT, id_, place)
    sheet.scope = ""


def lists_of(pack: Pack) -> Mapping[str, Mapping[str, Any]]:
    """Return the cards of a pack by field and id."""
    return {entries.field: getattr(pack, entries.field) for entries in FILES.lists.values()}


def cards_of(lists: Mapping[str, Mapping[str, Any]], story: Story) -> Iterator[str]:
    """
    Yield the cards that a story can bring into play, each once.

    They are the cards that the story names, the cards that those name, and so on. Traits, traumas
    and combat cards come into every story, with all that they name.
    """
    cards = {id_: card for entries in lists.values() for id_, card in entries.items()}
    always = ("traits", "traumas", "combat")
    waiting: list[Any] = [story, *(tuple(lists[field].values()) for field in always)]
    found = {id_ for field in always for id_ in lists[field]}
    yield from sorted(found)
    while waiting:
        for named in named_in(waiting.pop()):
            if named.id in cards and named.id not in found:
                found.add(named.id)
                yield named.id
                waiting.append(cards[named.id])


def _pack(reading: Reading, files: Mapping[str, bytes]) -> Pack:
    # The easiest comes first: it is what newcomers are offered.
    by_difficulty = sorted(
        reading.scenarios.values(), key=lambda s: (s.difficulty, s.minutes, s.id)
    )
    parts: dict[str, Any] = {**reading.lists}
    if PIECES_FILE in reading.objects:
        parts["pieces"] = reading.objects[PIECES_FILE]
    return Pack(
        id=reading.pack_id,
        scenarios={story.id: story for story in by_difficulty},
        catalogs={
            language: with_marks(
                {subject: wording.fields for subject, wording in wordings.items()},
                reading.lists["products"],
            )
            for language, wordings in reading.wordings.items()
        },
        digest=digest_of(files),
        **parts,
    )
