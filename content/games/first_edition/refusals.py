"""
Refusals: mistakes in a story that appear only when each set of answers is tried.

Each check yields the key of the story that is at fault, and the reason. Such a story cannot be
loaded: it would break off, or tell what is secret.
"""

from collections import Counter
from collections.abc import Callable, Iterator

from content.games.first_edition.answers import (
    MOST_SETS,
    Answers,
    difference,
    number_of_sets,
    sets_of,
    shown,
)
from content.games.first_edition.maps import banks, map_of, walled_sides
from content.games.first_edition.prospects import Prospects
from content.games.first_edition.schema.effects import PlaceAlly, PlaceFeature, RemoveAlly, Talk
from content.games.first_edition.schema.kinds import NOTHING
from content.games.first_edition.schema.pack import Pack
from content.games.first_edition.schema.story import (
    Exhaustion,
    LinkKind,
    OnLastEvent,
    Story,
    fits,
)
from protocol.games.first_edition.puzzles import Family
from protocol.games.first_edition.words import FeatureKind
from protocol.memo import memo

Refusal = tuple[str, str]
"""A key of the story, and the reason."""
_Check = Callable[[Pack, Story], Iterator[Refusal]]
_CHECKS: list[_Check] = []
MOST_CARDS = 300
"""Maximum number of cards in a deck, and of puzzle pieces of a family."""
MOST_LISTED = 64
"""Maximum number of keeper actions, counters, investigators (as in a roster), and of allies."""
_OF_ALLIES = (PlaceAlly, RemoveAlly, Talk)
_OPEN = "what lies open must be the same for all answers (K-DECIDE-101)"


def refusals(pack: Pack, story: Story) -> Iterator[Refusal]:
    """Yield the mistakes of a story."""
    if number_of_sets(story) > MOST_SETS:
        yield (
            "questions",
            f"{number_of_sets(story)} sets of answers; at most {MOST_SETS} are allowed",
        )
        return
    for check in _CHECKS:
        yield from check(pack, story)


def _check(check: _Check) -> _Check:
    _CHECKS.append(check)
    return check


@_check
def _objectives(_pack: Pack, story: Story) -> Iterator[Refusal]:
    """K-SETUP-3, K-DECIDE-5: each full set of answers selects exactly one objective."""
    for answers in sets_of(story):
        chosen = set(answers.values())
        found = [one.id for one in story.objectives if one.option in chosen]
        if len(found) != 1:
            those = " and ".join(found) or "no objective"
            yield "objectives", f"{shown(answers)} selects {those}; exactly one must be selected"
            return


@_check
def _piles(_pack: Pack, story: Story) -> Iterator[Refusal]:
    """K-DECIDE-101, K-EX-28: each room has the same number of cards, whatever the answers are."""
    for room in story.rooms:
        found = difference(
            (answers, len(story.cards_under(room.id, answers))) for answers in sets_of(story)
        )
        if found is not None:
            one, first, other, second = found
            counts = f"{first} cards for {shown(one)} and {second} for {shown(other)}"
            yield "placement", f"{room.id} has {counts}; {_OPEN}"


@_check
def _locks(_pack: Pack, story: Story) -> Iterator[Refusal]:
    """K-DECIDE-101: the same rooms have a lock, whatever the answers are; each has at most one."""
    sets = sets_of(story)

    def count(room: str, answers: Answers) -> int:
        return sum(row.room == room and fits(row.when, answers) for row in story.locks)

    for room in story.rooms:
        found = difference((answers, count(room.id, answers)) for answers in sets)
        if found is not None:
            one, first, other, second = found
            counts = f"{first} locks for {shown(one)} and {second} for {shown(other)}"
            yield "locks", f"{room.id} has {counts}; {_OPEN}"
        elif count(room.id, sets[0]) > 1:
            yield "locks", f"{room.id} has two locks; a room has one at most"


@_check
def _start(_pack: Pack, story: Story) -> Iterator[Refusal]:
    """K-DECIDE-104: the room of the starting space has no lock."""
    tile, _, letter = story.start.partition("/")
    room = next((one.rooms[letter] for one in story.tiles if one.id == tile), "")
    if any(row.room == room for row in story.locks):
        yield "locks", f"investigators start in {room}; it can have no lock (K-DECIDE-104)"


