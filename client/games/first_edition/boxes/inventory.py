"""The inventory: the hand, all investigators with what they hold, and what lies about."""

from collections.abc import Iterator, Sequence

from client.games.first_edition.odds import fixed_test
from client.games.first_edition.outdoors import (
    is_in_water,
    known_story_card,
    story_before,
    story_in_rooms,
    tales_kept,
)
from client.games.first_edition.panes.scene import FirstEditionScene, scene_of
from client.games.first_edition.panes.sides import action_cost, known_actions
from client.screens.base.choices import choices_about
from client.widgets import scene as any_game
from client.widgets.paragraphs import HEAD, Paragraph, Row
from protocol.event import EVERYBODY
from protocol.games.first_edition.table import (
    MYTHOS_DECK,
    MYTHOS_HAND,
    TRAUMA_DECK,
    TRAUMA_HAND,
    Ally,
    FirstEditionTable,
    Investigator,
    Item,
    Spell,
    StoryCard,
)
from protocol.games.first_edition.words import Attribute

_DIM = "class:dim"
_PRIVATE = "class:journal.private"


def inventory(base: any_game.Scene) -> list[Row]:
    """Return a row for each card: of the open question, the hand, by owner, by room, by pile."""
    scene = scene_of(base)
    game = scene.game
    return [] if game is None else [*_rows(scene, game)]


def _rows(scene: FirstEditionScene, game: FirstEditionTable) -> Iterator[Row]:
    yield from _in_hand(scene)
    for who in people(scene, game):
        yield from _owned(scene, game, who)
    for ally in game.allies.values():
        yield from _ally(scene, game, ally)
    yield from _of_story(scene, game)
    yield from _lying(scene, game)
    yield from _actions(scene, game)
    yield from _piles(scene, game)


def _in_hand(scene: FirstEditionScene) -> Iterator[Row]:
    """Yield the cards of the open question, then the keeper's hand."""
    speaker = scene.speaker
    if scene.in_question:
        yield Row("question", speaker.say("box.in_question"))
    for card in scene.in_question:
        yield _row(scene, f"question {card}", card, ())
    for pile, head, kind in (
        (MYTHOS_HAND, "box.hand_mythos", "card.mythos"),
        (TRAUMA_HAND, "box.hand_trauma", "card.trauma"),
    ):
        known = [*scene.known_hand(pile)]
        if known:
            yield Row(pile, speaker.say(head, len(known)))
        for handle, card in known:
            private = speaker.say("card.private")
            yield _row(scene, handle, card, (speaker.say(kind), private), "card")


def _of_story(scene: FirstEditionScene, game: FirstEditionTable) -> Iterator[Row]:
    """Yield the tales of each ally, then the story cards in rooms."""
    speaker, story = scene.speaker, story_in_rooms(game)
    for ally, tales in game.heard.items():
        yield Row(f"told {ally}", speaker.say("box.told_by", speaker.character(ally)))
        for tale in tales:
            yield _row(scene, tale.card, tale.card, speaker.tale_notes(game, tale))
    if story:
        yield Row("story", speaker.say("box.story_cards"))
    for room, cards in story.items():
        for card in cards:
            yield _story_card(scene, card, speaker.room(room))


def _lying(scene: FirstEditionScene, game: FirstEditionTable) -> Iterator[Row]:
    """Yield the items in rooms, which nobody carries."""
    lying = [(room, item) for room, items in game.lying.items() for item in items]
    if lying:
        yield Row("lying", scene.speaker.say("box.lying"))
    for room, item in lying:
        where = (*item_notes(scene, item), scene.speaker.room(room))
        yield _row(scene, item.piece, item.card, where, "possession")


def _actions(scene: FirstEditionScene, game: FirstEditionTable) -> Iterator[Row]:
    """Yield the keeper actions: the open ones, and those face down. W-KACTION-1."""
    speaker = scene.speaker
    if game.actions or game.hidden_actions:
        yield Row("actions", speaker.say("pane.actions"))
    for action in game.actions:
        cost = action_cost(scene, game, action)
        yield _row(scene, action.card, action.card, (cost,), "card")
    known = known_actions(game)
    for action in known:
        cost = action_cost(scene, game, action)
        notes = (cost, speaker.say("action.hidden_own"), speaker.say("card.private"))
        yield _row(scene, action.card, action.card, notes, "card")
    unknown = len(game.hidden_actions) - len(known)
    if unknown:
        note = speaker.say("action.hidden", unknown)
        yield Row("hidden_actions", note, (((HEAD, note),),), indent=2)


def _piles(scene: FirstEditionScene, game: FirstEditionTable) -> Iterator[Row]:
    """Yield the discard piles."""
    piles = [(pile, game.discards[pile]) for pile in game.discards if game.discards[pile]]
    if piles or game.spent_items:
        yield Row("discards", scene.speaker.say("box.discards"))
    for pile, cards in piles:
        yield _pile(scene, pile, pile_name(scene, pile), cards)
    if game.spent_items:
        yield _pile(scene, "spent", scene.speaker.say("pile.spent"), game.spent_items)


