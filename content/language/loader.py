"""
Loading a pack: from a folder of files to a `Pack` that rules can read, or to all its mistakes.

Reading goes in three steps: bytes to nodes (`content.reading.yaml_subset`), nodes to values of the
schema (`content.reading.typed`, with `checks` for each object), and then what needs everything
together: that what is named exists, that tiles fit, and that the languages say the same.
"""

import enum
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

from content.games.second_edition.campaigns import check_campaigns, with_campaign
from content.games.second_edition.maps import check_board, check_door_tokens
from content.games.second_edition.reader_schema import READERS
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
from content.games.second_edition.schema.monsters import Ability, MonsterCard
from content.games.second_edition.schema.pack import Pack
from content.games.second_edition.schema.products import Product
from content.games.second_edition.schema.scenario import Scenario
from content.games.second_edition.schema.shared import PackTile, Person, SharedEvent
from content.language.calls import check_calls
from content.language.drawings import opened
from content.language.references import (
    ALWAYS,
    ANY_OF,
    BY_RULES,
    KINDS,
    OF_SCENARIO,
    OF_SORT,
    Kind,
)
from content.reading.files import PACK_FILE, Folder, digest_of, read_files, shipped
from content.reading.gaps import Gap, gaps_in
from content.reading.mistakes import ContentError, ContentErrors, Place, suggestion
from content.reading.names import SUBJECT
from content.reading.schema import Read
from content.reading.sheet import Reference, Sheet
from content.reading.typed import BROKEN, entry_name
from content.reading.words import LANGUAGES, Wordings, check_named, check_parity, read_words
from content.reading.yaml_subset import Listing, Node, read_yaml
from protocol.common.text import SubjectWords
from protocol.games.second_edition.table import RULESET, Harm


@attrs.frozen
class _Cards:
    """One kind of card file."""

    made: type
    field: str
    """The field of `Pack` that holds these cards."""
    kind: Kind
    given: Mapping[str, Any] = attrs.field(factory=dict)


_CARD_FILES: Mapping[str, _Cards] = {
    "investigators.yaml": _Cards(InvestigatorCard, "investigators", Kind.INVESTIGATOR),
    "items.yaml": _Cards(ItemCard, "items", Kind.ITEM),
    "spells.yaml": _Cards(SpellCard, "spells", Kind.SPELL),
    "damage.yaml": _Cards(HarmCard, "harms", Kind.HARM, {"harm": Harm.DAMAGE}),
    "horror.yaml": _Cards(HarmCard, "harms", Kind.HARM, {"harm": Harm.HORROR}),
    "conditions.yaml": _Cards(ConditionCard, "conditions", Kind.CONDITION),
    "insane.yaml": _Cards(InsaneBack, "insane", Kind.INSANE),
    "monsters.yaml": _Cards(MonsterCard, "monsters", Kind.MONSTER),
    "abilities.yaml": _Cards(Ability, "abilities", Kind.ABILITY),
    "products.yaml": _Cards(Product, "products", Kind.PRODUCT),
    "campaigns.yaml": _Cards(Campaign, "campaigns", Kind.CAMPAIGN),
    "tiles.yaml": _Cards(PackTile, "tiles", Kind.PACK_TILE),
    "persons.yaml": _Cards(Person, "persons", Kind.PERSON),
    "mythos.yaml": _Cards(SharedEvent, "events", Kind.SHARED_EVENT),
}
"""Each may also be a folder of files of the same shape, such as `monsters/rats.yaml`."""

_WITH_NAME = frozenset(
    [
        *("investigator", "item", "room", "monster", "token", "damage", "horror", "condition"),
        *("insane", "skill", "code", "spell", "back", "person"),
    ]
)
"""The first parts of the subjects that need a name."""
LIST_FILES = frozenset(_CARD_FILES)
"""The files that are a list of entries."""
FILE_CLASSES: Mapping[str, type] = {
    **{name: cards.made for name, cards in _CARD_FILES.items()},
    "box.yaml": Box,
    "scenario.yaml": Scenario,
}
"""What stands in each file; `scenario.yaml` for any in `scenarios`."""

# Readers are compiled when the module is imported, once for all packs.
_CARD_READERS: Mapping[str, Read] = {
    name: READERS.of_object(cards.made, cards.given) for name, cards in _CARD_FILES.items()
}
_SCENARIO_READER = READERS.of_object(Scenario)
_BOX_READER = READERS.of_object(Box)


