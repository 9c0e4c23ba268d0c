"""Sentences of plain mode about a game: its investigators, dice, round and phase."""

from collections.abc import Iterator

from client.games.second_edition.moment import moment_of
from client.games.second_edition.speaker import in_game
from client.games.second_edition.tellers.base import DICE
from client.locale.speaker import Speaker
from client.model.tables import TableView
from client.tellers.base import JournalLine, Tone
from protocol.common.table import GameTable
from protocol.games.second_edition.table import Face, Harm, SecondEditionTable


def said(line: JournalLine, speaker: Speaker) -> str:
    """Return a line of the journal, with words in place of drawn dice."""
    # A line of dice is nothing but their signs, which nobody wants read aloud.
    faces = _dice(line) if line.tone is Tone.DICE else []
    if not faces:
        return line.text
    counts = {face: faces.count(face) for face in (Face.SUCCESS, Face.INVESTIGATION, Face.BLANK)}
    said = [speaker.say(f"plain.face.{face.value}", n) for face, n in counts.items() if n]
    return speaker.say("plain.dice", ", ".join(said))


def _dice(line: JournalLine) -> list[Face]:
    """Return the dice that make up a journal line; empty if the line has any other text."""
    faces: list[Face] = []
    left = line.text
    while left:
        face = next((face for face, sign in DICE.items() if left.startswith(sign)), None)
        if face is None:
            return []
        faces.append(face)
        left = left.removeprefix(DICE[face]).lstrip()
    return faces


def has_dice(game: GameTable) -> bool:
    """Return whether the dice of an open test are rolled."""
    assert isinstance(game, SecondEditionTable)
    return game.test is not None and bool(game.test.faces)


def party_lines(speaker: Speaker, view: TableView, game: SecondEditionTable) -> Iterator[str]:
    """Yield a line for each investigator, each monster, and each person who can be hurt."""
    for who in game.investigators.values():
        character = who.investigator_id
        where = (
            speaker.say("plain.nowhere")
            if who.space is None
            else in_game(speaker).space(game, who.space)
        )
        line = speaker.say(
            "plain.investigator",
            speaker.name("investigator", character),
            speaker.seat(view.table, who.seat),
            where,
            game.harm_count(character, Harm.DAMAGE),
            who.health,
            game.harm_count(character, Harm.HORROR),
            who.sanity,
            who.clues,
        )
        states = [speaker.say("plain.eliminated")] if who.is_eliminated else []
        if who.quenches:
            states.append(speaker.say("plain.quenches", who.quenches))
        for key, cards in (
            ("conditions", [condition.face for condition in who.conditions]),
            ("faceup", [card.card for harm in Harm for card in who.faceup_cards(harm)]),
            ("has", [possession.face for possession in who.possessions]),
        ):
            names = [speaker.name("card", card) for card in cards]
            if names:
                states.append(speaker.say(f"plain.{key}", ", ".join(dict.fromkeys(names))))
        yield " ".join([line, *states])
    for monster in game.monsters.values():
        yield speaker.say(
            "plain.monster",
            in_game(speaker).monster(monster),
            in_game(speaker).space(game, monster.space),
            monster.damage,
            monster.health,
        )
    for token_id, hurt in game.persons.items():
        token = game.tokens[token_id]
        yield speaker.say(
            "plain.person",
            in_game(speaker).person(token),
            in_game(speaker).space(game, token.at),
            hurt.damage,
            hurt.health,
        )


def status(speaker: Speaker, game: GameTable) -> Iterator[str]:
    """Yield the round and the phase, the current turn, and the time that is left."""
    assert isinstance(game, SecondEditionTable)
    yield ", ".join(moment_of(game).phase(speaker)) + "."
    if game.active is not None:
        name = speaker.name("investigator", game.active)
        yield speaker.say("plain.turn_of", name, game.actions_left)
    if game.countdown is not None:
        yield speaker.say("plain.countdown", game.countdown)
    for timer in game.timers.values():
        yield in_game(speaker).timer(timer) + "."