def people(scene: FirstEditionScene, game: FirstEditionTable) -> Sequence[Investigator]:
    """Return all investigators, with those of the viewer's seat first."""
    return sorted(game.investigators.values(), key=lambda who: who.seat != scene.seat)


def _pile(scene: FirstEditionScene, key: str, name: str, cards: Sequence[str]) -> Row:
    """Return the row of a discard pile, with its cards, the last one first."""
    names = [("", f"  {scene.speaker.card(card)}") for card in reversed(cards)]
    text = scene.speaker.say("pile.count", name, len(cards))
    return Row(key, text, (((HEAD, name), *names),), indent=2)


def pile_name(scene: FirstEditionScene, pile: str) -> str:
    """Return the name of the deck of a discard pile."""
    say, kind = scene.speaker.say, pile.partition("/")[2]
    if pile in {MYTHOS_DECK, TRAUMA_DECK}:
        return say(f"card.{kind}")
    if kind.startswith("combat-"):
        return say("pile.combat", say(f"class.{kind.partition('-')[2]}"))
    return scene.speaker.card(kind)


def attributes(scene: FirstEditionScene, who: Investigator | Ally) -> str:
    say = scene.speaker.say
    return ", ".join(
        f"{say(f'attribute.{one.value}')} {who.attributes[one]}"
        for one in Attribute
        if one in who.attributes
    )


def item_notes(scene: FirstEditionScene, item: Item) -> Sequence[str]:
    """Return keywords and attack of an item."""
    say = scene.speaker.say
    notes = [", ".join(say(f"keyword.{one.value}") for one in item.keywords)]
    if item.weapon is not None:
        weapon = item.weapon
        kind = say(f"attack.{weapon.kind.value}")
        notes.append(say("weapon.facts", kind, weapon.range, f"{weapon.damage:+}"))
        if weapon.uses:
            notes.append(say("weapon.uses", weapon.uses))
    return [note for note in notes if note]


def spell_note(scene: FirstEditionScene, spell: Spell) -> str:
    """Return what a spell tests, and whether it attacks."""
    say = scene.speaker.say
    attribute = say(f"attribute.{spell.attribute.value}")
    key = "spell.attack" if spell.is_attack else "spell.facts"
    return say(key, attribute, f"{spell.modifier:+}")


def _owned(scene: FirstEditionScene, game: FirstEditionTable, who: Investigator) -> Iterator[Row]:
    speaker = scene.speaker
    name = speaker.investigator(who.investigator_id)
    text = tuple(_person(scene, game, who, name))
    yield Row(who.investigator_id, name, (text,), about=("investigator", who.investigator_id))
    used = {one.partition(":")[2] for one in who.used}
    for kind, card in (("injury", who.injury), ("insanity", who.insanity)):
        if card is not None:
            note = speaker.say("card.of", speaker.say(f"trauma.{kind}"), name)
            yield _row(scene, f"{who.investigator_id} {kind}", card, [note])
    for at, down in enumerate(who.face_down):
        key = f"{who.investigator_id} down {at}"
        note = speaker.say("card.of", speaker.say("card.face_down"), name)
        if down.card.is_open:
            is_private = EVERYBODY not in down.card.audience
            private = [speaker.say("card.private")] if is_private else []
            yield _row(scene, key, down.card.value, [note, *private])
        else:
            lines = ((HEAD, note), (_DIM, speaker.say("card.face_down_unknown")))
            yield Row(key, note, (lines,), indent=2)
    for story in story_before(game, who.investigator_id):
        yield _story_card(scene, story, name)
    for item in who.items:
        notes = [speaker.say("card.of", speaker.say("card.item"), name), *item_notes(scene, item)]
        notes += [speaker.say("card.used")] if used & {item.piece, item.card} else []
        yield _row(scene, item.piece, item.card, notes, "possession")
    for spell in who.spells:
        notes = [speaker.say("card.of", speaker.say("card.spell"), name), spell_note(scene, spell)]
        notes.append(speaker.say("card.back_unknown"))
        yield _row(scene, spell.handle, spell.card, notes, "card")
    for tale in tales_kept(game, who.investigator_id):
        note = speaker.say("card.of", speaker.say("card.tale"), name)
        yield _row(scene, f"{who.investigator_id} {tale}", tale, [note])
    for trait in who.traits:
        notes = [speaker.say("card.of", speaker.say("card.trait"), name)]
        notes += [speaker.say("card.used")] if trait in used else []
        yield _row(scene, f"{who.investigator_id} {trait}", trait, notes)


