"""Checks of stories and what they declare, beyond their types."""

import attrs

from content.games.first_edition.checks.registry import CHECKS, checks
from content.games.first_edition.checks.steps import ON_LINKS
from content.games.first_edition.schema import effects, story
from content.games.first_edition.schema.kinds import Kind
from content.games.first_edition.schema.requirements import Answered
from content.language.drawings import DrawingChecks
from content.language.walk import parts_in
from content.reading.mistakes import ContentError, Place, find_twins
from content.reading.sheet import Complaint, Sheet
from content.reading.yaml_subset import Fields, Listing
from protocol.games.first_edition.words import FeatureKind, Side, StoryDeck

MOST_PLAYERS = 4
"""Maximum number of investigator players. K-DECIDE-1."""

CHECKS[story.LaidTile] = DrawingChecks(
    Kind.SPACE, Kind.DOOR, (Kind.SPACE, Kind.DOOR, Kind.PLACE), has_corners=True
).check_own


@checks(story.Story)
def _words(made: story.Story, fault: Complaint) -> None:
    """Request words for each plain id, whose subject is `Story.subject_of(id)`."""
    sheet = fault.sheet
    wanted = [
        *((Kind.QUESTION, question.id, Kind.TEXT) for question in made.questions),
        *((Kind.OPTION, o.id, Kind.TEXT) for q in made.questions for o in q.options),
        *((Kind.COUNTER, counter.id, Kind.NAME) for counter in made.counters),
    ]
    for kind, id_, field in wanted:
        sheet.refer(field, made.subject_of(id_), _place_of(sheet, kind, id_))
    if made.is_objective_voted:
        place = _place_of(sheet, Kind.OBJECTIVE, made.objectives[0].id)
        sheet.refer(Kind.TEXT, made.guide, place)
    for objective in made.objectives:
        place = _place_of(sheet, Kind.OBJECTIVE, objective.id)
        goal = objective.id.partition("/")[2]
        sheet.refer(Kind.TEXT, f"guide/{goal}", place)
        for side in Side:
            sheet.refer(Kind.TEXT, objective.usual_ending(side), place)


def _place_of(sheet: Sheet, kind: Kind, id_: str) -> Place:
    return sheet.declared[sheet.scope, kind][id_]


@checks(story.StoryQuestion)
def _question(made: story.StoryQuestion, fault: Complaint) -> None:
    if len(made.options) < 2:
        fault("options", "a question has at least two options")


@checks(story.Story)
def _answers(made: story.Story, fault: Complaint) -> None:
    """Report answers that belong to another question, and answers that are asked too openly."""
    options = {q.id: {option.id for option in q.options} for q in made.questions}
    known = {option for some in options.values() for option in some}
    voted = {question.id for question in made.votes}

    def reason(question: str, option: str) -> str | None:
        # What does not exist at all is told elsewhere.
        if option not in known or option in options.get(question, {option}):
            return None
        offered = ", ".join(sorted(options[question]))
        return f"{option!r} is no option of {question!r}; known: {offered}"

    laid = [
        *(("placement", at, "when", [row.when]) for at, row in enumerate(made.placement)),
        *(("locks", at, "when", [row.when]) for at, row in enumerate(made.locks)),
        *(
            ("monsters", at, "tokens", [row.when for row in monster.tokens])
            for at, monster in enumerate(made.monsters)
        ),
    ]
    for field, index, key, rows in laid:
        for question in sorted(voted & {one for when in rows for one in when}):
            told = f"the keeper, who sees it, would learn the answer to {question!r}"
            _fault_in_row(fault, field, index, key, f"{told} (W-DECIDE-47)")
        for question, option in (one for when in rows for one in when.items()):
            if (wrong := reason(question, option)) is not None:
                _fault_in_row(fault, field, index, key, wrong)
    for field in ("events", "clues", "objectives", "deeds", "allies", "decks"):
        key = {"allies": "ally", "decks": "deck"}.get(field, "id")
        for index, row in enumerate(getattr(made, field)):
            for part in parts_in(row):
                if not isinstance(part, Answered):
                    continue
                if field == "deeds":
                    told = "would tell what was answered; only events, clues, objectives, allies "
                    _fault_in_row(fault, field, index, "id", f"{told}and decks may ask for it")
                elif (wrong := reason(part.question, part.option)) is not None:
                    _fault_in_row(fault, field, index, key, wrong)
                elif part.question in voted and getattr(row, key) is StoryDeck.FIND:
                    told = "the keeper, who explores finds at will, would learn the answer to "
                    _fault_in_row(
                        fault, field, index, key, f"{told}{part.question!r} (W-DECIDE-47)"
                    )


@checks(story.Story)
def _open(made: story.Story, fault: Complaint) -> None:
    """Report what cannot lie where it is put at the start. K-DECIDE-61, K-DECIDE-79."""
    for index, feature in enumerate(made.features):
        is_room = feature.at in {room.id for room in made.rooms}
        if feature.kind in ON_LINKS:
            reason = "ladders and ducts join spaces; write them under links"
            _fault_in_row(fault, "features", index, "kind", reason)
        elif feature.kind.is_of_room != is_room:
            where = "a room" if feature.kind.is_of_room else "a space"
            _fault_in_row(fault, "features", index, "at", f"{feature.kind.value} is in {where}")
    single = [f for f in made.features if f.kind.is_of_room or f.kind is FeatureKind.PIT]
    for twin in find_twins((f.kind, f.at) for f in single):
        fault("features", f"{twin[1]} has {twin[0].value} twice; it has one marker at most")


