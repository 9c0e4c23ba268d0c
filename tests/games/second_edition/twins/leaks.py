"""Registered leaks of the second edition, with the games in which each can show.

`tests.games.second_edition.twins.test_faults` measures how often each is found.
"""

from tests.games.twins.leaks import Leaks

Game = tuple[str, str, int]
"""Pack, scenario and seed of a game."""

LEAKS: Leaks[Game] = Leaks()
leak = LEAKS.leak
COMPANY = tuple(("house", "house/company", seed) for seed in (0, 3, 6, 9))
WAYS = tuple(("house", "house/ways", seed) for seed in (0, 3, 12))
"""Games in which somebody becomes Insane while others trade."""
MAD = tuple(("house", "house/company", seed) for seed in (6, 15, 36, 72))
"""Games in which somebody becomes Insane, as in one game of four; chosen from many."""
CONDITIONED = tuple(("house", "house/company", seed) for seed in (1, 6, 15, 31))
"""
Games in which somebody gains a two-sided Condition, as in one game of eight; chosen from many.
"""
WITH_BOT = tuple(("house", "house/company", seed) for seed in (1, 4, 7))
DELAYED = tuple(("house", "house/company", seed) for seed in (2, 5, 8, 11, 14))
HANDED_OVER = tuple((f"random {seed}", "", seed) for seed in (3, 39, 75))
"""
Games chosen from many: an heir who has something to learn is rare, and about a tenth of the pairs
of all seeds show what `since_is_ignored` leaks.
"""
MAD_AND_HANDED_OVER = tuple(("house", "house/company", seed) for seed in (17, 35, 113))
"""Games in which an heir learns only later of the Insane back of the seat."""
SPELLS = tuple(("spells", "core/sluice-house", seed) for seed in (0, 3))
RANDOM = tuple((f"random {seed}", "", seed) for seed in (0, 3, 6, 9))
TRAITS = tuple((f"random {seed}", "", seed) for seed in (15, 36, 54, 84))
"""
Games chosen from many: in two of three such games no facedown card has a trait for which a
requirement looks.
"""
HEALTH = tuple((f"random {seed}", "", seed) for seed in (75, 84))
CAMPAIGN = tuple((f"random {seed}", "house/embers", seed) for seed in (3, 21, 24))
"""Games chosen from many: in two of three such games the leak adds up nothing hidden."""