def _person(
    scene: FirstEditionScene, game: FirstEditionTable, who: Investigator, name: str
) -> Iterator[Paragraph]:
    """Yield the text about an investigator: player, place, attributes, harm, own card."""
    speaker = scene.speaker
    yield HEAD, name
    yield _DIM, speaker.say("card.player", speaker.seat(scene.table, who.seat))
    yield _DIM, speaker.space(game, who.space)
    yield "", ""
    yield "", attributes(scene, who)
    counts = (
        speaker.say("party.health.long", max(0, who.health_left), who.health),
        speaker.say("party.sanity.long", who.sanity_left, who.sanity),
        speaker.say("box.points", who.skill_points),
    )
    yield "", ", ".join(counts)
    yield from _states(scene, game, who)
    if who.hidden_in is not None:
        yield "", speaker.say("box.hidden")
    for text in speaker.reading("character", who.investigator_id):
        yield "", ""
        yield "", text
    yield from choices_about(scene, "investigator", who.investigator_id)


def _ally(scene: FirstEditionScene, game: FirstEditionTable, ally: Ally) -> Iterator[Row]:
    """Yield the row of an ally, then those of its cards. W-SECRET-7, W-SECRET-8."""
    speaker = scene.speaker
    name = speaker.character(ally.ally_id)
    text = tuple(_ally_text(scene, game, ally, name))
    yield Row(ally.ally_id, name, (text,), about=("investigator", ally.ally_id))
    for story in story_before(game, ally.ally_id):
        yield _story_card(scene, story, name)
    for item in ally.items:
        notes = [speaker.say("card.of", speaker.say("card.item"), name), *item_notes(scene, item)]
        yield _row(scene, item.piece, item.card, notes, "possession")


def _ally_text(
    scene: FirstEditionScene, game: FirstEditionTable, ally: Ally, name: str
) -> Iterator[Paragraph]:
    """Yield the text about an ally: place, attributes, harm, what is left to tell, its card."""
    speaker, left = scene.speaker, len(game.tales.get(ally.ally_id, ()))
    yield HEAD, name
    yield _DIM, speaker.say("card.ally")
    yield _DIM, speaker.space(game, ally.space)
    yield "", ""
    yield "", attributes(scene, ally)
    kind = speaker.say(f"attack.{ally.weapon.value}")
    yield "", speaker.say("ally.facts", kind, ally.steps)
    health = speaker.say("party.health.long", max(0, ally.health_left), ally.health)
    yield "", f"{health}, {speaker.say('party.sanity.long', ally.sanity_left, ally.sanity)}"
    yield from _states(scene, game, ally)
    yield "", speaker.say("plain.ally_left", left) if left else speaker.say("plain.ally_silent")
    told = speaker.told(game, ally.ally_id)
    if told:
        yield "", speaker.say("plain.ally_told", told)
    for text in speaker.details("character", ally.ally_id):
        yield "", ""
        yield "", text
    yield from choices_about(scene, "investigator", ally.ally_id)


def _states(
    scene: FirstEditionScene, game: FirstEditionTable, who: Investigator | Ally
) -> Iterator[Paragraph]:
    """Yield the states that investigators and allies have."""
    speaker = scene.speaker
    if who.stun:
        yield "", speaker.say("party.stun", who.stun)
    if who.curses:
        yield "", speaker.say("box.curses", who.curses)
    if who.character_id in game.trapped:
        yield "", speaker.say("box.trapped")
    if is_in_water(game, who.space):
        yield "", speaker.say("box.in_water")
    if who.fixed_test is not None:
        yield "", fixed_test(speaker, who.fixed_test)


def _story_card(scene: FirstEditionScene, card: StoryCard, owner: str) -> Row:
    """Return the row of a story card; without its text if that is secret. W-SECRET-10."""
    speaker, key = scene.speaker, f"story {card.number}"
    kind, known = speaker.say(f"story_card.{card.kind.value}"), known_story_card(card)
    note = speaker.say("card.of", kind, owner)
    if known is None:
        text = ((HEAD, note), (_DIM, speaker.say("card.story_unknown")))
        return Row(key, note, (text,), indent=2)
    is_private = card.shown is None and EVERYBODY not in card.card.audience
    return _row(scene, key, known, [note, *([speaker.say("card.private")] if is_private else [])])


def _row(
    scene: FirstEditionScene, key: str, card: str, notes: Sequence[str], kind: str = ""
) -> Row:
    """
    Return the inventory row of a card.

    Args:
        scene: the table with its viewer.
        key: identifies the card on the table.
        card: the id of the card.
        notes: lines below the card's name, such as its owner.
        kind: the kind of piece by which choices point at the card.
    """
    speaker = scene.speaker
    private = speaker.say("card.private")
    styled = [(_PRIVATE if note == private else _DIM, note) for note in notes]
    texts = [
        paragraph for text in speaker.reading("card", card) for paragraph in (("", ""), ("", text))
    ]
    name = speaker.card(card)
    whole = (*((HEAD, name), *styled), *texts, *choices_about(scene, kind, key))
    # A sign for what only the viewer knows, since the style alone could be missed.
    mark = "# " if private in notes else ""
    return Row(key, mark + name, (whole,), indent=2, about=("card", card))
