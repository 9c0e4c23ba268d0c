"""The brains of the bots in simulated games, one for each role: the value of `--bots`."""

import argparse
from collections.abc import Callable, Iterable, Mapping

import attrs

from client.bots.brains import BRAINS, RANDOM
from client.plugs.brains import Brain
from commands.speaking import CommandWords

USUAL_BRAIN = "sensible"
"""The brain of a role that is given no other."""


@attrs.frozen
class BotBrains:
    """Names of brains by role, and the name of the brain of all other roles."""

    others: str = USUAL_BRAIN
    of_roles: Mapping[str, str] = attrs.field(factory=dict)

    def brain(self, role: str) -> Brain:
        return BRAINS[self.of_roles.get(role, self.others)]

    @property
    def are_all_random(self) -> bool:
        """Whether no bot looks at its view of the table."""
        return all(BRAINS[name] is RANDOM for name in (self.others, *self.of_roles.values()))

    def stranger(self, roles: Iterable[str]) -> str | None:
        """Return a role that is given a brain and is none of `roles`; None if there is none."""
        return next((role for role in self.of_roles if role not in {*roles}), None)

    def __str__(self) -> str:
        named = [f"{role}={brain}" for role, brain in self.of_roles.items()]
        return ",".join(named if named and self.others == USUAL_BRAIN else [self.others, *named])


def brains_in(words: CommandWords) -> Callable[[str], BotBrains]:
    """Return an argparse type that reads `random`, `keeper=random` or `random,keeper=sensible`."""

    def read(text: str) -> BotBrains:
        of_roles = dict[str, str]()
        for part in text.split(","):
            role, equals, brain = (word.strip() for word in part.rpartition("="))
            if brain not in BRAINS or bool(role) is not bool(equals) or role in of_roles:
                known = ", ".join(sorted(BRAINS))
                raise argparse.ArgumentTypeError(words.say("content.bad_bots", part, known))
            of_roles[role] = brain
        return BotBrains(of_roles.pop("", USUAL_BRAIN), of_roles)

    return read
