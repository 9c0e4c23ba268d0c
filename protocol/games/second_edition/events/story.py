"""Events of the story: texts, choices, objectives, memory and timers."""

from collections.abc import Mapping

from protocol.common.text import Text
from protocol.event import NOBODY, Sealed, event, secret
from protocol.games.second_edition.events.base import (
    Game,
    SecondEditionEvent,
    hushed,
    with_entry,
    with_monster,
    without,
)
from protocol.games.second_edition.table import InvestigatorId, MonsterId, RunningTimer
from protocol.values import evolve

MEMORY_PARTS = 32
"""Maximum number of parts of a memory; the next part repeats all numbers."""


@event("se/told")
class Told(SecondEditionEvent):
    """A public text continued the story. Rule APP-3."""

    text: Text
    monster: MonsterId | None = None
    """Monster whose menu shows the text while the text is in force. Rule APP-7."""

    def fold(self, table: Game) -> Game:
        """If the text is about a monster, keep it as the monster's current text."""
        if self.monster is None or self.monster not in table.monsters:
            return table
        return with_monster(hushed(table), self.monster, in_force=self.text)


@event("se/option_chosen")
class OptionChosen(SecondEditionEvent):
    """
    An option was chosen publicly: of the story, or for the starting possessions.

    Rules APP-3 and SETUP-13.
    """

    investigator: InvestigatorId | None
    """Investigator who chose; None if all chose together."""
    text: Text

    def fold(self, table: Game) -> Game:
        return table


@event("se/votes_shown")
class StoryVotesShown(SecondEditionEvent):
    """All voted on how the story continues; the votes are public."""

    votes: Mapping[InvestigatorId, Text]
    """The vote of each player, by their first investigator."""

    def fold(self, table: Game) -> Game:
        return table


@event("se/told_privately")
class ToldPrivately(SecondEditionEvent):
    """A text for one investigator only, at a fixed point of the game. Rule DECIDE-144."""

    investigator: InvestigatorId
    text: Sealed[Text] = secret(to="investigator")

    def fold(self, table: Game) -> Game:
        return table


@event("se/objective_set")
class ObjectiveSet(SecondEditionEvent):
    """The objective was revealed, or changed. Rules WIN-2 and WIN-4."""

    objective: Text

    def fold(self, table: Game) -> Game:
        return evolve(table, objective=self.objective)


@event("se/chapter_began")
class ChapterBegan(SecondEditionEvent):
    """A chapter of the story began. Rule APP-3."""

    chapter: Text

    def fold(self, table: Game) -> Game:
        return evolve(table, chapter=self.chapter)


@event("se/memory_kept")
class MemoryKept(SecondEditionEvent):
    """
    The memory of the scenario, names and numbers, which no seat may read.

    It is recorded before each question and at the end of each procedure, even if nothing changed:
    its presence and frequency must not reveal the effects of secret answers.
    """

    is_whole: bool
    """True if this part has all numbers, as every `MEMORY_PARTS`-th part does."""
    numbers: Sealed[Mapping[str, int]] = secret(to=NOBODY)
    """Numbers by opaque name: the changed ones, or all numbers if `is_whole`."""

    def fold(self, table: Game) -> Game:
        # A whole part replaces the earlier ones, so a memory never has more than MEMORY_PARTS.
        memory = (self.numbers,) if self.is_whole else (*table.memory, self.numbers)
        return evolve(table, memory=memory)


@event("se/counter_set")
class CounterSet(SecondEditionEvent):
    """
    A number of the scenario's memory changed; only in logs of version 1.

    Its presence and name reveal which number an answer changed, so `se/memory_kept` replaced it.
    """

    counter: str
    """Opaque name: `c1`, `c2` … in the order of declaration in the scenario."""
    value: Sealed[int] = secret(to=NOBODY)

    def fold(self, table: Game) -> Game:
        return evolve(table, counters=with_entry(table.counters, self.counter, self.value))


@event("se/timer_set")
class TimerSet(SecondEditionEvent):
    """A visible timer was started, or a round or turn of it is over."""

    timer: RunningTimer

    def fold(self, table: Game) -> Game:
        return evolve(table, timers=with_entry(table.timers, self.timer.timer_id, self.timer))


@event("se/timer_removed")
class TimerRemoved(SecondEditionEvent):
    """A visible timer has run out or was stopped."""

    timer: str
    has_run_out: bool

    def fold(self, table: Game) -> Game:
        return evolve(table, timers=without(table.timers, self.timer))


@event("se/progress_kept")
class ProgressKept(SecondEditionEvent):
    """Successes were added to a test of unknown difficulty. Rules TEST-16 and DECIDE-113."""

    test: str
    total: int

    def fold(self, table: Game) -> Game:
        return evolve(table, progress=with_entry(table.progress, self.test, self.total))
