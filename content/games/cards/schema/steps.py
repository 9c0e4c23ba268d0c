"""
Steps: what effects do. An effect is a list of steps, carried out in order. C-BABIL-10.

In YAML a step is a mapping with one key, such as `draw: 1` or `harm: {damage: 1, to: each-here}`.
"""

import enum
from typing import Annotated

from content.games.cards.schema.conditions import Condition
from content.games.cards.schema.kinds import (
    NONE,
    ONE,
    Amount,
    CardId,
    Deed,
    Phrase,
    ResolutionId,
    UseKind,
)
from content.games.cards.schema.modifiers import Modifier
from content.games.cards.schema.occurrences import On
from content.games.cards.schema.targets import Cards, Filter, People, TheCard, Who
from content.reading.meanings import Bounds, Role
from content.reading.parts import part
from protocol.games.cards.words import Skill, Trauma, Until


class Step:
    """One thing that an effect does."""


Effect = tuple[Step, ...]


# Players' things


@part(Step, "resources")
class Resources(Step):
    """Investigators gain resources, or lose them if the number is negative. C-BACT-2."""

    number: Annotated[Amount, Role.SHORT]
    who: People = Who.YOU


@part(Step, "draw")
class Draw(Step):
    """Investigators draw cards, all at once. C-DRAW-1."""

    number: Annotated[Amount, Role.SHORT]
    who: People = Who.YOU


@part(Step, "discard_hand")
class DiscardHand(Step):
    """Investigators discard cards from their hands."""

    number: Amount = ONE
    all: bool = False
    """True for every card that fits, weaknesses too. C-WEAK-2."""
    who: People = Who.YOU
    at_random: bool = False
    of: Filter = Filter()


@part(Step, "basic_weakness", inline="who")
class BasicWeakness(Step):
    """Investigators shuffle a random basic weakness of the pool into their decks. C-POOL-1."""

    who: People


@part(Step, "heal")
class Heal(Step):
    """Take damage or horror off cards; off your own if none is named. C-HEAL-1, C-BDMG-13."""

    damage: Amount = NONE
    horror: Amount = NONE
    card: Cards = TheCard.YOU


@part(Step, "harm")
class Harm(Step):
    """Deal damage and horror to investigators, who assign it. C-BDMG-1, C-BDMG-14."""

    damage: Amount = NONE
    horror: Amount = NONE
    who: People = Who.YOU
    is_direct: bool = False


@part(Step, "damage")
class Damage(Step):
    """Deal damage, or horror, to cards, such as enemies. C-BDMG-10."""

    card: Cards
    number: Amount = ONE
    horror: Amount = NONE


@part(Step, "discover")
class Discover(Step):
    """Discover clues at your location, or at another. C-BLOC-6."""

    number: Amount = ONE
    at: Cards = TheCard.HERE
    who: People = Who.YOU


@part(Step, "put")
class Put(Step):
    """Put tokens on cards, or take them off if the number is negative."""

    token: str
    number: Amount = ONE
    card: Cards = TheCard.THIS


@part(Step, "take_clues")
class TakeClues(Step):
    """Investigators lose clues to the place where they are, or to the pool."""

    number: Amount
    who: People = Who.YOU
    to_pool: bool = False


@part(Step, "actions")
class Actions(Step):
    """Investigators gain actions, or lose them. C-XACT-4."""

    number: Amount
    who: People = Who.YOU


@part(Step, "trauma")
class GiveTrauma(Step):
    """Investigators suffer trauma. C-BCAMP-16."""

    kind: Trauma
    number: Amount = ONE
    who: People = Who.YOU


@part(Step, "defeat", inline="who")
class Defeat(Step):
    """Investigators are defeated. C-BDMG-17."""

    who: People


@part(Step, "resign", inline="who")
class Resign(Step):
    """Investigators resign. C-BACT-13."""

    who: People


# Cards


@part(Step, "exhaust", inline="card")
class Exhaust(Step):
    """Exhaust cards."""

    card: Cards


@part(Step, "ready", inline="card")
class Ready(Step):
    """Ready cards."""

    card: Cards


@part(Step, "discard", inline="card")
class Discard(Step):
    """Discard cards from play. C-BZONE-12, C-BZONE-13, C-BZONE-19."""

    card: Cards


@part(Step, "remove", inline="card")
class Remove(Step):
    """Remove cards from the game. C-ZONE-2."""

    card: Cards


@part(Step, "to_victory", inline="card")
class ToVictory(Step):
    """Put cards into the victory display."""

    card: Cards


