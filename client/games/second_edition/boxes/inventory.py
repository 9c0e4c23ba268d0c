"""
The inventory: cards and skills of all investigators, cards in spaces, cards of the open question.

Only this module decides which side of a card the viewer may read, both for the full screen and for
plain mode. If a side was not sent to the viewer, the text says that the side is unknown, or that
another player knows the side.
"""

from collections.abc import Iterator, Sequence

import attrs

from client.games.second_edition.panes.scene import CARDS, SecondEditionScene, scene_of
from client.screens.base.choices import choices_about
from client.widgets import scene as any_game
from client.widgets.paragraphs import HEAD, Paragraph, Row
from protocol.event import EVERYBODY
from protocol.games.second_edition.table import (
    Condition,
    Harm,
    Investigator,
    Possession,
    SecondEditionTable,
    Skill,
)

_PRIVATE = "class:journal.private"
_DIM = "class:dim"


@attrs.frozen
class Under:
    """The hidden side of a card: its id, or the reason why the viewer cannot read the side."""

    card: str | None = None
    """The id of the side; None if the viewer cannot read the side."""
    key: str = ""
    """The catalog key of the side's name, or of the reason why the viewer cannot read the side;
    empty for a card with one side."""
    is_private: bool = False
    """Whether only the viewer may read the side."""

    def says(self, scene: SecondEditionScene) -> str:
        """Return a line with the name of the side, or the reason why the viewer cannot read it."""
        name = scene.speaker.name("card", self.card) if self.card is not None else ""
        return scene.speaker.say(self.key, name)


def under_possession(game: SecondEditionTable, possession: Possession) -> Under:
    """Return the hidden side of an Item or a Spell. Rules SECRET-3 and SECRET-9."""
    if possession.face == possession.card and possession.card in game.backs:
        return Under(game.backs[possession.card], "card.back")
    return _other_side(possession)


def _other_side(card: Possession | Condition) -> Under:
    """Return the hidden side of a card: its front if the card is turned over, else its back.

    The back is unknown, or missing if the card has only one side.
    """
    if card.turned_to is not None:
        return Under(card.card, "card.front")
    return Under(None, "card.back_unknown") if card.handle else Under()


def under_condition(scene: SecondEditionScene, condition: Condition) -> Under:
    """Return the hidden side of a Condition. Rules SECRET-5 and SECRET-6."""
    back = condition.back
    if back is None:
        return _other_side(condition)
    if not back.is_open or not back.value:
        return Under(None, "card.back_theirs")
    # A spectator is in no audience; what everybody may read is not private.
    is_private = EVERYBODY not in back.audience and scene.seat in back.audience
    return Under(back.value, "card.back_private" if is_private else "card.back", is_private)


def skills(scene: SecondEditionScene, who: Investigator) -> str:
    say = scene.speaker.say
    return ", ".join(
        f"{say(f'skill.{skill.value}')} {who.skills[skill]}"
        for skill in Skill
        if skill in who.skills
    )


def people(scene: SecondEditionScene, game: SecondEditionTable) -> Sequence[Investigator]:
    """Return all investigators, with those of the viewer's seat first."""
    return sorted(game.investigators.values(), key=lambda who: who.seat != scene.seat)


# The shelf's rows --------------------------------------------------------------------------


def inventory(base: any_game.Scene) -> list[Row]:
    """
    Return a row for each card: cards of the open question first, then by owner, then by space.

    The viewer's own investigators come first. Faceup harm, which is no possession, follows an
    owner's cards under a heading of its own.
    """
    scene = scene_of(base)
    game = scene.game
    if game is None:
        return []
    speaker, rows = scene.speaker, list[Row]()
    if scene.in_question:
        rows.append(Row("question", speaker.say("box.in_question")))
    for card in scene.in_question:
        rows.append(_row(scene, f"question {card}", card, Under(), (_kind(scene, card),)))
    for who in people(scene, game):
        rows += _owned(scene, game, who)
    lying = [(space, one) for space, here in game.lying.items() for one in here]
    if lying:
        rows.append(Row("lying", speaker.say("box.lying")))
    for space, possession in lying:
        note = _kind_and_owner(scene, possession.face, speaker.space(game, space))
        under = under_possession(game, possession)
        key = possession.possession_id
        rows.append(_row(scene, key, possession.face, under, [note], "possession"))
    return rows