@attrs.frozen
class PackSource:
    """A pack and where everything in it stands."""

    pack: Pack
    sheet: Sheet
    wordings: Wordings


@attrs.define
class _Reading:
    """What has been read of a pack so far."""

    pack_id: str
    sheet: Sheet = attrs.field(factory=lambda: Sheet(KINDS))
    cards: dict[str, dict[str, Any]] = attrs.field(
        factory=lambda: {cards.field: {} for cards in _CARD_FILES.values()}
    )
    scenarios: dict[str, Scenario] = attrs.field(factory=dict)
    """By file."""
    wordings: Wordings = attrs.field(factory=lambda: {language: {} for language in LANGUAGES})
    box: Box = attrs.field(factory=Box)
    has_all_words: bool = True
    """Whether every file of words could be read."""


def load_core() -> Pack:
    """Return the core pack that comes with the program."""
    return load_pack(shipped(RULESET) / "core")


def load_pack(
    folder: Folder | str, read: "Callable[[Folder], Mapping[str, bytes]] | None" = None
) -> Pack:
    """
    Load a pack.

    Args:
        folder: where it lies; the name of the folder is the id of the pack.
        read: how its files are read, by name inside the folder; `read_files` if left out.

    Raises:
        ContentErrors: the pack cannot be used; tells everything that must be mended.
    """
    where = Path(folder).resolve() if isinstance(folder, str | Path) else folder
    return load_source(where.name, (read or read_files)(where)).pack


def gaps(pack_id: str, files: Mapping[str, bytes]) -> tuple[Gap, ...]:
    """Return the words that a pack names and lacks; nothing where its words cannot be read."""
    reading = _read(pack_id, files)
    if not reading.has_all_words:
        return ()
    named = (
        (reference.id, reference.kind.value)
        for reference in reading.sheet.references
        if reference.kind in {Kind.TEXT, Kind.NAME} and SUBJECT.fullmatch(reference.id)
    )
    return tuple(gaps_in(named, reading.wordings))


def load_source(pack_id: str, files: Mapping[str, bytes]) -> PackSource:
    """
    Load a pack from its files, and keep where everything stands in them.

    Raises:
        ContentErrors: the pack cannot be used; tells everything that must be mended.
    """
    reading = _read(pack_id, files)
    errors = reading.sheet.errors
    errors.extend(_check_ids(reading))
    errors.extend(_check_references(reading))
    errors.extend(_check_products(reading))
    campaigns = reading.cards["campaigns"].values()
    errors.extend(check_campaigns(campaigns, reading.scenarios, reading.sheet))
    errors.extend(_check_persons(reading))
    errors.extend(_check_scenarios(reading))
    if reading.has_all_words:
        errors.extend(check_parity(reading.wordings))
    if errors:
        raise ContentErrors(errors)
    return PackSource(_pack(reading, files), reading.sheet, reading.wordings)


def _read(pack_id: str, files: Mapping[str, bytes]) -> _Reading:
    reading = _Reading(pack_id)
    for name in sorted(files, key=_turn):
        _read_file(name, files[name], reading)
    return reading


def _turn(name: str) -> tuple[bool, str]:
    """Return when a file is read: scenarios need the drawings of the tiles that they lay."""
    return _card_file(name) != "tiles.yaml", name


def _card_file(name: str) -> str | None:
    """Return which card file this is, or is a part of; None if it is none."""
    folder, slash, rest = name.partition("/")
    whole = f"{folder}.yaml" if slash and rest.endswith(".yaml") and "/" not in rest else name
    return whole if whole in _CARD_FILES else None


def _read_file(name: str, data: bytes, reading: _Reading) -> None:
    if name == PACK_FILE:
        # Whoever chose this loader for the pack has read it.
        return
    parts = name.split("/")
    if _card_file(name) is not None:
        readers: Callable[[str, Node | None, _Reading], None] = _read_cards
    elif name == "box.yaml":
        readers = _read_box
    elif len(parts) == 2 and parts[0] == "scenarios" and name.endswith(".yaml"):
        readers = _read_scenario
    elif len(parts) == 3 and parts[:2] in [["words", language] for language in LANGUAGES]:
        readers = _read_words
    else:
        known = [PACK_FILE, *_CARD_FILES, "box.yaml", "scenarios/<name>.yaml"]
        known += [file.replace(".yaml", "/<name>.yaml") for file in _CARD_FILES]
        known += [f"words/{language}/<name>.yaml" for language in LANGUAGES]
        reason = f"a pack has no such file; {suggestion(name, known)}"
        reading.sheet.errors.append(ContentError(name, 1, 1, "", reason))
        return
    node, errors = read_yaml(name, data)
    reading.sheet.errors.extend(errors)
    readers(name, node, reading)


