"""
The tellers of the second edition: each kind of its events in words.

A teller looks at one event and the table around it, and yields what there is to say about it, if
anything. Nothing that this viewer was not sent can be told: a sealed value has no words.
"""

import enum
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import attrs

from client.locale.speaker import Speaker
from client.tables import Step
from protocol.common.maps import Covering, Line
from protocol.common.table import Table
from protocol.event import Event
from protocol.second_edition import events as se
from protocol.second_edition.table import Face, LockPuzzle, Phase, SecondEditionTable

DICE = {Face.SUCCESS: "[*]", Face.INVESTIGATION: "[?]", Face.BLANK: "[ ]"}
"""How dice are shown."""
PIECES = "*abcdefghijklmnopqrstuvwxyz"
"""What the pieces of a lock are called; the first is the special one."""


class Tone(enum.Enum):
    """How a line is meant."""

    ROUND = "round"
    """A new round begins."""
    STEP = "step"
    """A phase, a step or a turn begins."""
    STORY = "story"
    DEED = "deed"
    """Somebody or something did something."""
    DICE = "dice"
    PRIVATE = "private"
    """For this viewer alone."""
    CHAT = "chat"
    ROOM = "room"
    """About seats and people."""


@attrs.frozen
class Moment:
    """An event's surroundings: the table before and after it, and who puts it into words."""

    step: Step
    speaker: Speaker

    @property
    def table(self) -> Table:
        """The table after the event."""
        return self.step.after

    @property
    def game(self) -> SecondEditionTable:
        """The game after the event."""
        game = self.step.after.game
        assert isinstance(game, SecondEditionTable)
        return game

    @property
    def game_before(self) -> SecondEditionTable:
        """The game before the event."""
        game = self.step.before.game
        assert isinstance(game, SecondEditionTable)
        return game

    def who(self, investigator: str) -> str:
        """Return an investigator's name."""
        return self.speaker.name("investigator", investigator)

    def seat(self, seat: int) -> str:
        """Return who sits in a seat now."""
        return self.speaker.seat(self.table, seat)

    def card(self, card: str) -> str:
        """Return a card's name."""
        return self.speaker.name("card", card)

    def space(self, space: str) -> str:
        """Return the room of a space."""
        return self.speaker.space(self.game, space)

    def say(self, key: str, *params: str | int) -> str:
        """Return the journal's words of a key."""
        return self.speaker.say(f"journal.{key}", *params)


Told = tuple[Tone, str]
Teller = Callable[[Any, Moment], Iterable[Told]]

SECOND_EDITION: dict[type[Event], Teller] = {}
"""What tells each kind of event of that ruleset."""


def _tells(kind: type[Event]) -> Callable[[Teller], Teller]:
    def declare(teller: Teller) -> Teller:
        SECOND_EDITION[kind] = teller
        return teller

    return declare


def _plain(
    kind: type[Event], key: str, params: Callable[[Any, Moment], tuple[str | int, ...]]
) -> None:
    """Declare a kind of event that is one line of the catalog, always."""

    def teller(happened: Any, at: Moment) -> Iterator[Told]:
        yield Tone.DEED, at.say(key, *params(happened, at))

    SECOND_EDITION[kind] = teller