@_check
def _clues(_pack: Pack, story: Story) -> Iterator[Refusal]:
    """K-DECIDE-38: clues are numbered down to 1, and each lies once, whatever the answers are."""
    numbers = sorted((clue.number for clue in story.clues), reverse=True)
    if numbers != list(range(len(numbers), 0, -1)):
        told = ", ".join(map(str, numbers))
        yield "clues", f"number the clues {len(numbers)} to 1, each once; these are {told}"
    for clue in story.clues:
        for answers in sets_of(story):
            count = sum(story.cards_under(r.id, answers).count(clue.id) for r in story.rooms)
            if count != 1:
                often = "nowhere" if not count else f"{count} times"
                yield "placement", f"{clue.id} lies {often} for {shown(answers)}; it must lie once"
                break


@_check
def _cards(pack: Pack, story: Story) -> Iterator[Refusal]:
    """Each item and obstacle lies once at most; starting items lie nowhere. K-CARD-8, K-CARD-11."""
    clues = {clue.id for clue in story.clues}
    told = set[str]()
    for answers in sets_of(story):
        cards = Counter(card for r in story.rooms for card in story.cards_under(r.id, answers))
        for card, count in cards.items():
            # Two obstacles of a kind are two trees across two paths; an item is one thing.
            if card in pack.items and count > 1 and card not in clues | told:
                told.add(card)
                yield "placement", f"{card} lies {count} times for {shown(answers)}; there is one"
    placed = sorted({card for row in story.placement for card in row.cards} - {NOTHING})
    for card in placed:
        if card in pack.items and pack.items[card].starting:
            yield "placement", f"{card} is a starting item; no room hides it"


@_check
def _last_event(_pack: Pack, story: Story) -> Iterator[Refusal]:
    """K-DECIDE-66: if the game ends with the last event, each objective names a winner."""
    if story.event_exhaustion is Exhaustion.END:
        for objective in story.objectives:
            if objective.on_last_event is OnLastEvent.NONE:
                reason = "names nobody who wins on the last event, with which this story ends"
                yield "objectives", f"{objective.id} {reason} (K-DECIDE-66)"


@_check
def _outdoors(_pack: Pack, story: Story) -> Iterator[Refusal]:
    """W-USE-5, W-DECIDE-41: the land and the end of the events suit the kind of story."""
    if story.outdoor:
        if story.event_exhaustion is Exhaustion.END:
            reason = "goes on after its last event; write 'event_exhaustion: continue'"
            yield "outdoor", f"an outdoor story {reason} (W-EVENT-1)"
        return
    why = "is only in an outdoor story; write 'outdoor: true' for the story"
    for room in story.rooms:
        if room.outdoor:
            yield "rooms", f"an outdoor room such as {room.id} {why}"
            break
    if story.submerged:
        yield "submerged", f"a space under water {why}"
    if any(link.kind is LinkKind.UNDER for link in story.links):
        yield "links", f"a link of the kind under {why}"
    if story.decks:
        yield "decks", f"a {story.decks[0].deck.value} {why}"


@_check
def _allies(pack: Pack, story: Story) -> Iterator[Refusal]:
    """W-USE-5, W-ALLY-3: allies are in outdoor stories; a story has those whom its cards name."""
    if story.allies and not story.outdoor:
        yield "allies", "allies are only in an outdoor story; write 'outdoor: true' for the story"
    if not pack.allies:
        return
    known, told = {one.ally for one in story.allies}, set[str]()
    for prospects in _foreseen(pack, story):
        for step, _ in prospects.steps:
            if isinstance(step, _OF_ALLIES) and step.ally not in known | told:
                told.add(step.ally)
                reason = f"an effect names {step.ally}, which is no ally of this story"
                yield "allies", f"{reason}; write it here, with its story cards"