def _read_cards(name: str, node: Node | None, reading: _Reading) -> None:
    file = _card_file(name)
    assert file is not None
    cards, sheet = _CARD_FILES[file], reading.sheet
    sheet.turn_to(name, "", cards.made)
    if not isinstance(node, Listing):
        sheet.miss(cards.kind, *OF_SORT)
        if node is not None:
            sheet.fault(node, "expected a list; begin each card with '- id: …'")
        return
    for index, entry in enumerate(node.items):
        sheet.path.append(entry_name(entry, index))
        card = _CARD_READERS[file](entry, sheet)
        if card is BROKEN:
            sheet.miss(*OF_SORT)
        else:
            reading.cards[cards.field].setdefault(card.id, card)
        sheet.path.pop()


def _read_box(name: str, node: Node | None, reading: _Reading) -> None:
    reading.sheet.turn_to(name, "", Box)
    box: Any = BROKEN if node is None else _BOX_READER(node, reading.sheet)
    if box is not BROKEN:
        reading.box = box


def _read_scenario(name: str, node: Node | None, reading: _Reading) -> None:
    sheet = reading.sheet
    sheet.turn_to(name, name, Scenario)
    if node is None:
        sheet.miss(Kind.SCENARIO, Kind.ROOM_TRAIT)
        return
    scenario = _SCENARIO_READER(node, sheet)
    if scenario is BROKEN:
        sheet.miss(Kind.ROOM_TRAIT)
        return
    scenario = _with_drawings(scenario, sheet.kept)
    reading.scenarios[name] = scenario


def _with_drawings(scenario: Scenario, drawings: Mapping[str, str]) -> Scenario:
    """Return the scenario with the drawings of the pack's tiles that it lays."""
    tiles = tuple(
        attrs.evolve(tile, drawing=opened(drawings.get(tile.of, ""), tile.doors))
        if tile.of is not None
        else tile
        for tile in scenario.tiles
    )
    return attrs.evolve(scenario, tiles=tiles)


def _read_words(name: str, node: Node | None, reading: _Reading) -> None:
    reading.sheet.turn_to(name, "", str)
    if node is None:
        reading.has_all_words = False
        return
    read_words(node, reading.sheet, reading.wordings[name.split("/")[1]], _WITH_NAME)


def _check_ids(reading: _Reading) -> Iterator[ContentError]:
    """Yield the scenarios whose id is not that of the pack and of the file; once for a renamed."""
    wrong = {
        file: (scenario.id, expected)
        for file, scenario in reading.scenarios.items()
        if scenario.id != (expected := f"{reading.pack_id}/{_short(file)}")
    }
    packs = {id_.partition("/")[0] for id_, _ in wrong.values()}
    is_renamed = (
        len(packs) == 1
        and len(wrong) == len(reading.scenarios)
        and all(id_.partition("/")[2] == _short(file) for file, (id_, _) in wrong.items())
    )
    for file, (_, expected) in wrong.items():
        reason = f"the id of this file's scenario is {expected!r}"
        if is_renamed:
            (pack,) = packs
            reason = (
                f"the folder of this pack is called {reading.pack_id!r} now; call it {pack!r} "
                f"again, or write '{reading.pack_id}/…' in the ids of its scenarios and their words"
            )
        yield ContentError.at(reading.sheet.keys[file, "id"], reason)
        if is_renamed:
            return


def _short(file: str) -> str:
    """Return the last part of the id of a scenario, by its file."""
    return file.removeprefix("scenarios/").removesuffix(".yaml")


