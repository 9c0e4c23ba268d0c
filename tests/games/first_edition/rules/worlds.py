"""
Worlds: small drawn boards with a keeper and a few investigators.

A test states what matters to it and relies on defaults for the rest: Ada is in the hall of a house
of two rooms, every attribute is 5, and nobody has skill points. Example:
`bench = world(monsters=[("monster/rat", "house/b")], mythos=("mythos/chill",))`, then
`bench.run(turn.take_step(bench.game), "house/b")`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from content.games.first_edition.schema.cards import (
    ActionCard,
    CharacterCard,
    CombatCard,
    ItemCard,
    LowerHalf,
    MonsterBack,
    MonsterCard,
    MythosCard,
    SpellBack,
    SpellCard,
    TraitCard,
    TraumaCard,
    UpperHalf,
)
from content.games.first_edition.schema.effects import HurtMonster, Step, Suffer
from content.games.first_edition.schema.pack import Content, Pack
from content.games.first_edition.schema.requirements import Deaths, Requirement
from content.games.first_edition.schema.story import (
    LaidTile,
    Objective,
    OnLastEvent,
    QuestionOption,
    Room,
    Story,
    StoryEvent,
    StoryQuestion,
)
from protocol.boards.links import Link
from protocol.boards.maps import CornerTile
from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import (
    MYTHOS_HAND,
    TRAUMA_HAND,
    CounterLine,
    KeeperAction,
    KeeperStep,
)
from protocol.games.first_edition.words import (
    KEEPER,
    AttackKind,
    Attribute,
    FeatureKind,
    LowerUse,
    MonsterClass,
    TraumaKind,
)
from server.games.first_edition.rules import decks, land, monsters, newcomers, turn
from tests.games.first_edition.rules.bench import KIM, Bench

ADA, BEN, CORA, DAN = (f"investigator/{name}" for name in ("ada", "ben", "cora", "dan"))
EVERYBODY = (ADA, BEN, CORA, DAN)
RAT, MAN, SHADE = "monster/rat", "monster/man", "monster/shade"
"""A beast, a humanoid and an eldritch monster."""

HOUSE = """
+-------+-----+-----+
|       :     1     |
|   a   :  b  =  c  |
|       :     =     |
+-------+-----+-----+
"""
"""A hall of two spaces, and a study behind a door."""
HOUSE_ROOMS = {"a": "room/hall", "b": "room/hall", "c": "room/study"}
HALL, STUDY = "room/hall", "room/study"
NEVER = Deaths(99)
"""A condition that never holds."""
FIVES = dict.fromkeys(Attribute, 5)


def monster_card(kind: str, class_: MonsterClass, *special: Step, **fields: Any) -> MonsterCard:
    """Return a type of monster with two backs: health 3, damage 2."""
    backs = tuple(MonsterBack(f"back/{kind[8:]}-{n}", 3, 2, special) for n in (1, 2))
    given = {"awareness": 0, "horror": 0, "figures": 2, "backs": backs, **fields}
    return MonsterCard(kind, class_, **given)


def combat_cards(class_: MonsterClass) -> list[CombatCard]:
    """
    Return nine combat cards of a class.

    A passed attack deals 1 damage; a monster's attack deals 1 damage if strength fails.
    """
    uses = [*[LowerUse.INVESTIGATOR] * 5, LowerUse.HIDDEN, LowerUse.HIDDEN, LowerUse.BARRICADE]
    kinds = [*AttackKind, *AttackKind]
    name = class_.value
    return [
        CombatCard(
            f"combat/{name}-{n}",
            class_,
            UpperHalf(kind, Attribute.STRENGTH, passed=(HurtMonster(1),)),
            LowerHalf(use)
            if use is LowerUse.BARRICADE
            else LowerHalf(use, Attribute.STRENGTH, failed=(Suffer(damage=1),)),
        )
        for n, (kind, use) in enumerate(zip(kinds, uses, strict=True), 1)
    ]


def traits_of(who: str) -> dict[str, TraitCard]:
    """Return two physical and two mental traits of an investigator; all attributes are 5."""
    name = who.partition("/")[2]
    physical = (Attribute.STRENGTH, Attribute.MARKSMANSHIP, Attribute.DEXTERITY)
    mental = tuple(one for one in Attribute if one not in physical)
    found = {}
    for n in (1, 2):
        for group, attributes in (("body", physical), ("mind", mental)):
            card = TraitCard(f"trait/{name}-{group}-{n}", dict.fromkeys(attributes, 5))
            found[card.id] = card
    return found


def pack_of(**cards: Mapping[str, Any]) -> Pack:
    """Return a pack with the people, monsters and combat decks of all worlds, and these cards."""
    people = {}
    for who in EVERYBODY:
        ids = tuple(traits_of(who))
        people[who] = CharacterCard(who, 8, 6, 0, (ids[0], ids[2]), (ids[1], ids[3]))
    own: dict[str, Mapping[str, Any]] = {
        "characters": people,
        "traits": {key: card for who in EVERYBODY for key, card in traits_of(who).items()},
        "monsters": {
            RAT: monster_card(RAT, MonsterClass.BEAST),
            MAN: monster_card(MAN, MonsterClass.HUMANOID),
            SHADE: monster_card(SHADE, MonsterClass.ELDRITCH),
        },
        "combat": {card.id: card for class_ in MonsterClass for card in combat_cards(class_)},
    }
    merged: dict[str, Any] = {
        key: {**own.get(key, {}), **cards.get(key, {})} for key in {**own, **cards}
    }
    return Pack("tests", {}, {}, b"", **merged)


def by_id(*cards: Any) -> dict[str, Any]:
    """Return cards by id, as `pack_of` takes them."""
    return {card.id: card for card in cards}


def objective(
    option: str = "wake",
    *,
    investigators: Requirement = NEVER,
    keeper: Requirement = NEVER,
    last: OnLastEvent = OnLastEvent.KEEPER,
    **fields: Any,
) -> Objective:
    """Return an objective that neither side reaches unless a condition is given."""
    return Objective(f"objective/{option}", option, investigators, keeper, last, **fields)


def story_of(**fields: Any) -> Story:
    """Return a story in the house with one objective and two events."""
    given: dict[str, Any] = {
        "id": "tests/story",
        "minutes": 5,
        "difficulty": 1,
        "intro": "tests/intro",
        "tiles": (LaidTile("house", 0, 0, HOUSE.strip("\n"), HOUSE_ROOMS),),
        "rooms": (Room(HALL), Room(STUDY)),
        "start": "house/a",
        "questions": (StoryQuestion("goal", (QuestionOption("wake"), QuestionOption("flood"))),),
        "objectives": (objective("wake"), objective("flood")),
        "placement": (),
        "clues": (),
        "events": (StoryEvent("event/one", 3), StoryEvent("event/two", 4)),
        "mythos": (),
        "actions": (),
        **fields,
    }
    return Story(**given)


def world(
    people: Sequence[str] = (ADA,),
    *,
    at: Mapping[str, str] | None = None,
    monsters_at: Sequence[tuple[str, str]] = (),
    mythos: Sequence[MythosCard] = (),
    trauma: Sequence[TraumaCard] = (),
    actions: Sequence[ActionCard] = (),
    features: Sequence[tuple[FeatureKind, str]] = (),
    links: Sequence[Link] = (),
    threat: int = 0,
    goal: str = "wake",
    active: str | None = ADA,
    step: KeeperStep | None = None,
    are_led_by_one: bool = False,
    story: Mapping[str, Any] | None = None,
    in_decks: Mapping[str, Sequence[Any]] | None = None,
    **cards: Mapping[str, Any],
) -> Bench:
    """
    Return a bench with a game in round 1.

    Args:
        people: the investigators, in seats 1 and up.
        at: their spaces; the start for those who are not named.
        monsters_at: kind and space of monsters on the board; nobody was tested.
        mythos: the keeper's mythos cards in hand.
        trauma: the keeper's trauma cards in hand.
        actions: the keeper actions.
        features: kind and place of features.
        links: ladders and ducts.
        threat: the keeper's threat.
        goal: the keeper's answer, which selects the objective.
        active: whose turn it is; None between turns.
        step: a step of the keeper's turn, instead of a turn.
        are_led_by_one: whether seat 1 has all investigators.
        story: fields of the story that differ.
        in_decks: further cards by kind (`mythos`, `traumas`) that lie in the decks.
        cards: further cards of the pack by kind, as from `by_id`.
    """
    more = {key: by_id(*found) for key, found in (in_decks or {}).items()}
    told: dict[str, Mapping[str, Any]] = {
        "mythos": {**by_id(*mythos), **more.get("mythos", {})},
        "traumas": {**by_id(*trauma), **more.get("traumas", {})},
        "actions": by_id(*actions),
    }
    merged = {key: {**told.get(key, {}), **cards.get(key, {})} for key in {**told, **cards}}
    fields = {"mythos": tuple(card.id for card in mythos), **(story or {})}
    if "mythos" in more:
        fields["mythos"] = (*fields["mythos"], *more["mythos"])
    content = Content(pack_of(**merged), story_of(**fields))
    bench = Bench(content, tuple(people), are_led_by_one=are_led_by_one)
    _lay_out(bench, actions, features, links, threat, goal)
    for who in people:
        ids = tuple(traits_of(who))
        newcomers.join(bench.game, who, bench.game.seat_of(who), (ids[0], ids[1]))
    for who, space in (at or {}).items():
        bench.emit(fe.Moved(who, space))
    decks.lay_out(bench.game)
    _deal(bench, MYTHOS_HAND, [card.id for card in mythos])
    _deal(bench, TRAUMA_HAND, [card.id for card in trauma])
    for kind, space in monsters_at:
        monsters.put(bench.game, kind, space)
    bench.emit(fe.RoundBegan(1))
    if step is not None:
        bench.emit(fe.KeeperStepBegan(step))
    elif active is not None:
        turn.begin(bench.game, active)
    bench.log.clear()
    return bench


def _lay_out(
    bench: Bench,
    actions: Sequence[ActionCard],
    features: Sequence[tuple[FeatureKind, str]],
    links: Sequence[Link],
    threat: int,
    goal: str,
) -> None:
    story = bench.game.content.story
    tiles = tuple(
        CornerTile(
            one.id,
            one.row,
            one.column,
            tuple(one.drawing.rstrip("\n").split("\n")),
            tuple(sorted(one.rooms.items())),
        )
        for one in story.tiles
    )
    bench.emit(fe.BoardLaid(tiles, tuple(links), story.start, story.corpses))
    land.lay(bench.game)
    counters = {
        one.id: CounterLine(one.start, one.most, one.is_token, story.subject_of(one.id))
        for one in story.counters
    }
    lines = tuple(
        KeeperAction(card.id, card.threat, tuple(card.tokens.items()), card.once)
        for card in actions
    )
    bench.emit(fe.KeeperEquipped(threat, 0, lines, counters, len(story.clues)))
    for kind, place in features:
        bench.emit(fe.FeaturePlaced(kind, place))
    answers = {one.id: one.options[0].id for one in story.questions}
    answers["goal"] = goal
    bench.emit(fe.AnswersGiven(KEEPER, hidden(answers)))
    bench.emit(fe.ObjectiveSet(KEEPER, hidden(story.objective_of(answers).id)))
    for room in story.rooms:
        for card in story.cards_under(room.id, answers):
            bench.emit(fe.CardLaid(KEEPER, room.id, hidden(card)))
        if (lock := story.lock_of(room.id, answers)) is not None:
            bench.emit(fe.LockLaid(KEEPER, room.id, hidden(lock)))
    for event in story.events:
        bench.emit(fe.EventLaid(KEEPER, hidden(event.id)))
    bench.emit(fe.EventFaced(story.events[0].time))


def _deal(bench: Bench, hand: str, cards: Sequence[str]) -> None:
    """Put cards from a deck into a hand of the keeper."""
    deck = hand.replace("hand/", "deck/")
    for card in cards:
        table = bench.game_table
        handle = next(one for one in table.piles[deck] if table.card_of(one) == card)
        bench.emit(fe.KeeperDrew(deck, hand, handle))
    if cards:
        bench.game.shuffle(hand, knowers=(KIM,))


def mythos_card(id_: str, *effect: Step, **fields: Any) -> MythosCard:
    return MythosCard(f"mythos/{id_}", effect, **fields)


def injury(id_: str = "limp", *effect: Step, **fields: Any) -> TraumaCard:
    return TraumaCard(f"injury/{id_}", TraumaKind.INJURY, effect=effect, **fields)


def insanity(id_: str = "fear", *effect: Step, **fields: Any) -> TraumaCard:
    return TraumaCard(f"insanity/{id_}", TraumaKind.INSANITY, effect=effect, **fields)


def action_card(id_: str, *effect: Step, threat: int = 1, **fields: Any) -> ActionCard:
    return ActionCard(f"action/{id_}", threat, effect, **fields)


def item_card(id_: str, **fields: Any) -> ItemCard:
    return ItemCard(f"item/{id_}", **fields)


def spell_card(id_: str = "ward", *backs: SpellBack, **fields: Any) -> SpellCard:
    """Return a spell with these backs, or with two that do nothing."""
    found = backs or (SpellBack(f"spellback/{id_}-1"), SpellBack(f"spellback/{id_}-2"))
    return SpellCard(f"spell/{id_}", Attribute.LORE, 0, found, **fields)


def told(bench: Bench) -> list[Text]:
    """Return the texts shown to all, in order."""
    return [event.text for event in bench.happened(fe.Told)]


def with_points(bench: Bench, who: str, points: int, **attributes: int) -> None:
    """Give an investigator skill points and other attributes, by their names."""
    changed = {**FIVES, **{Attribute(name): value for name, value in attributes.items()}}
    bench.set(who, skill_points=points, attributes=changed)