_plain(se.InvestigatorJoined, "joined", lambda e, at: (at.who(e.investigator), at.seat(e.seat)))
_plain(
    se.ActionForfeited,
    "forfeited",
    lambda e, at: (at.who(e.investigator), at.speaker.say(f"action.{e.action}")),
)
_plain(se.ActionsLost, "actions_lost", lambda e, at: (at.who(e.investigator), e.count))
_plain(se.CluesGained, "clues_gained", lambda e, at: (at.who(e.investigator), e.count))
_plain(se.CluesSpent, "clues_spent", lambda e, at: (at.who(e.investigator), e.count))
_plain(
    se.PossessionGained,
    "gained",
    lambda e, at: (at.who(e.investigator), at.card(e.possession.card)),
)
_plain(
    se.PossessionGiven,
    "given",
    lambda e, at: (at.who(e.giver), _held(e.giver, e.possession, at), at.who(e.receiver)),
)
_plain(
    se.PossessionTaken,
    "stolen",
    lambda e, at: (at.who(e.thief), _held(e.victim, e.possession, at), at.who(e.victim)),
)
_plain(
    se.PossessionDropped,
    "dropped",
    lambda e, at: (at.who(e.investigator), _held(e.investigator, e.possession, at)),
)
_plain(
    se.PossessionDiscarded,
    "discarded",
    lambda e, at: (at.who(e.investigator), _held(e.investigator, e.possession, at)),
)
_plain(
    se.HarmPrevented,
    "prevented",
    lambda e, at: (at.who(e.investigator), e.count, at.speaker.say(f"harm.{e.harm.value}")),
)
_plain(se.HarmTurnedFaceup, "turned_up", lambda e, at: (at.who(e.investigator), at.card(e.card)))
_plain(se.BecameWounded, "wounded", lambda e, at: (at.who(e.investigator),))
_plain(se.ConditionGained, "condition", lambda e, at: (at.who(e.investigator), at.card(e.card)))
_plain(
    se.ConditionDiscarded,
    "condition_lost",
    lambda e, at: (at.who(e.investigator), at.card(e.card)),
)
_plain(se.InvestigatorEliminated, "eliminated", lambda e, at: (at.who(e.investigator), e.countdown))
_plain(
    se.MonsterSpawned,
    "spawned",
    lambda e, at: (at.speaker.monster(e.monster), at.space(e.monster.space)),
)
_plain(se.MonsterMoved, "monster_moved", lambda e, at: (_monster(e.monster, at), at.space(e.space)))
_plain(se.MonsterHealed, "monster_healed", lambda e, at: (_monster(e.monster, at), e.amount))
_plain(se.MonsterDamaged, "monster_damaged", lambda e, at: (_monster(e.monster, at), e.amount))
_plain(se.MonsterCorrected, "monster_corrected", lambda e, at: (_monster(e.monster, at), e.damage))
_plain(se.ProgressKept, "progress", lambda e, _: (e.total,))
_plain(se.AttemptBegan, "attempt_began", lambda e, at: (at.who(e.investigator), e.steps))
_plain(se.StepsAdded, "steps_added", lambda e, _: (e.count,))
_plain(se.CodeLaidOut, "code_laid", lambda e, _: (e.puzzle.length,))
_plain(se.SlideLaidOut, "slide_laid", lambda e, _: (len(e.puzzle.pieces),))
_plain(se.LockLaidOut, "lock_laid", lambda e, _: (len(e.puzzle.pieces),))


def _held(investigator: str, possession: str, at: Moment) -> str:
    has = at.game_before.investigators[investigator].possessions
    return at.card(next(p.face for p in has if p.possession_id == possession))


def _monster(monster: str, at: Moment) -> str:
    return at.speaker.monster(at.game_before.monsters[monster])


@_tells(se.PossessionPickedUp)
def _(happened: se.PossessionPickedUp, at: Moment) -> Iterator[Told]:
    lying = at.game_before.lying[happened.space]
    card = next(p.face for p in lying if p.possession_id == happened.possession)
    yield Tone.DEED, at.say("picked_up", at.who(happened.investigator), at.card(card))


@_tells(se.LyingDiscarded)
def _(happened: se.LyingDiscarded, at: Moment) -> Iterator[Told]:
    lying = at.game_before.lying[happened.space]
    card = next(p.face for p in lying if p.possession_id == happened.possession)
    yield Tone.DEED, at.say("lying_discarded", at.card(card))


@_tells(se.PossessionFlipped)
def _(happened: se.PossessionFlipped, at: Moment) -> Iterator[Told]:
    who = at.who(happened.investigator)
    card = _held(happened.investigator, happened.possession, at)
    if happened.turned_to is None:
        yield Tone.DEED, at.say("flipped_back", who, card)
        return
    back = happened.turned_to
    yield Tone.DEED, at.say("flipped", who, card, at.card(back))
    for text in at.speaker.details("card", back):
        yield Tone.STORY, text


@_tells(se.TilePlaced)
def _(happened: se.TilePlaced, at: Moment) -> Iterator[Told]:
    rooms = dict.fromkeys(room for _, room in happened.tile.rooms)
    names = ", ".join(at.speaker.name("room", room) for room in rooms)
    yield Tone.DEED, at.say("tile_placed", names)


@_tells(se.TileRemoved)
def _(happened: se.TileRemoved, at: Moment) -> Iterator[Told]:
    tile = next(tile for tile in at.game_before.tiles if tile.tile == happened.tile)
    rooms = dict.fromkeys(room for _, room in tile.rooms)
    names = ", ".join(at.speaker.name("room", room) for room in rooms)
    yield Tone.DEED, at.say("tile_removed", names)