@part(Step, "return", inline="card")
class Return(Step):
    """Return cards to their owners' hands. C-RETURN-1."""

    card: Cards


@part(Step, "shuffle_in", inline="card")
class ShuffleIn(Step):
    """Shuffle cards into their owners' decks, or into the encounter deck. C-EMPTY-1."""

    card: Cards


@part(Step, "to_threat")
class ToThreat(Step):
    """Put cards into a threat area."""

    card: Cards = TheCard.THIS
    who: People = Who.YOU


@part(Step, "attach")
class Attach(Step):
    """Attach a card to another one. C-ATT-1 to C-ATT-5."""

    to: Cards
    card: Cards = TheCard.THIS


@part(Step, "into_play")
class IntoPlay(Step):
    """Put a card into play without playing it: a set-aside one, or one by its place. C-BPLAY-15."""

    id: CardId | None = None
    """A card that is set aside. C-CTRL-1."""
    from_discard: Filter | None = None
    """A card of your discard pile."""
    from_hand: Filter | None = None
    """A card of your hand."""
    at: Cards | None = None
    """The location where it comes in."""
    who: People = Who.YOU


@part(Step, "take_control")
class TakeControl(Step):
    """An investigator takes control of cards. C-ATT-3, C-SLOT-1."""

    card: Cards
    who: People = Who.YOU


@part(Step, "exchange")
class Exchange(Step):
    """Two investigators exchange cards that they control, or nothing happens. C-BABIL-32."""

    mine: Cards
    theirs: Cards


@part(Step, "capture", inline="card")
class Capture(Step):
    """Put cards in play into the captives' pile. C-PILE-1 to C-PILE-5."""

    card: Cards


@part(Step, "flip", inline="card")
class Flip(Step):
    """Turn cards to their other face. C-FLIP-1."""

    card: Cards


# Enemies and moves


@part(Step, "move")
class Move(Step):
    """Investigators move to a location. C-BACT-14."""

    to: Cards
    who: People = Who.YOU


@part(Step, "move_enemy")
class MoveEnemy(Step):
    """Enemies move to a location, or one step toward "you". C-BENEMY-32, C-NEAR-4."""

    card: Cards
    to: Cards | None = None


@part(Step, "engage")
class Engage(Step):
    """An investigator engages enemies. C-ENG-1."""

    card: Cards
    who: People = Who.YOU


@part(Step, "disengage", inline="card")
class Disengage(Step):
    """Enemies are engaged with nobody."""

    card: Cards


@part(Step, "evade_now", inline="card")
class EvadeNow(Step):
    """Evade enemies automatically, without a test. C-AUTO-10 to C-AUTO-12."""

    card: Cards


@part(Step, "attack")
class Attack(Step):
    """Enemies attack an investigator. C-BENEMY-16."""

    card: Cards
    who: People = Who.YOU


@part(Step, "spawn")
class Spawn(Step):
    """A set-aside enemy, or the topmost discarded one that fits, spawns. C-SPAWN-1."""

    id: CardId | None = None
    discarded: Filter | None = None
    at: Cards | None = None
    """Where it spawns; else as its own instruction says."""
    engaged_with: People | None = None


@part(Step, "encounter")
class DrawEncounter(Step):
    """
    Investigators draw encounter cards, one after another. C-BENC-14, C-BABIL-37.

    Or one resolves what is no draw of theirs: the Revelation of a card, a card of somebody else.
    """

    number: Amount = ONE
    who: People = Who.YOU
    deck: str = ""
    """The further deck of the scenario that they draw from. C-BSPEC-5."""
    revelation_of: Cards | None = None
    """Only the Revelation of this card is resolved: nothing is drawn. C-BENC-15."""
    takes_over: bool = False
    """True if you resolve the card whose draw the ability answers."""


@part(Step, "explore")
class Explore(Step):
    """Explore: draw until a connected location that fits, or a treachery. C-BSPEC-1."""

    deck: str
    of: Filter = Filter()


# Actions and tests


@part(Step, "test")
class Test(Step):
    """Investigators test a skill, one after another. C-BTEST-2."""

    skill: Skill
    difficulty: Amount
    success: Effect = ()
    failure: Effect = ()
    who: People = Who.YOU


@part(Step, "fight")
class Fight(Step):
    """Fight an enemy: the action, or an attack that no action is spent for. C-BACT-9."""

    skill: Skill | None = None
    """Tested in place of combat. C-BTEST-18."""
    base: int | None = None
    plus: Amount = NONE
    damage: Amount = NONE
    """Added to the 1 damage of an attack. C-BACT-20."""
    of: Filter = Filter()
    card: Cards | None = None
    """The enemy, if it is not to be chosen."""
    success: Effect = ()
    failure: Effect = ()


