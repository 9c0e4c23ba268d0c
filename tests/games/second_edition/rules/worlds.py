"""Worlds: small drawn boards with a few investigators.

A test states what matters to it and relies on defaults for the rest: Ada is in `house/a` of a house
of two rooms, and every skill is 3. Example: `bench = world(monsters=[("monster/drowned",
"house/a")])`, then `bench.run(turn.take_action(bench.game), "house/b", …)`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from content.games.second_edition.schema.box import Box
from content.games.second_edition.schema.cards import (
    ConditionCard,
    HarmCard,
    InsaneBack,
    InvestigatorCard,
    ItemCard,
    Powers,
    SpellCard,
    WeaponKind,
)
from content.games.second_edition.schema.counters import Counter
from content.games.second_edition.schema.effects import Amount, Effect
from content.games.second_edition.schema.monsters import (
    Ability,
    Activation,
    Entry,
    MonsterCard,
    Target,
)
from content.games.second_edition.schema.pack import Content, Pack
from content.games.second_edition.schema.scenario import MapRoom, Scenario, Tile, TokenCard
from content.games.second_edition.schema.shared import SharedEvent
from protocol.boards.maps import Map, PlacedTile
from protocol.common.chance import Stream
from protocol.common.table import Settings
from protocol.common.text import Catalog
from protocol.games.second_edition.events import (
    BacksLaidOut,
    InvestigatorJoined,
    InvestigatorMoved,
    PhaseBegan,
    SupplyLaidOut,
    TurnBegan,
)
from protocol.games.second_edition.table import (
    INSANE_DECK,
    Harm,
    Phase,
    SecondEditionTable,
    Skill,
    deck,
)
from server.games.second_edition.rules import adjacency, board, monsters, possessions, ruleset, turn
from tests.games.second_edition.rules.bench import Bench

ADA, BEN, CORA = "investigator/ada", "investigator/ben", "investigator/cora"
DROWNED, RAT = "monster/drowned", "monster/rat"

HOUSE = """
+-------+-----+-----+
|       :     1     |
|   a   :  b  =  c  |
|       :     =     |
+-------+-----+-----+
"""
"""A hall of two spaces, and a study behind a door."""
HOUSE_ROOMS = {"a": "room/hall", "b": "room/hall", "c": "room/study"}

ROW = """
+---+---+---+---+---+
| a : b : c : d : e |
+---+---+---+---+---+
"""
"""Five spaces in a row, joined by borders."""
ROW_ROOMS = dict.fromkeys("abcde", "room/hall")


def drawn(picture: str) -> str:
    """Return a drawing without the line breaks around it."""
    return picture.strip("\n") + "\n"


def tile(
    picture: str = HOUSE,
    rooms: Mapping[str, str] | None = None,
    *,
    id: str = "house",  # noqa: A002 (the field's name)
    row: int = 0,
    column: int = 0,
) -> Tile:
    letters = dict.fromkeys((c for c in picture if c.islower()), "room/hall")
    return Tile(id, row, column, drawn(picture), rooms or letters)


def placed(picture: str, rooms: Mapping[str, str] | None = None, **where: Any) -> PlacedTile:
    made = tile(picture, rooms, **where)
    lines = tuple(made.drawing.rstrip("\n").split("\n"))
    return PlacedTile(made.id, made.row, made.column, lines, tuple(sorted(made.rooms.items())))


def investigator_card(card_id: str = ADA, **changes: Any) -> InvestigatorCard:
    """Return an investigator with health and sanity 7, every skill 3 and no ability."""
    card = InvestigatorCard(card_id, 7, 7, 3, 3, 3, 3, 3, 3, Powers())
    return attrs.evolve(card, **changes)


def entry(*effect: Any, text: str = "text/entry") -> Entry:
    """Return one text with its effect."""
    return Entry(text, tuple(effect))


def activation(**changes: Any) -> Activation:
    """Return an activation: move one space toward the nearest, and attack without effect."""
    usual = Activation(
        text="text/activation",
        spaces=1,
        toward=Target.NEAREST,
        target=Target.NEAREST,
        attack_text="text/attacks",
        attack=(),
    )
    return attrs.evolve(usual, **changes)


def monster_card(card_id: str = DROWNED, **changes: Any) -> MonsterCard:
    """Return a monster with health 3, other values 1, and texts without effect.

    Each kind of text has one entry, so nothing is drawn.
    """
    usual = MonsterCard(
        id=card_id,
        awareness=1,
        horror_rating=1,
        brawn=1,
        health=Amount(3),
        copies=4,
        evades=(entry(text="text/evade"),),
        horrors=(entry(text="text/horror"),),
        attacks={kind: (entry(text=f"text/attack_{kind.value}"),) for kind in WeaponKind},
        activations=(activation(),),
    )
    return attrs.evolve(usual, **changes)


def harm_card(card_id: str, harm: Harm, *, copies: int = 10, **changes: Any) -> HarmCard:
    """Return a Damage or Horror card without effect."""
    return attrs.evolve(HarmCard(card_id, harm, copies, keep=Powers()), **changes)


def insane_back(card_id: str = "insane/calm", **changes: Any) -> InsaneBack:
    """Return the back of an Insane Condition without effect, for any number of players."""
    return attrs.evolve(InsaneBack(card_id, 2, 1), **changes)


def by_id(cards: Sequence[Any]) -> dict[str, Any]:
    return {card.id: card for card in cards}


def pack(
    *,
    investigators: Sequence[InvestigatorCard] = (),
    items: Sequence[ItemCard] = (),
    spells: Sequence[SpellCard] = (),
    harms: Sequence[HarmCard] = (),
    conditions: Sequence[ConditionCard] = (),
    insane: Sequence[InsaneBack] = (),
    monster_cards: Sequence[MonsterCard] = (),
    abilities: Sequence[Ability] = (),
    box: Box | None = None,
    events: Sequence[SharedEvent] = (),
    catalogs: Mapping[str, Catalog] | None = None,
) -> Pack:
    """Return a pack; parts that are not given have plain content."""
    people = [investigator_card(person) for person in (ADA, BEN, CORA)]
    plain = [harm_card(f"{harm.value}/plain", harm) for harm in Harm]
    return Pack(
        id="test",
        investigators=by_id([*people, *investigators]),
        items=by_id(items),
        harms=by_id(harms or plain),
        conditions=by_id(conditions or [ConditionCard("condition/wounded", 4)]),
        insane=by_id(insane or [insane_back()]),
        monsters=by_id([monster_card(), monster_card(RAT), *monster_cards]),
        abilities=by_id(abilities),
        scenarios={},
        catalogs=catalogs or {},
        digest=b"",
        box=box or Box(),
        spells=by_id(spells),
        events=by_id(events),
    )


def scenario(**changes: Any) -> Scenario:
    """Return a scenario in the house, begun in `house/a`, in which nothing happens."""
    usual = Scenario(
        id="test/house",
        minutes=1,
        difficulty=1,
        start="house/a",
        starting_items=(),
        prologue="text/prologue",
        setup=(),
        rooms=(MapRoom("room/hall"), MapRoom("room/study")),
        tiles=(tile(rooms=HOUSE_ROOMS),),
        tokens=(),
        mythos=(),
        eliminated_epilogue="text/epilogue_eliminated",
    )
    return attrs.evolve(usual, **changes)


def counted(*names: str, **counters: Counter) -> dict[str, Counter]:
    """Return counters: default ones with these names, and others as given."""
    return {**dict.fromkeys(names, Counter()), **counters}


def world(
    *,
    at: Mapping[str, str] | None = None,
    seats: Sequence[tuple[int, str]] | None = None,
    monsters: Sequence[tuple[str, str]] = (),
    tokens: Sequence[TokenCard] = (),
    tiles: Sequence[Tile] | None = None,
    has: Mapping[str, Sequence[str]] | None = None,
    turn_of: str | None = ADA,
    scenario_parts: Mapping[str, Any] | None = None,
    **pack_parts: Any,
) -> Bench:
    """Return a bench with a board in play, in the Investigator phase of round 1.

    Args:
        at: investigator -> space; by default Ada in `house/a`.
        seats: (seat, investigator); by default a seat for each.
        monsters: (kind, space) in order of appearance.
        tokens: tokens of the scenario, all placed.
        tiles: tiles of the scenario, all placed.
        has: investigator -> item ids.
        turn_of: investigator whose turn it is, with two actions; None for nobody.
        scenario_parts: other fields of the scenario.
    """
    at = at or {ADA: "house/a"}
    pieces = seats or tuple(enumerate(at))
    tiles = tuple(tiles) if tiles is not None else (tile(rooms=HOUSE_ROOMS),)
    parts = {"tiles": tiles, "tokens": tuple(tokens), **(scenario_parts or {})}
    content = Content(pack(**pack_parts), scenario(**parts))
    bench = Bench(content, pieces=pieces)
    lay_out_decks(bench)
    join(bench, pieces)
    for one in tiles:
        board.place_tile(bench.game, one.id)
    for person, space in at.items():
        bench.emit(InvestigatorMoved(person, space))
    for token in tokens:
        board.place_token(bench.game, token.id)
    for kind, space in monsters:
        spawned(bench, kind, space)
    for person, items in (has or {}).items():
        for item in items:
            give(bench, person, item)
    bench.emit(PhaseBegan(Phase.INVESTIGATOR, 1))
    if turn_of is not None:
        begin_turn(bench, turn_of)
    return bench


def lay_out_decks(bench: Bench) -> None:
    """Lay out supply, Damage, Horror and Insane decks, unshuffled."""
    content = bench.game.content.pack
    possessions.lay_out_copies(bench.game)
    bench.emit(SupplyLaidOut(possessions.full_supply(bench.game)))
    bench.emit(BacksLaidOut(possessions.open_backs(bench.game)))
    for harm in Harm:
        of_kind = [card for card in content.harms.values() if card.harm is harm]
        names = [card.id for card in of_kind for _ in range(card.copies)]
        bench.shuffle(deck(harm), names, Stream.SETUP)
    backs = [card.id for card in content.insane.values() for _ in range(card.copies)]
    bench.shuffle(INSANE_DECK, backs, Stream.SETUP)


def join(bench: Bench, pieces: Sequence[tuple[int, str]]) -> None:
    for seat, person in pieces:
        card = bench.game.content.pack.investigators[person]
        skills = {skill: getattr(card, skill.value) for skill in Skill}
        bench.emit(InvestigatorJoined(person, seat, card.health, card.sanity, skills))


def spawned(bench: Bench, kind: str, space: str) -> str:
    """Spawn a monster and return its id."""
    monster = monsters.spawn(bench.game, kind, space)
    assert monster is not None, "no copy left"
    return monster


def give(bench: Bench, person: str, item: str) -> str:
    """Give an Item or a Spell to an investigator; return its id on the table."""
    possession = possessions.gain(bench.game, person, item)
    assert possession is not None, "no copy left"
    return possession


def begin_turn(bench: Bench, person: str, actions: int = turn.ACTIONS) -> None:
    bench.emit(TurnBegan(person, actions))


def proceed(bench: Bench, *answers: Any) -> None:
    """Run the next procedure of the rules."""
    procedure = ruleset.SecondEdition().next_procedure(bench.game)
    assert procedure is not None, "the game is over"
    bench.run(procedure, *answers)


def always_as_proposed(bench: Bench) -> Bench:
    """Return the bench with a table that accepts proposed orders and ties."""
    bench.table = bench.table.with_room(settings=Settings(as_proposed=True))
    return bench


def offered(bench: Bench) -> list[str]:
    """Return the options that the rules offer next, as `subject` or `subject piece`."""
    proceed(bench, ...)
    assert bench.open is not None, "nothing is asked"
    return [
        " ".join([option.text.subject, *(p.piece for p in option.points)])
        for prompt in bench.open.prompts.values()
        for option in prompt.options
    ]


def refused(bench: Bench, *subjects: str) -> list[tuple[str, str]]:
    """Return subject and rule of the refused choices, optionally of some subjects only."""
    assert bench.open is not None
    return [
        (choice.text.subject, choice.rule)
        for prompt in bench.open.prompts.values()
        for choice in prompt.refused
        if not subjects or choice.text.subject in subjects
    ]


def where(bench: Bench) -> dict[str, str | None]:
    """Return the spaces of all investigators and monsters."""
    table = bench.game_table
    people = {i.investigator_id: i.space for i in table.investigators.values()}
    return {**people, **{m.monster_id: m.space for m in table.monsters.values()}}


def effect(*steps: Any) -> Effect:
    return tuple(steps)


def neighbours(table: SecondEditionTable, space: str) -> tuple[str, ...]:
    return adjacency.unique(way.to for way in adjacency.ways(table, space))


def rooms_beside(board_map: Map, room: str) -> set[str]:
    """Return the rooms that share a line of any kind with this room."""
    across = [
        board_map.rooms[edge.across(space)]
        for space in board_map.spaces_of(room)
        for edge in board_map.edges_of(space)
    ]
    return {*across} - {room}
