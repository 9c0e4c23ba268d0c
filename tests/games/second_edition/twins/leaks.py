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
ALL_MAD = tuple(("house", "house/company", seed) for seed in (72, 153, 171, 243))
"""
Games in which everybody becomes Insane and no back is shown before the end; chosen from many. Each
seat then has a secret that the seat before it may not know.
"""
CONDITIONED = tuple(("house", "house/company", seed) for seed in (144, 159, 201, 115))
"""
Games in which a person gains a two-sided Condition that is still not flipped at the end, as in one
game of ten; chosen from many. A twin played to its end keeps each back that is flipped.
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
TRAITS = tuple((f"random {seed}", "", seed) for seed in (24, 30, 36, 48))
"""
Games chosen from many: in three of four such games no facedown card has a trait for which a
requirement looks.
"""
HEALTH = tuple((f"random {seed}", "", seed) for seed in (75, 84))
CAMPAIGN = tuple((f"random {seed}", "house/embers", seed) for seed in (15, 27, 57, 63))
"""Games chosen from many: in half of such games the leak shows to nobody."""
