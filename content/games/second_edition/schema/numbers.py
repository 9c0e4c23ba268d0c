"""The numbers that expressions can name in every scenario."""

OF_MONSTER = {
    "monster.health": "the health of the monster that is dealt with",
    "monster.damage": "how much damage it has suffered",
    "monster.awareness": "its awareness",
    "monster.horror": "its horror rating",
    "monster.brawn": "its brawn",
}
"""
Names for numbers of the current monster, which is the monster whose entry is resolved, or that set
the trigger off. Each number is 0 once the monster is gone.
"""

OF_WEAPON = {"weapon.damage": "the damage value of the weapon attacked with; 0 for bare hands"}
"""Names for numbers of the weapon in an attack on a monster."""

BUILT_IN = {
    "investigators": "how many there were at the start",
    "standing": "how many are not eliminated",
    "round": "the number of the round",
    "clues": "the Clues of the investigator concerned",
    "successes": "the result of the last test of the effect",
    "monsters": "how many monsters are on the board",
    **OF_MONSTER,
    **OF_WEAPON,
}
"""Names for numbers that every scenario can use, besides its own counters."""
