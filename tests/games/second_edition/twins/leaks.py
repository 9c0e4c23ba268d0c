"""Registered leaks of the second edition, with the games in which each can show.

`tests.games.second_edition.twins.test_faults` measures how often each is found.
"""

from tests.games.twins.leaks import Leaks

Game = tuple[str, str, int]
"""Pack, scenario and seed."""

LEAKS: Leaks[Game] = Leaks()
leak = LEAKS.leak
COMPANY = tuple(("house", "house/company", seed) for seed in (0, 3, 6, 9))
WAYS = tuple(("house", "house/ways", seed) for seed in (0, 3, 12))
"""Somebody becomes Insane while others trade."""
MAD = tuple(("house", "house/company", seed) for seed in (6, 15, 36, 72))
"""Chosen from many: somebody becomes Insane in one game of four."""
CONDITIONED = tuple(("house", "house/company", seed) for seed in (1, 6, 15, 31))
"""Chosen from many: somebody gains a two-sided Condition in one game of eight."""
WITH_BOT = tuple(("house", "house/company", seed) for seed in (1, 4, 7))
DELAYED = tuple(("house", "house/company", seed) for seed in (2, 5, 8, 11, 14))
HANDED_OVER = tuple((f"random {seed}", "", seed) for seed in (3, 39, 75))
"""Chosen from many: an heir who had something to be told is rare, and about a tenth of the pairs of
all seeds show what `since_is_ignored` leaks."""
MAD_AND_HANDED_OVER = tuple(("house", "house/company", seed) for seed in (17, 35, 113))
"""An heir learns of the Insane back of the seat only later."""
SPELLS = tuple(("spells", "core/sluice-house", seed) for seed in (0, 3))
RANDOM = tuple((f"random {seed}", "", seed) for seed in (0, 3, 6, 9))
TRAITS = tuple((f"random {seed}", "", seed) for seed in (15, 36, 54, 84))
"""Chosen from many: in two of three such games no facedown card has a trait that is asked for."""
HEALTH = tuple((f"random {seed}", "", seed) for seed in (75, 84))
CAMPAIGN = tuple((f"random {seed}", "house/embers", seed) for seed in (3, 21, 24))
"""Chosen from many: in two of three such games nothing hidden is among what the leak adds up."""