def _owned(scene: SecondEditionScene, game: SecondEditionTable, who: Investigator) -> Iterator[Row]:
    speaker = scene.speaker
    name = speaker.name("investigator", who.investigator_id)
    yield Row(
        who.investigator_id,
        name,
        (tuple(_person(scene, game, who, name)),),
        about=("investigator", who.investigator_id),
    )
    used = {mark for one in game.investigators.values() for mark in one.used}
    for possession in who.possessions:
        notes = [_kind_and_owner(scene, possession.face, name)]
        # Logs of version 3 name what was used; those before, the card that its owner used.
        is_front = possession.turned_to is None
        mark = possession.possession_id
        mark = mark if is_front else f"{mark}/{possession.face}"
        if mark in used or possession.face in who.used:
            notes.append(speaker.say("card.used"))
        under = under_possession(game, possession)
        yield _row(scene, possession.possession_id, possession.face, under, notes, "possession")
    for at, condition in enumerate(who.conditions):
        # Copies without a back have no handle: owner and position tell two of a kind apart.
        key = condition.handle or f"{who.investigator_id} {at} {condition.card}"
        under = under_condition(scene, condition)
        notes = [_kind_and_owner(scene, condition.face, name)]
        if condition.face in who.used:
            notes.append(speaker.say("card.used"))
        yield _row(scene, key, condition.face, under, notes, "card")
    faceup = [(harm, card) for harm in Harm for card in who.faceup_cards(harm)]
    if faceup:
        yield Row(f"{who.investigator_id} harm", speaker.say("box.harm", name))
    for harm, card in faceup:
        notes = [speaker.say("card.faceup", speaker.say(f"harm.{harm.value}"), name)]
        yield _row(scene, card.handle, card.card, Under(), notes, "card")


def _person(
    scene: SecondEditionScene, game: SecondEditionTable, who: Investigator, name: str
) -> Iterator[Paragraph]:
    """Yield the text about an investigator: player, skills, harm, facedown cards, own card."""
    speaker = scene.speaker
    yield HEAD, name
    yield _DIM, speaker.say("card.player", speaker.seat(scene.table, who.seat))
    yield "", ""
    yield "", skills(scene, who)
    damage = game.harm_count(who.investigator_id, Harm.DAMAGE)
    horror = game.harm_count(who.investigator_id, Harm.HORROR)
    counts = (
        speaker.say("box.damage", damage, who.health),
        speaker.say("box.horror", horror, who.sanity),
        speaker.say("box.clues", who.clues),
    )
    yield "", ", ".join(counts)
    for harm in Harm:
        count = game.facedown_count(who.investigator_id, harm)
        if count:
            yield "", speaker.say("box.facedown", count, speaker.say(f"harm.{harm.value}"))
    for text in speaker.reading("investigator", who.investigator_id):
        yield "", ""
        yield "", text
    yield from choices_about(scene, "investigator", who.investigator_id)


def _row(
    scene: SecondEditionScene,
    key: str,
    card: str,
    under: Under,
    notes: Sequence[str],
    kind: str = "",
) -> Row:
    """Return the inventory row of a card, with the text of its visible and of its hidden side.

    Args:
        scene: the table with its viewer.
        key: identifies the card on the table.
        card: the id of the visible side.
        under: the hidden side.
        notes: lines below the card's name, such as its owner.
        kind: the kind of piece by which choices point at the card.
    """
    speaker = scene.speaker
    name = speaker.name("card", card)
    up = [*_card(scene, card, notes), *choices_about(scene, kind, key)]
    sides = [tuple(up)]
    if under.key:
        up.append(("", ""))
        up.append((_PRIVATE if under.is_private else _DIM, under.says(scene)))
        if under.card is None:
            down = [(HEAD, name), (_DIM, speaker.say("card.other_side")), ("", "")]
            down.append(("", under.says(scene)))
        else:
            down = _card(scene, under.card, [speaker.say("card.other_side_of", name)])
            if under.is_private:
                down.insert(1, (_PRIVATE, speaker.say("card.private")))
        sides = [tuple(up), tuple(down)]
    # A sign for what only the viewer knows, since the style alone could be missed.
    mark = "# " if under.is_private else ""
    return Row(key, mark + name, tuple(sides), indent=2, about=("card", card))


def _card(scene: SecondEditionScene, card: str, notes: Sequence[str]) -> list[Paragraph]:
    """Return one side of a card: its name, the notes, and its text."""
    speaker = scene.speaker
    texts = [
        paragraph for text in speaker.reading("card", card) for paragraph in (("", ""), ("", text))
    ]
    return [(HEAD, speaker.name("card", card)), *((_DIM, note) for note in notes), *texts]


def _kind(scene: SecondEditionScene, card: str) -> str:
    """Return the kind of a card; empty if the card's id has none."""
    kind = card.partition("/")[0]
    return scene.speaker.say(f"card.{kind}") if kind in CARDS else ""


def _kind_and_owner(scene: SecondEditionScene, card: str, owner: str) -> str:
    """Return the kind of a card with its owner or space; the owner alone for an unknown kind."""
    kind = _kind(scene, card)
    return scene.speaker.say("card.of", kind, owner) if kind else owner