@part(Step, "evade")
class Evade(Step):
    """Evade an enemy by a test. C-BACT-11, C-ENG-3, C-ENG-4."""

    skill: Skill | None = None
    base: int | None = None
    plus: Amount = NONE
    of: Filter | None = None
    """Which enemies; those engaged with you if it is left out."""
    automatic: bool = False
    """True if the test succeeds by itself. C-AUTO-1."""
    success: Effect = ()
    failure: Effect = ()


@part(Step, "investigate")
class Investigate(Step):
    """Investigate your location. C-BACT-7."""

    skill: Skill | None = None
    base: int | None = None
    plus: Amount = NONE
    clues: Amount = NONE
    """Added to the 1 clue."""
    instead: bool = False
    """True if success does what `success` says and discovers no clue. C-TEST-17."""
    success: Effect = ()
    failure: Effect = ()


@part(Step, "act")
class TakeAction(Step):
    """Take an action of a kind, in any way that there is. C-AOO-6, C-DESIG-3."""

    deed: Deed
    who: People = Who.YOU


@part(Step, "play")
class PlayCard(Step):
    """Play a card from your hand for all that it costs: an action too, unless it is Fast."""

    of: Filter = Filter()


@part(Step, "as_if")
class AsIfThere(Step):
    """Do something as if you were at another location. C-ASIF-1 to C-ASIF-8."""

    at: Cards
    do: Effect
    engaged: bool = False
    """As if engaged with each enemy there, too, and with no others. C-DECIDE-55."""


@part(Step, "succeed", inline="yes")
class Succeed(Step):
    """The test that is going on succeeds by itself, or fails. C-DECIDE-11."""

    yes: bool


@part(Step, "twice", inline="yes")
class Twice(Step):
    """The results of success are resolved twice. C-TEST-10."""

    yes: bool


# What was going to happen


@part(Step, "cancel", inline="yes")
class Cancel(Step):
    """What the ability answers does not happen. C-BABIL-30, C-BABIL-15."""

    yes: bool


@part(Step, "reduce")
class Reduce(Step):
    """Less of what the ability answers happens: damage, horror or any amount. C-BDMG-21."""

    number: Amount
    token: str = ""


@part(Step, "move_harm", inline="to")
class MoveHarm(Step):
    """The harm that is dealt is assigned to this card, as far as it goes."""

    to: Cards


# The bag


@part(Step, "add_tokens")
class AddTokens(Step):
    """Add tokens to the bag, as many as the supply has. C-BLESS-3."""

    token: str
    number: Amount = ONE


@part(Step, "remove_tokens")
class RemoveTokens(Step):
    """Take tokens out of the bag."""

    token: str
    number: Amount = ONE


@part(Step, "reveal")
class Reveal(Step):
    """Reveal chaos tokens outside a test, then go on by what came. C-BLESS-1, C-BBAG-13."""

    number: Amount = ONE
    then: Effect = ()


@part(Step, "reveal_more")
class RevealMore(Step):
    """Instead of 1 token reveal several, and choose those that are resolved. C-TOK-9."""

    number: Annotated[int, Bounds(1, 4)] = 1
    keep: Annotated[int, Bounds(1, 4)] = 1
    from_card: Cards | None = None
    """Instead of tokens from the bag, all that are sealed on this card are resolved. C-TOK-5."""


@part(Step, "another_token", inline="yes")
class AnotherToken(Step):
    """Reveal another token in the test. C-BBAG-11."""

    yes: bool


@part(Step, "seal")
class SealShown(Step):
    """Seal the revealed tokens that fit on a card. C-TOK-4."""

    tokens: tuple[str, ...] = ()
    card: Cards = TheCard.THIS


@part(Step, "cancel_token", inline="tokens")
class CancelToken(Step):
    """The revealed tokens of these kinds are cancelled, of those the ability answers. C-TOK-14."""

    tokens: tuple[str, ...]


# Looking


@part(Step, "search")
class Search(Step):
    """Search the top cards of your deck, or all of it, and take what fits. C-BSEARCH-1 to 5."""

    top: int = 0
    """Number of cards; 0 for the whole deck."""
    of: Filter = Filter()
    number: int = 1
    """Number of cards that are taken; 0 to look at them only."""
    is_drawn: bool = True
    """False if the cards are added to the hand without a draw. C-BENC-15."""
    may: bool = False
    """True if nothing need be taken. C-BSEARCH-4."""


