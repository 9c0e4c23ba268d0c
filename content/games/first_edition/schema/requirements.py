"""
Requirements: questions that cards and stories ask about the table.

In YAML a requirement is a mapping with one key, such as `dark: actor` or `any: [ …, … ]`.
"""

from typing import Annotated

from content.games.first_edition.schema.kinds import (
    ONE_UP,
    AllyId,
    ClueId,
    CounterName,
    ItemId,
    MonsterId,
    OptionId,
    Place,
    PuzzleId,
    QuestionId,
    StoryCardId,
    TaleId,
)
from content.games.first_edition.schema.targets import Anybody, AnyMonster, Which, Who
from content.reading.parts import part
from protocol.games.first_edition.words import FeatureKind, Keyword


class Requirement:
    """A question about the table that is answered with yes or no."""


@part(Requirement, "all", inline="of")
class AllOf(Requirement):
    """All of these hold."""

    of: tuple[Requirement, ...]


@part(Requirement, "any", inline="of")
class AnyOf(Requirement):
    """At least one of these holds."""

    of: tuple[Requirement, ...]


@part(Requirement, "several")
class Several(Requirement):
    """So many of these hold."""

    of: tuple[Requirement, ...]
    at_least: Annotated[int, ONE_UP]


@part(Requirement, "not", inline="of")
class Not(Requirement):
    """This does not hold."""

    of: Requirement


@part(Requirement, "investigators")
class Investigators(Requirement):
    """So many investigators are among these, and fit all that is asked of them."""

    who: Anybody = Who.ALL
    at_least: Annotated[int, ONE_UP] = 1
    within: Place | None = None
    """A room or a space in which they are."""
    dark: bool = False
    """Whether they are in a dark room, without a lantern."""
    alone: bool = False
    """Whether no other investigator is in their room."""
    insane: bool = False
    hidden: bool = False
    stunned: bool = False
    health_at_most: int | None = None
    sanity_at_most: int | None = None
    item: ItemId | None = None
    """An item that they have."""
    keyword: Keyword | None = None
    """A keyword of an item that they have."""
    spells: bool = False
    """Whether they have a spell."""
    trauma: bool = False
    """Whether they have a trauma card."""
    cursed: bool = False
    """Whether they have a curse token. W-CURSE-1."""
    outdoors: bool = False
    """Whether they are in an outdoor room. W-OUT-4."""


@part(Requirement, "monsters")
class Monsters(Requirement):
    """So many monsters are among these, and fit all that is asked of them."""

    which: AnyMonster = Which.ALL
    at_least: Annotated[int, ONE_UP] = 1
    within: Place | None = None
    """A room or a space in which they are."""
    with_investigator: bool = False
    """Whether an investigator is in their room."""
    stunned: bool = False
    damaged: bool = False


@part(Requirement, "feature")
class HasFeature(Requirement):
    """There is such a feature or marker."""

    kind: FeatureKind
    within: Place | None = None
    """A room or a space; anywhere if left out."""
    at_least: Annotated[int, ONE_UP] = 1


@part(Requirement, "lying", inline="within")
class ItemsLie(Requirement):
    """An item lies face up in a place: somebody dropped it, or died there. K-DECIDE-39."""

    within: Place
    """The place. All of its room counts."""


@part(Requirement, "clue", inline="clue")
class ClueFound(Requirement):
    """The investigators have this clue."""

    clue: ClueId


@part(Requirement, "revealed", inline="is_so")
class Revealed(Requirement):
    """Whether the objective is revealed."""

    is_so: bool


@part(Requirement, "answer")
class Answered(Requirement):
    """
    The keeper chose this option of a question of the story.

    It is a secret: only events, clues, objectives, tales and cards of the story may ask it.
    """

    question: QuestionId
    option: OptionId


@part(Requirement, "events", inline="at_least")
class EventsResolved(Requirement):
    """So many events are resolved."""

    at_least: Annotated[int, ONE_UP]


@part(Requirement, "threat", inline="at_least")
class HasThreat(Requirement):
    """The keeper has so much threat."""

    at_least: Annotated[int, ONE_UP]


@part(Requirement, "count")
class Counted(Requirement):
    """A counter of the story, or the keeper's tokens of one name, are within bounds."""

    of: CounterName
    at_least: int | None = None
    at_most: int | None = None


@part(Requirement, "killed")
class Killed(Requirement):
    """So many monsters of a kind were killed in this game."""

    kind: MonsterId
    at_least: Annotated[int, ONE_UP] = 1


@part(Requirement, "deaths", inline="at_least")
class Deaths(Requirement):
    """So many investigators were killed in this game."""

    at_least: Annotated[int, ONE_UP]


@part(Requirement, "ally")
class AllyIs(Requirement):
    """This ally is on the board, and fits all that is asked of it. W-DECIDE-33."""

    ally: AllyId
    within: Place | None = None
    """A room or a space in which it is."""
    insane: bool = False
    talked: Annotated[int, ONE_UP] | None = None
    """Least number of its story cards that were turned up. W-DECIDE-32."""


@part(Requirement, "allies_gone")
class AlliesGone(Requirement):
    """So many allies have come, and are no longer on the board. W-DECIDE-29, W-DECIDE-33."""

    at_least: Annotated[int, ONE_UP] = 1
    unheard: bool = False
    """Whether only those count of which no story card was turned up. W-DECIDE-32."""


@part(Requirement, "told", inline="tale")
class Told(Requirement):
    """This story card of an ally was turned up. W-DECIDE-32."""

    tale: TaleId


@part(Requirement, "story_card", inline="card")
class StoryCardShown(Requirement):
    """This card of the story was turned up. W-DECIDE-50."""

    card: StoryCardId


@part(Requirement, "solved", inline="puzzle")
class Solved(Requirement):
    """This puzzle was solved, such as the ritual of the keeper. W-DECIDE-48."""

    puzzle: PuzzleId
