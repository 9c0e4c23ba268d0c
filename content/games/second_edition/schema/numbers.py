"""The numbers that expressions can name in every scenario."""

BUILT_IN = {
    "investigators": "how many there were at the start",
    "standing": "how many are not eliminated",
    "round": "the number of the round",
    "clues": "the Clues of the investigator concerned",
    "successes": "the result of the last test of the effect",
    "monsters": "how many monsters are on the board",
}
"""The names that stand for a number in every scenario, beside its counters."""