@part(Step, "search_more")
class SearchMore(Step):
    """The search that the ability answers looks at more cards, or takes more. C-SEARCH-2."""

    top: int = 0
    targets: int = 0


@part(Step, "look")
class Look(Step):
    """Look at the top cards of the encounter deck or of your deck and put them back."""

    top: int
    encounter: bool = True
    discard: int = 0
    """Number of them that may be discarded instead."""


# How an effect goes on


@part(Step, "if")
class If(Step):
    """Go on by whether a condition holds."""

    that: Condition
    do: Effect = ()
    else_: Effect = ()


@part(Step, "may")
class May(Step):
    """Whoever the text addresses may do it. C-BABIL-12."""

    do: Effect
    who: People = Who.YOU


@part(Step, "either")
class Either(Step):
    """Each of these investigators chooses one of the ways. C-BABIL-23, C-CHOICE-7."""

    ways: tuple[Effect, ...]
    who: People = Who.YOU
    must_matter: bool | None = None
    """Whether only ways that change something are offered; by default on scenario cards.
    C-DECIDE-21."""


@part(Step, "must")
class Must(Step):
    """Do it if it can be done in full; else do the other thing. C-BABIL-31, C-BABIL-40."""

    do: Effect
    else_: Effect = ()


@part(Step, "for")
class ForEach(Step):
    """Each of these investigators in turn is "you" of the steps. C-BABIL-37."""

    who: People
    do: Effect


@part(Step, "times")
class Times(Step):
    """Do it so many times; the number is counted once, at the beginning. C-BABIL-33."""

    number: Amount
    do: Effect


@part(Step, "choose")
class ChooseCards(Step):
    """Choose cards, which the steps after it call `they`."""

    card: Cards


@part(Step, "choose_person")
class ChoosePerson(Step):
    """Choose investigators, whom the steps after it call `they`."""

    who: People


@part(Step, "lasting")
class LastingStep(Step):
    """Something is given for a while. C-BABIL-20."""

    until: Until
    gives: tuple[Modifier, ...]
    card: Cards | None = None
    """The cards that get it; else the investigator "you"."""
    number: Amount | None = None
    """A number that is fixed now, for `fixed` in what is given."""


@part(Step, "later")
class Later(Step):
    """A delayed effect. C-BABIL-21."""

    on: On
    do: Effect
    until: Until = Until.ROUND
    card: Cards | None = None
    """What `they` means in it."""


# The scenario


@part(Step, "doom")
class Doom(Step):
    """Place doom on the agenda, or on a card. C-BDOOM-1."""

    number: Amount = ONE
    card: Cards = TheCard.AGENDA
    advances: bool = False
    """True if the agenda may advance by it at once. C-BDOOM-3."""


@part(Step, "advance")
class Advance(Step):
    """The act or the agenda advances. C-BACTS-3, C-BDOOM-6."""

    card: Annotated[TheCard, Role.SHORT]
    keeps_doom: bool = False
    """True if the doom in play stays. C-DECIDE-57."""


@part(Step, "location")
class PutLocation(Step):
    """A set-aside location comes into play."""

    id: CardId


@part(Step, "take_out")
class TakeOut(Step):
    """Locations are removed from the game; everybody there goes elsewhere. C-DECIDE-28."""

    card: Cards
    to: Cards | None = None


@part(Step, "reveal_location", inline="card")
class RevealLocation(Step):
    """Locations are revealed."""

    card: Cards


@part(Step, "remember", inline="phrase")
class Remember(Step):
    """The players remember a phrase. C-REM-1."""

    phrase: Phrase


@part(Step, "resolution", inline="id")
class Resolution(Step):
    """The scenario ends with a resolution. C-BEND-1."""

    id: ResolutionId


@part(Step, "end_turn", inline="yes")
class EndTurn(Step):
    """The turn ends at once. C-TIME-3."""

    yes: bool


@part(Step, "replenish")
class Replenish(Step):
    """Put uses on a card that has their kind. C-BPLAY-19."""

    kind: UseKind
    number: Amount
    card: Cards = TheCard.THIS


@part(Step, "haunt", inline="card")
class Haunt(Step):
    """Resolve each Haunted ability of locations. C-BKEY-27."""

    card: Cards


class Way(enum.Enum):
    """Ends of a pile."""

    TOP = "top"
    BOTTOM = "bottom"