@checks(story.Story)
def _numbers(made: story.Story, fault: Complaint) -> None:
    """Report numbers that do not fit, and what is missing or stands twice."""
    corpses = sum(feature.kind is FeatureKind.CORPSE for feature in made.features)
    if corpses > made.corpses:
        fault("corpses", f"{corpses} lie on the board; there are no more than this (K-SUPPLY-2)")
    for index, link in enumerate(made.links):
        if len(set(link.spaces)) < max(2, len(link.spaces)):
            reason = "a link joins at least two spaces; name each once"
            _fault_in_row(fault, "links", index, "spaces", reason)
    for index, counter in enumerate(made.counters):
        if counter.most is not None and counter.start > counter.most:
            reason = f"it begins at {counter.start}, which is more than most"
            _fault_in_row(fault, "counters", index, "start", reason)
    if len(made.keeper_start.threat) not in {1, MOST_PLAYERS}:
        reason = f"write one number, or one for each of 1 to {MOST_PLAYERS} investigators"
        fault("keeper_start", f"threat: {reason}")
    if made.keeper_start.mythos > len(made.mythos):
        fault("keeper_start", f"mythos: the deck has {len(made.mythos)} cards")
    for field in ("questions", "objectives", "clues", "events", "mythos"):
        if not getattr(made, field):
            fault(field, "at least one is needed")
    if not made.all_actions:
        fault("actions", "at least one is needed")
    for field, names in (("actions", made.all_actions), ("investigators", made.investigators)):
        for twin in find_twins(names):
            fault(field, f"{twin} stands here twice; name each once")


@checks(story.Story)
def _allies(made: story.Story, fault: Complaint) -> None:
    """Report an ally that the story names twice. W-ALLY-3."""
    for twin in find_twins(one.ally for one in made.allies):
        fault("allies", f"{twin} stands here twice; write all its story cards into one")


@checks(story.Story)
def _further_actions(made: story.Story, fault: Complaint) -> None:
    """Report a further action where nobody acts: in an event. W-SPELL-2, W-SPELL-3."""
    for index, event in enumerate(made.events):
        if any(isinstance(part, effects.AnotherAction) for part in parts_in(event)):
            reason = "nobody has a turn as an event is resolved; leave another_action out"
            _fault_in_row(fault, "events", index, "id", f"{reason} (W-SPELL-3)")


@checks(story.Story)
def _outdoors(made: story.Story, fault: Complaint) -> None:
    """Report secrets of the outdoors that a story of the base set has, or that cannot be dealt."""
    if not made.outdoor:
        if made.hidden_actions:
            fault("hidden_actions", "only an outdoor story hides keeper actions (W-KACTION-1)")
        for index, question in enumerate(made.questions):
            if question.by_vote:
                reason = "only in an outdoor story do investigators choose in secret (W-USE-5)"
                _fault_in_row(fault, "questions", index, "by_vote", reason)
    if made.action_picks and made.action_picks >= len(made.hidden_actions):
        count = len(made.hidden_actions)
        fault("action_picks", f"the pool has {count}; pick fewer, or leave it out to take all")


@checks(story.StoryCards)
def _deck(made: story.StoryCards, fault: Complaint) -> None:
    """Report a deck that is too small, and knowers that a find cannot have. W-DECIDE-49."""
    if not made.cards:
        fault("cards", "at least one is needed")
    count = sum(card.copies for card in made.cards)
    if len(made.rooms) > count:
        fault("rooms", f"{len(made.rooms)} rooms get a card; the deck has {count}")
    if made.known_to is not story.Knowers.NOBODY and made.deck is StoryDeck.FIND:
        fault("knowers", "the keeper has to find it out; write nobody")


@checks(story.Story)
def _decks(made: story.Story, fault: Complaint) -> None:
    """Report two decks of one kind, and cards of a kind that the story has no deck of."""
    for twin in find_twins(deck.deck for deck in made.decks):
        fault("decks", f"there are two decks of {twin.value}s; write all cards into one")
    has = {deck.deck for deck in made.decks}
    for part in parts_in(made):
        if isinstance(part, effects.Deal | effects.TurnUp) and part.deck not in has:
            fault("decks", f"an effect asks for a {part.deck.value}; the story has no such deck")
            return


def _fault_in_row(fault: Complaint, field: str, index: int, key: str, reason: str) -> None:
    """Note a mistake in a key of a row of a list of the story."""
    assert isinstance(fault.node, Fields)
    rows = fault.node.values[field]
    assert isinstance(rows, Listing)
    place = fault.sheet.place(rows.items[index], key)
    whole = attrs.evolve(place, key=f"{field}[{index}].{place.key}")
    fault.sheet.errors.append(ContentError.at(whole, reason))