@_tells(se.CoveringPlaced)
def _(happened: se.CoveringPlaced, at: Moment) -> Iterator[Told]:
    key = "wall_placed" if happened.covering.line is Line.WALL else "door_placed"
    yield Tone.DEED, at.say(key, _beside(happened.covering, at))


@_tells(se.CoveringRemoved)
def _(happened: se.CoveringRemoved, at: Moment) -> Iterator[Told]:
    coverings = at.game_before.coverings
    covering = next(c for c in coverings if c.covering == happened.covering)
    key = "wall_removed" if covering.line is Line.WALL else "door_removed"
    yield Tone.DEED, at.say(key, _beside(covering, at))


def _beside(covering: Covering, at: Moment) -> str:
    """Name the rooms on both sides of a Wall or Door token."""
    return " / ".join(at.space(space) for space in at.game.map.beside(covering.cells))


@_tells(se.TokenPlaced)
def _(happened: se.TokenPlaced, at: Moment) -> Iterator[Told]:
    token, game = happened.token, at.game
    if game.phase is Phase.SETUP:
        return
    door = game.map.doors.get(token.at)
    space = door.sides[0] if door is not None and door.sides else token.at
    yield Tone.DEED, at.say("token_placed", at.speaker.token(token), at.space(space))


@_tells(se.TokenMoved)
def _(happened: se.TokenMoved, at: Moment) -> Iterator[Told]:
    token = at.speaker.token(at.game.tokens[happened.token])
    yield Tone.DEED, at.say("moved", token, at.space(happened.at))


@_tells(se.FeaturePlaced)
def _(happened: se.FeaturePlaced, at: Moment) -> Iterator[Told]:
    if at.game.phase is not Phase.SETUP:
        feature = happened.feature
        yield Tone.DEED, at.say(f"placed.{feature.kind.value}", at.space(feature.space))


@_tells(se.FeatureRemoved)
def _(happened: se.FeatureRemoved, at: Moment) -> Iterator[Told]:
    feature = at.game_before.features[happened.feature]
    yield Tone.DEED, at.say(f"removed.{feature.kind.value}", at.space(feature.space))


_plain(se.FireFought, "fire_fought", lambda e, at: (at.who(e.investigator), e.successes))
_plain(
    se.FirePutOut,
    "fire_put_out",
    lambda e, at: (
        at.who(e.investigator),
        at.space(at.game_before.features[e.feature].space),
    ),
)


@_tells(se.BarricadeShifted)
def _(happened: se.BarricadeShifted, at: Moment) -> Iterator[Told]:
    before = at.game_before.features[happened.feature].against
    key = "unblocked" if happened.against is None else "blocked"
    yield Tone.DEED, at.say(key, _blocked(happened.against or before or "", at))


def _blocked(against: str, at: Moment) -> str:
    """Name what a Barricade stands against: the rooms beside a door, or a Secret Passage."""
    door = at.game.map.doors.get(against)
    if door is None:
        return at.speaker.say("feature.secret_passage")
    return " / ".join(at.space(space) for space in door.sides)


@_tells(se.BarricadeAssaulted)
def _(happened: se.BarricadeAssaulted, at: Moment) -> Iterator[Told]:
    key = "assault_broken" if happened.is_broken else "assault"
    dice = " ".join(DICE[face] for face in happened.faces)
    yield Tone.DICE, at.say(key, _monster(happened.monster, at), dice).rstrip()


@_tells(se.InvestigatorMoved)
def _(happened: se.InvestigatorMoved, at: Moment) -> Iterator[Told]:
    who = at.who(happened.investigator)
    if happened.space is None:
        yield Tone.DEED, at.say("off_board", who)
    elif at.game.phase is not Phase.SETUP:
        yield Tone.DEED, at.say("moved", who, at.space(happened.space))


@_tells(se.PhaseBegan)
def _(happened: se.PhaseBegan, at: Moment) -> Iterator[Told]:
    if happened.phase is Phase.INVESTIGATOR:
        yield Tone.ROUND, at.say("round", happened.round_number)
    else:
        yield Tone.STEP, at.speaker.say(f"phase.{happened.phase.value}")


@_tells(se.MythosStepBegan)
def _(happened: se.MythosStepBegan, at: Moment) -> Iterator[Told]:
    yield Tone.STEP, at.speaker.say(f"step.{happened.step.value}")


