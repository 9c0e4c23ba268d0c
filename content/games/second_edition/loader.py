"""
Loading a pack: from a folder of files to a `Pack` that rules can read, or to all its mistakes.

`content.language.loader` reads the files. This module has the checks that need several files: that
tiles fit, that effects do not call themselves, and that nothing belongs to two products.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import attrs

from content.games.second_edition.campaigns import check_campaigns, with_campaign
from content.games.second_edition.maps import check_board, check_door_tokens
from content.games.second_edition.reader_schema import READERS
from content.games.second_edition.references import NAMING
from content.games.second_edition.schema.box import Box
from content.games.second_edition.schema.campaigns import Campaign
from content.games.second_edition.schema.cards import (
    ConditionCard,
    HarmCard,
    InsaneBack,
    InvestigatorCard,
    ItemCard,
    SpellCard,
)
from content.games.second_edition.schema.effects import Step
from content.games.second_edition.schema.kinds import Kind
from content.games.second_edition.schema.monsters import Ability, MonsterCard
from content.games.second_edition.schema.pack import Pack
from content.games.second_edition.schema.products import Product
from content.games.second_edition.schema.scenario import Scenario
from content.games.second_edition.schema.shared import PackTile, Person, SharedEvent
from content.language.calls import check_calls
from content.language.drawings import opened
from content.language.loader import Entries, PackFiles, Reading
from content.language.products import check_products, with_marks
from content.reading.files import Folder, digest_of, read_files, shipped
from content.reading.gaps import Gap
from content.reading.mistakes import ContentError, ContentErrors
from content.reading.sheet import Sheet
from content.reading.words import Wordings
from protocol.games.second_edition.table import RULESET, Harm


def _with_drawings(scenario: Scenario, sheet: Sheet) -> Scenario:
    """Return a scenario in which tiles taken from the pack (`of`) have their drawings."""
    tiles = tuple(
        attrs.evolve(tile, drawing=opened(sheet.kept.get(tile.of, ""), tile.doors))
        if tile.of is not None
        else tile
        for tile in scenario.tiles
    )
    return attrs.evolve(scenario, tiles=tiles)


# Readers are compiled when they are first needed, once for all packs.
FILES = PackFiles(
    READERS,
    NAMING,
    lists={
        "investigators.yaml": Entries(InvestigatorCard, "investigators", Kind.INVESTIGATOR),
        "items.yaml": Entries(ItemCard, "items", Kind.ITEM),
        "spells.yaml": Entries(SpellCard, "spells", Kind.SPELL),
        "damage.yaml": Entries(HarmCard, "harms", Kind.HARM, {"harm": Harm.DAMAGE}),
        "horror.yaml": Entries(HarmCard, "harms", Kind.HARM, {"harm": Harm.HORROR}),
        "conditions.yaml": Entries(ConditionCard, "conditions", Kind.CONDITION),
        "insane.yaml": Entries(InsaneBack, "insane", Kind.INSANE),
        "monsters.yaml": Entries(MonsterCard, "monsters", Kind.MONSTER),
        "abilities.yaml": Entries(Ability, "abilities", Kind.ABILITY),
        "products.yaml": Entries(Product, "products", Kind.PRODUCT),
        "campaigns.yaml": Entries(Campaign, "campaigns", Kind.CAMPAIGN),
        "tiles.yaml": Entries(PackTile, "tiles", Kind.PACK_TILE),
        "persons.yaml": Entries(Person, "persons", Kind.PERSON),
        "mythos.yaml": Entries(SharedEvent, "events", Kind.SHARED_EVENT),
    },
    objects={"box.yaml": Box},
    scenario=Scenario,
    missed=(Kind.SCENARIO, Kind.ROOM_TRAIT),
    with_name=frozenset(
        [
            *("investigator", "item", "room", "monster", "token", "damage", "horror", "condition"),
            *("insane", "skill", "code", "spell", "back", "person"),
        ]
    ),
    # Scenarios need the drawings of the tiles that they lay.
    first=frozenset(["tiles.yaml"]),
    finished=_with_drawings,
)
LIST_FILES = frozenset(FILES.lists)
FILE_CLASSES = FILES.classes


@attrs.frozen
class PackSource:
    """A pack, with the places in its files of everything in it."""

    pack: Pack
    sheet: Sheet
    wordings: Wordings


def load_core() -> Pack:
    """Return the bundled core pack."""
    return load_pack(shipped(RULESET) / "core")


def load_pack(
    folder: Folder | str, read: "Callable[[Folder], Mapping[str, bytes]] | None" = None
) -> Pack:
    """
    Load a pack.

    Args:
        folder: the folder of the pack, whose name is the id of the pack.
        read: reads the files of a folder by name; by default `read_files`.

    Raises:
        ContentErrors: the pack cannot be used; the error has all mistakes.
    """
    where = Path(folder).resolve() if isinstance(folder, str | Path) else folder
    return load_source(where.name, (read or read_files)(where)).pack


def gaps(pack_id: str, files: Mapping[str, bytes]) -> tuple[Gap, ...]:
    """Return the words that a pack names and lacks; empty if its words cannot be read."""
    return FILES.read(pack_id, files).gaps()


def load_source(pack_id: str, files: Mapping[str, bytes]) -> PackSource:
    """
    Load a pack from its files, with the places of everything in it.

    Raises:
        ContentErrors: the pack cannot be used; the error has all mistakes.
    """
    reading = FILES.read(pack_id, files)
    reading.check()
    errors = reading.sheet.errors
    errors.extend(check_products(reading.lists["products"], reading.places(Kind.PRODUCT)))
    campaigns = reading.lists["campaigns"].values()
    errors.extend(check_campaigns(campaigns, reading.scenarios, reading.sheet))
    # Words know a token by its id alone, so it is the same person in all scenarios.
    persons: dict[str, str | None] = {}
    for file, scenario in reading.scenarios.items():
        for token in scenario.tokens:
            if persons.setdefault(token.id, token.person) != token.person:
                reason = "another scenario has a token of this id that is another person; rename it"
                errors.append(ContentError.at(reading.places(Kind.TOKEN, file)[token.id], reason))
    for file, scenario in reading.scenarios.items():
        # With a tile that cannot be read, the board would seem to have further mistakes.
        if (file, Kind.SPACE) not in reading.sheet.incomplete:
            errors.extend(check_board(scenario, reading.places(Kind.TILE, file)))
            errors.extend(check_door_tokens(scenario, reading.places(Kind.DOOR_TOKEN, file)))
        places = reading.places(Kind.EFFECT, file)
        errors.extend(check_calls(scenario.effects, places, Kind.EFFECT, Step))
    if errors:
        raise ContentErrors(errors)
    return PackSource(_pack(reading, files), reading.sheet, reading.wordings)


def _pack(reading: Reading, files: Mapping[str, bytes]) -> Pack:
    # The words of a person's token are the person's, under its own.
    persons = {
        token.id: token.person
        for scenario in reading.scenarios.values()
        for token in scenario.tokens
        if token.person is not None
    }
    catalogs: dict[str, Any] = {}
    for language, wordings in reading.wordings.items():
        words = {subject: wording.fields for subject, wording in wordings.items()}
        of_tokens = {id_: {**words[who], **words.get(id_, {})} for id_, who in persons.items()}
        catalogs[language] = with_marks({**words, **of_tokens}, reading.lists["products"])
    # The easiest comes first: it is what newcomers are offered.
    by_difficulty = sorted(
        reading.scenarios.values(), key=lambda s: (s.difficulty, s.minutes, s.id)
    )
    campaigns = reading.lists["campaigns"].values()
    return Pack(
        id=reading.pack_id,
        scenarios={scenario.id: with_campaign(scenario, campaigns) for scenario in by_difficulty},
        catalogs=catalogs,
        digest=digest_of(files),
        box=reading.objects.get("box.yaml", Box()),
        **reading.lists,
    )