def _check_references(reading: _Reading) -> Iterator[ContentError]:
    for reference in reading.sheet.references:
        if reference.kind in {Kind.TEXT, Kind.NAME}:
            if reading.has_all_words:
                yield from check_named(
                    reference.kind.value, reference.id, reference.place, reading.wordings
                )
        elif reference.kind in OF_SCENARIO and not reference.scope:
            reason = f"a {reference.kind.value} belongs to one scenario; only it can name it"
            if (always := ALWAYS.get(reference.kind)) is not None:
                reason += f"; {suggestion(reference.id, always)}"
            yield ContentError.at(reference.place, reason)
        elif (missing := _missing(reference, reading.sheet)) is not None:
            yield ContentError.at(reference.place, missing)


def _check_products(reading: _Reading) -> Iterator[ContentError]:
    """Yield what is in two products: it could be on and off at once."""
    owners: dict[str, str] = {}
    for product in reading.cards["products"].values():
        for component in product.holds:
            owner = owners.setdefault(component, product.id)
            if owner != product.id:
                reason = f"{component} belongs to {owner} already; leave it out of one of them"
                place = reading.sheet.declared["", Kind.PRODUCT][product.id]
                yield ContentError.at(place, reason)


def _check_persons(reading: _Reading) -> Iterator[ContentError]:
    """Yield the tokens that mean one person here and another there: the words know one only."""
    persons: dict[str, str | None] = {}
    for file, scenario in reading.scenarios.items():
        for token in scenario.tokens:
            if persons.setdefault(token.id, token.person) != token.person:
                reason = "another scenario has a token of this id that is another person; rename it"
                yield ContentError.at(reading.sheet.declared[file, Kind.TOKEN][token.id], reason)


def _missing(reference: Reference, sheet: Sheet) -> str | None:
    kinds = ANY_OF.get(reference.kind, (reference.kind,))
    known: list[str] = list(ALWAYS.get(reference.kind, ()))
    meant: list[enum.Enum] = []
    for kind in kinds:
        scope = reference.scope if kind in OF_SCENARIO else ""
        # Where something could not be read, what seems to be missing may be there.
        if (scope, kind) in sheet.incomplete:
            return None
        declared = sheet.declared.get((scope, kind), {})
        known.extend(declared)
        meant.extend([kind] if reference.id in declared else [])
    if reference.kind is Kind.CONDITION:
        # Insane has no card of its own: its backs are the cards, and rules deal them.
        known.extend(sorted(BY_RULES))
    if len(meant) > 1:
        both = " and ".join(f"a {kind.value}" for kind in meant)
        return f"{reference.id!r} is {both}; rename one of them"
    if reference.id in known:
        return None
    return f"there is no {reference.kind.value} {reference.id[:80]!r}; " + suggestion(
        reference.id, known
    )


def _check_scenarios(reading: _Reading) -> Iterator[ContentError]:
    for file, scenario in reading.scenarios.items():
        if (file, Kind.SPACE) not in reading.sheet.incomplete:
            yield from check_board(scenario, _places(reading.sheet, file, Kind.TILE))
            yield from check_door_tokens(scenario, _places(reading.sheet, file, Kind.DOOR_TOKEN))
        yield from check_calls(scenario.effects, _places(reading.sheet, file, Kind.EFFECT))


def _places(sheet: Sheet, scope: str, kind: Kind) -> Mapping[str, Place]:
    return sheet.declared.get((scope, kind), {})


def _pack(reading: _Reading, files: Mapping[str, bytes]) -> Pack:
    catalogs = {
        language: _with_persons(
            {subject: wording.fields for subject, wording in wordings.items()}, reading
        )
        for language, wordings in reading.wordings.items()
    }
    # The easiest stands first: it is what newcomers are offered.
    by_difficulty = sorted(
        reading.scenarios.values(), key=lambda s: (s.difficulty, s.minutes, s.id)
    )
    campaigns = reading.cards["campaigns"].values()
    scenarios = {scenario.id: with_campaign(scenario, campaigns) for scenario in by_difficulty}
    return Pack(
        id=reading.pack_id,
        scenarios=scenarios,
        catalogs=catalogs,
        digest=digest_of(files),
        box=reading.box,
        **reading.cards,
    )


def _with_persons(
    words: Mapping[str, SubjectWords], reading: _Reading
) -> Mapping[str, SubjectWords]:
    """Return the words with those of every person's tokens: the person's, then their own."""
    of_tokens = {
        token.id: {**words[token.person], **words.get(token.id, {})}
        for scenario in reading.scenarios.values()
        for token in scenario.tokens
        if token.person is not None
    }
    return {**words, **of_tokens}