@_tells(se.TurnBegan)
def _(happened: se.TurnBegan, at: Moment) -> Iterator[Told]:
    yield Tone.STEP, at.say("turn", at.who(happened.investigator))


@_tells(se.ActionSpent)
def _(happened: se.ActionSpent, at: Moment) -> Iterator[Told]:
    if happened.action != "move":  # the figure's way is told step by step
        action = at.speaker.say(f"action.{happened.action}")
        yield Tone.DEED, at.say("acted", at.who(happened.investigator), action)


@_tells(se.PowerUsed)
def _(happened: se.PowerUsed, at: Moment) -> Iterator[Told]:
    who = at.who(happened.investigator)
    if happened.source == happened.investigator:
        yield Tone.DEED, at.say("ability_used", who)
    else:
        yield Tone.DEED, at.say("card_used", who, at.card(happened.source))


@_tells(se.Told)
def _(happened: se.Told, at: Moment) -> Iterator[Told]:
    yield Tone.STORY, at.speaker.text(happened.text)


@_tells(se.ToldPrivately)
def _(happened: se.ToldPrivately, at: Moment) -> Iterator[Told]:
    if happened.text.is_open:
        yield (
            Tone.PRIVATE,
            at.say("private", at.who(happened.investigator), at.speaker.text(happened.text.value)),
        )


@_tells(se.ObjectiveSet)
def _(happened: se.ObjectiveSet, at: Moment) -> Iterator[Told]:
    yield Tone.STORY, at.say("objective", at.speaker.text(happened.objective))


@_tells(se.ChapterBegan)
def _(happened: se.ChapterBegan, at: Moment) -> Iterator[Told]:
    yield Tone.ROUND, at.speaker.text(happened.chapter)


@_tells(se.TimerSet)
def _(happened: se.TimerSet, at: Moment) -> Iterator[Told]:
    yield Tone.STEP, at.speaker.timer(happened.timer)


@_tells(se.TimerRemoved)
def _(happened: se.TimerRemoved, at: Moment) -> Iterator[Told]:
    text = at.speaker.text(at.game_before.timers[happened.timer].text)
    key = "run_out" if happened.has_run_out else "stopped"
    yield Tone.STEP, at.speaker.say(f"timer.{key}", text)


@_tells(se.TestDeclared)
def _(happened: se.TestDeclared, at: Moment) -> Iterator[Told]:
    skill = at.speaker.say(f"skill.{happened.skill.value}")
    who = at.who(happened.investigator)
    if happened.difficulty is None:
        yield Tone.DICE, at.say("test_open", who, skill, happened.pool)
    else:
        yield Tone.DICE, at.say("test", who, skill, happened.pool, happened.difficulty)


@_tells(se.DiceShown)
def _(happened: se.DiceShown, _: Moment) -> Iterator[Told]:
    yield Tone.DICE, " ".join(DICE[face] for face in happened.faces)


@_tells(se.DiceConverted)
def _(happened: se.DiceConverted, at: Moment) -> Iterator[Told]:
    yield Tone.DICE, at.say("converted", len(happened.dice))


@_tells(se.TestFinished)
def _(happened: se.TestFinished, at: Moment) -> Iterator[Told]:
    keys = {True: "passed", False: "failed", None: "successes"}
    yield Tone.DICE, at.say(keys[happened.is_passed], happened.successes)


@_tells(se.HarmTaken)
def _(happened: se.HarmTaken, at: Moment) -> Iterator[Told]:
    harm = at.speaker.say(f"harm.{happened.harm.value}")
    if happened.card is None:
        yield Tone.DEED, at.say("harm_facedown", at.who(happened.investigator), harm)
    else:
        card = at.card(happened.card)
        yield Tone.DEED, at.say("harm_faceup", at.who(happened.investigator), harm, card)


@_tells(se.HarmTurnedFacedown)
def _(happened: se.HarmTurnedFacedown, at: Moment) -> Iterator[Told]:
    card = _faceup(happened.investigator, happened.handle, at)
    yield Tone.DEED, at.say("turned_down", at.who(happened.investigator), card)


@_tells(se.HarmDiscarded)
def _(happened: se.HarmDiscarded, at: Moment) -> Iterator[Told]:
    harm = at.speaker.say(f"harm.{happened.harm.value}")
    card = _faceup(happened.investigator, happened.handle, at) or harm
    yield Tone.DEED, at.say("harm_discarded", at.who(happened.investigator), card)


