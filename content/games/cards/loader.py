"""
Loading a pack: from a folder of files to a `Pack` that rules can read, or to all its mistakes.

`content.language.loader` reads the files; the checks that need several files are here.
"""

from collections.abc import Mapping
from pathlib import Path

import attrs

from content.games.cards.reader_schema import READERS
from content.games.cards.references import NAMING, SHOWN_UNDER
from content.games.cards.schema.cards import (
    ActCard,
    AgendaCard,
    EnemyCard,
    InvestigatorCard,
    LocationCard,
    PlayerCard,
    ReferenceCard,
    StoryCard,
    TreacheryCard,
)
from content.games.cards.schema.kinds import Kind
from content.games.cards.schema.pack import Pack
from content.games.cards.schema.scenario import Scenario, StarterDeck
from content.games.cards.wording.cards import with_card_texts
from content.language.loader import Entries, PackFiles, Reading
from content.reading.corrections import Corrections
from content.reading.files import BASE, Folder, digest_of, read_files
from content.reading.gaps import Gap
from content.reading.mistakes import ContentErrors
from content.reading.sheet import Sheet
from content.reading.words import Wordings

# Readers are compiled when they are first needed, once for all packs.
FILES = PackFiles(
    READERS,
    NAMING,
    lists={
        "investigators.yaml": Entries(InvestigatorCard, "investigators", Kind.CARD),
        "players.yaml": Entries(PlayerCard, "players", Kind.CARD),
        "enemies.yaml": Entries(EnemyCard, "enemies", Kind.CARD),
        "treacheries.yaml": Entries(TreacheryCard, "treacheries", Kind.CARD),
        "stories.yaml": Entries(StoryCard, "stories", Kind.CARD),
        "locations.yaml": Entries(LocationCard, "locations", Kind.CARD),
        "acts.yaml": Entries(ActCard, "acts", Kind.CARD),
        "agendas.yaml": Entries(AgendaCard, "agendas", Kind.CARD),
        "references.yaml": Entries(ReferenceCard, "references", Kind.CARD),
        "decks.yaml": Entries(StarterDeck, "decks", Kind.DECK),
    },
    objects={},
    scenario=Scenario,
    missed=(Kind.SCENARIO,),
    with_name=frozenset(),
    first=frozenset(),
    finished=lambda scenario, _: scenario,
    can_correct=True,
)
_NOT_LENT = (f"{BASE}/acts", f"{BASE}/agendas")
"""
Files of a base pack that are left out, by their beginnings: they name the resolutions of its
scenarios, which stay with it.
"""
LIST_FILES = frozenset(FILES.lists)
FILE_CLASSES = FILES.classes


@attrs.frozen
class PackSource:
    """A pack, with the places in its files of everything in it."""

    pack: Pack
    sheet: Sheet
    wordings: Wordings
    corrections: Corrections


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
    return _read(pack_id, files).gaps()


def load_source(pack_id: str, files: Mapping[str, bytes]) -> PackSource:
    """
    Load a pack from its files, with the places of everything in it.

    Raises:
        ContentErrors: the pack cannot be used; the error has all mistakes.
    """
    reading = _read(pack_id, files)
    reading.check()
    if reading.sheet.errors:
        raise ContentErrors(reading.sheet.errors)
    return PackSource(_pack(reading, files), reading.sheet, reading.wordings, reading.corrections)


def _read(pack_id: str, files: Mapping[str, bytes]) -> Reading:
    taken = {name: data for name, data in files.items() if not name.startswith(_NOT_LENT)}
    reading = FILES.read(pack_id, taken)
    _want_words(reading.sheet)
    return reading


def _want_words(sheet: Sheet) -> None:
    """Note that players are shown the names of traits and tokens, and the texts of resolutions."""
    for (scope, kind), declared in list(sheet.declared.items()):
        sheet.scope = scope
        for id_, place in declared.items():
            if kind is Kind.RESOLUTION:
                sheet.refer(Kind.TEXT, id_, place)
            elif kind in SHOWN_UNDER:
                sheet.refer_name(f"{SHOWN_UNDER[kind]}/{id_}", place)
    sheet.scope = ""


def _pack(reading: Reading, files: Mapping[str, bytes]) -> Pack:
    # The easiest comes first: it is what newcomers are offered.
    by_difficulty = sorted(
        reading.scenarios.values(), key=lambda s: (s.difficulty, s.minutes, s.id)
    )
    pack = Pack(
        id=reading.pack_id,
        scenarios={scenario.id: scenario for scenario in by_difficulty},
        catalogs={
            language: {subject: wording.fields for subject, wording in wordings.items()}
            for language, wordings in reading.wordings.items()
        },
        digest=digest_of(files),
        history=reading.corrections.history(),
        **reading.lists,
    )
    return attrs.evolve(pack, catalogs=with_card_texts(pack))