@_check
def _walls(_pack: Pack, story: Story) -> Iterator[Refusal]:
    """W-OUT-2, W-OUT-3, W-DECIDE-1: a room is outdoors if walls border one side of it at most."""
    if not story.outdoor:
        return
    drawn = set(map_of(story).rooms.values())
    for room in story.rooms:
        walled = walled_sides(story, room.id)
        if room.id not in drawn or room.outdoor == (len(walled) <= 1):
            continue
        sides = " and ".join(side.value for side in walled) or "no side"
        which, advice = "not outdoor", "is 'outdoor: true'"
        if room.outdoor:
            which = "outdoor"
            advice = "has walls on one side at most; draw its other sides with : and ."
        reason = f"walls border {sides} of it; such a room {advice} (W-OUT-2)"
        yield "rooms", f"{room.id} is {which}, but {reason}"


@_check
def _water(_pack: Pack, story: Story) -> Iterator[Refusal]:
    """W-DECIDE-7: each submerged space has a dry space beside it, across a barrier."""
    board = map_of(story)
    locked = {row.room for row in story.locks}
    for space, count in Counter(story.submerged).items():
        if count > 1:
            yield "submerged", f"{space} stands here twice; name each once"
        dry = [one for one in banks(board, space) if one not in story.submerged]
        if not any(board.rooms[one] not in locked for one in dry):
            reason = "needs a space beside it that is not under water, across a barrier (! or ~)"
            shut = " and without a lock" if dry else ""
            yield "submerged", f"{space} {reason}{shut} (W-DECIDE-7)"


@_check
def _pits(pack: Pack, story: Story) -> Iterator[Refusal]:
    """W-PIT-1, W-PIT-9, W-USE-5: pits come from the supply that the pack has."""
    laid = sum(one.kind is FeatureKind.PIT for one in story.features)
    if not laid and not any(kind is FeatureKind.PIT for kind, _ in _placed(pack, story)):
        return
    supply = sum(pit.copies for pit in pack.pits.values())
    if not story.outdoor:
        yield "features", "a pit is only in an outdoor story; write 'outdoor: true' for the story"
    elif not supply:
        yield "features", "pits can come, but the pack has none; write them into pits.yaml"
    elif laid > supply:
        yield "features", f"{laid} pits lie on the board; the pack has {supply} (W-PIT-9)"


@_check
def _boats(pack: Pack, story: Story) -> Iterator[Refusal]:
    """W-DECIDE-18, W-USE-5: a boat is always in a space that touches a barrier."""
    laid = [one.at for one in story.features if one.kind is FeatureKind.BOAT]
    placed = [at for kind, at in _placed(pack, story) if kind is FeatureKind.BOAT]
    if not laid and not placed:
        if story.boat_key is not None:
            yield "boat_key", "there is never a boat in this story; leave it out (W-DECIDE-13)"
        return
    if not story.outdoor:
        yield "features", "a boat is only in an outdoor story; write 'outdoor: true' for the story"
    board = map_of(story)
    bridges = [one for link in story.links if link.kind is LinkKind.UNDER for one in link.spaces]
    for key, spaces in (("features", [*laid, *placed]), ("links", bridges)):
        for space in dict.fromkeys(spaces):
            if space in board.rooms and not banks(board, space):
                yield key, f"a boat in {space} would touch no barrier, ! or ~ (W-DECIDE-18)"


def _placed(pack: Pack, story: Story) -> Iterator[tuple[FeatureKind, str]]:
    """Yield kind and place of the features that effects can bring in a story."""
    for prospects in _foreseen(pack, story):
        for step in prospects.of_kind(PlaceFeature):
            yield step.kind, step.at


@memo(1)
def _foreseen(pack: Pack, story: Story) -> tuple[Prospects, ...]:
    """Return the prospects of a story for each full set of answers. Several checks ask for them."""
    return tuple(Prospects.of(pack, story, answers) for answers in sets_of(story))


@_check
def _vote(_pack: Pack, story: Story) -> Iterator[Refusal]:
    """W-DECIDE-47: what the investigators choose tells the keeper nothing before it is revealed."""
    if not story.is_objective_voted:
        return
    for objective in story.objectives:
        if objective not in story.voted_objectives:
            reason = "is chosen by the keeper, and others by the investigators; one side chooses"
            yield "objectives", f"{objective.id} {reason} all (W-DECIDE-47)"
    if len({objective.on_last_event is OnLastEvent.NONE for objective in story.objectives}) > 1:
        # A die is rolled for the last event only where nobody wins with it. K-VAR-10.
        reason = "either all objectives name a winner on the last event, or none does"
        yield "objectives", f"{reason}: the keeper must not tell them apart (W-DECIDE-47)"