def _faceup(investigator: str, handle: str, at: Moment) -> str:
    faceup = at.game_before.investigators[investigator].faceup
    cards = [card for lying in faceup.values() for card in lying if card.handle == handle]
    return at.card(cards[0].card) if cards else ""


@_tells(se.BecameInsane)
def _(happened: se.BecameInsane, at: Moment) -> Iterator[Told]:
    yield Tone.DEED, at.say("insane", at.who(happened.investigator))
    if happened.back.is_open and happened.back.value:
        details = " ".join(at.speaker.details("card", happened.back.value))
        yield Tone.PRIVATE, at.say("back", at.card(happened.back.value), details)


@_tells(se.MonsterDiscarded)
def _(happened: se.MonsterDiscarded, at: Moment) -> Iterator[Told]:
    key = "monster_defeated" if happened.is_defeated else "monster_gone"
    yield Tone.DEED, at.say(key, _monster(happened.monster, at))


@_tells(se.CodeGuessed)
def _(happened: se.CodeGuessed, at: Moment) -> Iterator[Told]:
    guess = happened.guess
    pieces = " ".join(at.speaker.text(piece) for piece in guess.pieces)
    key = "code_solved" if happened.is_solved else "code_guessed"
    yield Tone.DICE, at.say(key, pieces, guess.successes, guess.investigations)


@_tells(se.SlideSwapped)
def _(happened: se.SlideSwapped, at: Moment) -> Iterator[Told]:
    key = "slide_solved" if happened.is_solved else "slide_swapped"
    yield Tone.DEED, at.say(key, *(place + 1 for place in happened.places))


@_tells(se.OptionChosen)
def _(happened: se.OptionChosen, at: Moment) -> Iterator[Told]:
    text = at.speaker.text(happened.text)
    if happened.investigator is None:
        yield Tone.DEED, at.say("chose_together", text)
    else:
        yield Tone.DEED, at.say("chose", at.who(happened.investigator), text)


@_tells(se.VotesShown)
def _(happened: se.VotesShown, at: Moment) -> Iterator[Told]:
    for investigator, vote in happened.votes.items():
        yield Tone.DEED, at.say("voted_for", at.who(investigator), at.speaker.text(vote))


@_tells(se.OppositionRolled)
def _(happened: se.OppositionRolled, at: Moment) -> Iterator[Told]:
    dice = " ".join(DICE[face] for face in happened.faces)
    yield Tone.DICE, at.say("opposed", dice, happened.faces.count(Face.SUCCESS))


@_tells(se.LockSlid)
def _(happened: se.LockSlid, at: Moment) -> Iterator[Told]:
    puzzle = at.game.puzzles[happened.puzzle]
    assert isinstance(puzzle, LockPuzzle)
    ways = ("up", "down") if puzzle.pieces[happened.piece].is_upright else ("left", "right")
    way = at.speaker.say(f"way.{ways[happened.by > 0]}")
    key = "lock_solved" if happened.is_solved else "lock_slid"
    yield Tone.DEED, at.say(key, PIECES[happened.piece], abs(happened.by), way)


@_tells(se.BackShown)
def _(happened: se.BackShown, at: Moment) -> Iterator[Told]:
    conditions = at.game.investigators[happened.investigator].conditions
    ref = (happened.back.sequence, happened.back.slot)
    for condition in conditions:
        if condition.back is not None and condition.back.ref == ref and condition.back.value:
            card = at.card(condition.back.value)
            yield Tone.DEED, at.say("back_shown", at.who(happened.investigator), card)


@_tells(se.GameEnded)
def _(happened: se.GameEnded, at: Moment) -> Iterator[Told]:
    ending = happened.ending
    yield Tone.STEP, at.say("won" if ending.is_won else "lost")
    yield Tone.STORY, at.speaker.text(ending.epilogue)
    for result in ending.results:
        key = "result_won" if result.has_won else "result_lost"
        reason = at.speaker.text(result.reason)
        yield Tone.DEED, at.say(key, at.who(result.investigator), reason)


@_tells(se.CampaignKept)
def _(happened: se.CampaignKept, at: Moment) -> Iterator[Told]:
    yield Tone.STEP, at.say("campaign_kept", at.speaker.name("campaign", happened.legacy.campaign))
