"""Plain mode's commands for the proposals of this game."""

from client.games.second_edition.plain.reading import game_at, monster_names
from client.games.second_edition.speaker import in_game
from client.plain.choice import UnreadableCommand, is_number
from client.plain.command import Command, Takes
from client.plain.talk import PlayerPlace, Talk


def correct(talk: Talk, argument: str) -> None:
    """List the monsters with their damage, or propose to change a monster's damage. Rule APP-8."""
    monsters = list(game_at(talk).monsters.values())
    if not argument:
        names = [
            talk.speaker.say(
                "plain.damage", in_game(talk.speaker).monster(one), one.damage, one.health
            )
            for one in monsters
        ]
        talk.tell_list(names, "plain.correct_hint")
        return
    # The name of a monster may have blanks: the number is the last word.
    which, _, damage = argument.rpartition(" ")
    monster = monsters[talk.which(which or argument, monster_names(talk))]
    # Six digits are enough for any health, and `int` raises on thousands of them.
    if not which or not is_number(damage) or int(damage[:6]) > monster.health:
        raise UnreadableCommand("plain.need_damage", monster.health)
    talk.port.propose_correction(monster.monster_id, int(damage[:6]))


PROPOSALS = (
    Command("correct", correct, frozenset({PlayerPlace.GAME}), Takes.NAMES, offers=monster_names),
)