@_check
def _figures(pack: Pack, story: Story) -> Iterator[Refusal]:
    """K-SUPPLY-5, K-DECIDE-61: monsters at the start are within the supply of figures."""
    for kind, count in Counter(monster.kind for monster in story.monsters).items():
        figures = pack.monsters[kind].figures
        if count > figures:
            yield (
                "monsters",
                f"{count} of {kind} are laid; there are {figures} figures (K-SUPPLY-5)",
            )


@_check
def _monster_tokens(pack: Pack, story: Story) -> Iterator[Refusal]:
    """W-DECIDE-37: a monster with tokens of its own has one for each full set of answers."""
    unique = [one for one in story.monsters if one.tokens]
    for one in unique:
        if any(other.kind == one.kind and not other.tokens for other in story.monsters):
            # A token that is drawn could be the one that an answer chooses.
            yield "monsters", f"some of {one.kind} have tokens; write them for all of its kind"
        backs = {back.id for back in pack.monsters[one.kind].backs}
        for row in one.tokens:
            if row.token not in backs:
                yield "monsters", f"{row.token} is no token of {one.kind}"
        for answers in sets_of(story):
            count = sum(fits(row.when, answers) for row in one.tokens)
            if count != 1:
                reason = f"{one.kind} has {count} tokens for {shown(answers)}; it must have one"
                yield "monsters", f"{reason} (W-DECIDE-37)"
                break
    copies = {back.id: back.copies for kind in pack.monsters.values() for back in kind.backs}
    for answers in sets_of(story):
        for token, count in Counter(one.token_for(answers) for one in unique).items():
            if token is not None and count > copies[token]:
                reason = f"{token} lies {count} times for {shown(answers)}"
                yield "monsters", f"{reason}; its copies are {copies[token]}"
                return


@_check
def _sizes(pack: Pack, story: Story) -> Iterator[Refusal]:
    """K-DECIDE-10: what is shuffled or listed together fits into one record of a log."""
    backs = {one.id: sum(back.copies for back in one.backs) for one in pack.spells.values()}
    classes = Counter(card.class_.value for card in pack.combat.values())
    decks = {
        "mythos": len(story.mythos),
        "trauma": len(pack.traumas),
        **{f"combat of class {name}": count for name, count in classes.items()},
        **{f"copies of {spell}": count for spell, count in backs.items()},
        "pits": sum(pit.copies for pit in pack.pits.values()) if story.outdoor else 0,
        **{one.deck.value: sum(card.copies for card in one.cards) for one in story.decks},
    }
    for deck, count in decks.items():
        if count > MOST_CARDS:
            yield "mythos", f"{count} cards in the deck {deck}; at most {MOST_CARDS} are allowed"
    for family in Family:
        pieces = sum(pack.pieces.of(family).values())
        if pieces > MOST_CARDS:
            reason = f"{pieces} puzzle pieces of the family {family.value}"
            yield "placement", f"{reason}; at most {MOST_CARDS} are allowed"
    listed = {
        "actions": len(story.all_actions),
        "counters": len(story.counters),
        "allies": max(len(story.allies), *(len(one.tales) for one in story.allies), 0),
        "investigators": len(story.investigators or pack.characters),
    }
    for key, count in listed.items():
        if count > MOST_LISTED:
            yield key, f"there are {count}; at most {MOST_LISTED} are allowed"


@_check
def _investigators(pack: Pack, story: Story) -> Iterator[Refusal]:
    """K-DECIDE-9: there is an investigator for everybody who can play."""
    count = len(story.investigators or pack.characters)
    if count < story.most_investigators:
        reason = f"{count} investigators for {story.most_investigators} players; name more"
        yield "most_investigators", reason


@_check
def _tokens(pack: Pack, story: Story) -> Iterator[Refusal]:
    """K-DECIDE-105: actions cost tokens of the keeper, not other counters."""
    tokens = {counter.id for counter in story.counters if counter.is_token}
    for action in story.all_actions:
        for name in pack.actions[action].tokens:
            if name not in tokens:
                reason = f"{action} costs {name!r}, which is no token; write 'is_token: true'"
                yield "counters", f"{reason} (K-DECIDE-105)"
