"""The inventory: the hand, all investigators with what they hold, and what lies about."""

from collections.abc import Iterator, Sequence

from client.games.first_edition.odds import fixed_test
from client.games.first_edition.panes.scene import FirstEditionScene, scene_of
from client.games.first_edition.panes.sides import action_cost
from client.screens.base.choices import choices_about
from client.widgets import scene as any_game
from client.widgets.paragraphs import HEAD, Paragraph, Row
from protocol.event import EVERYBODY
from protocol.games.first_edition.table import (
    MYTHOS_DECK,
    MYTHOS_HAND,
    TRAUMA_DECK,
    TRAUMA_HAND,
    FirstEditionTable,
    Investigator,
    Item,
    Spell,
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
    for who in people(scene, game):
        yield from _owned(scene, game, who)
    lying = [(room, item) for room, items in game.lying.items() for item in items]
    if lying:
        yield Row("lying", speaker.say("box.lying"))
    for room, item in lying:
        where = (*item_notes(scene, item), speaker.room(room))
        yield _row(scene, item.piece, item.card, where, "possession")
    if game.actions:
        yield Row("actions", speaker.say("pane.actions"))
    for action in game.actions:
        cost = action_cost(scene, game, action)
        yield _row(scene, action.card, action.card, (cost,), "card")
    piles = [(pile, game.discards[pile]) for pile in game.discards if game.discards[pile]]
    if piles or game.spent_items:
        yield Row("discards", speaker.say("box.discards"))
    for pile, cards in piles:
        yield _pile(scene, pile, pile_name(scene, pile), cards)
    if game.spent_items:
        yield _pile(scene, "spent", speaker.say("pile.spent"), game.spent_items)


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


def attributes(scene: FirstEditionScene, who: Investigator) -> str:
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
    for item in who.items:
        notes = [speaker.say("card.of", speaker.say("card.item"), name), *item_notes(scene, item)]
        notes += [speaker.say("card.used")] if used & {item.piece, item.card} else []
        yield _row(scene, item.piece, item.card, notes, "possession")
    for spell in who.spells:
        notes = [speaker.say("card.of", speaker.say("card.spell"), name), spell_note(scene, spell)]
        notes.append(speaker.say("card.back_unknown"))
        yield _row(scene, spell.handle, spell.card, notes, "card")
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
    if who.stun:
        yield "", speaker.say("party.stun", who.stun)
    if who.fixed_test is not None:
        yield "", fixed_test(speaker, who.fixed_test)
    if who.hidden_in is not None:
        yield "", speaker.say("box.hidden")
    for text in speaker.details("character", who.investigator_id):
        yield "", ""
        yield "", text
    yield from choices_about(scene, "investigator", who.investigator_id)


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
        paragraph for text in speaker.details("card", card) for paragraph in (("", ""), ("", text))
    ]
    name = speaker.card(card)
    whole = (*((HEAD, name), *styled), *texts, *choices_about(scene, kind, key))
    # A sign for what only the viewer knows, since the style alone could be missed.
    mark = "# " if private in notes else ""
    return Row(key, mark + name, (whole,), indent=2, about=("card", card))
