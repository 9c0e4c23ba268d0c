"""The linter finds parts of a pack that can never come up, for any answers of the keeper."""

import math
from collections.abc import Callable, Iterator
from typing import Any

import attrs

from content.games.first_edition.answers import sets_of, shown
from content.games.first_edition.loader import BASE, cards_of, lists_of
from content.games.first_edition.possible import Possible
from content.games.first_edition.prospects import Prospects, effects_of, steps_in
from content.games.first_edition.references import PREFIXES
from content.games.first_edition.schema import effects, requirements, targets
from content.games.first_edition.schema.cards import ActionCard, LockCard, MythosCard, ObstacleCard
from content.games.first_edition.schema.effects import By
from content.games.first_edition.schema.kinds import Kind
from content.games.first_edition.schema.pack import Pack
from content.games.first_edition.schema.products import Product
from content.games.first_edition.schema.story import Exhaustion, Story, StoryEvent
from content.games.first_edition.walks import Board, Walk
from content.language.findings import Finding
from content.language.references import named_in
from content.language.walk import parts_in
from content.reading.gaps import is_stub
from protocol.common.templates import placeholders
from protocol.games.first_edition.words import Side

OF_RULES = frozenset(
    [
        *("about", "ask", "attribute", "choice", "feature", "language", "name", "needs"),
        *("refusal", "result", "rule"),
    ]
)
"""First parts of subjects that the rules use; the linter reports no such subject as unused."""


@attrs.frozen
class Outlook:
    """A story, and what can happen in it for each full set of answers."""

    pack: Pack
    story: Story
    board: Board
    cases: tuple[Possible, ...]

    @classmethod
    def of(cls, pack: Pack, story: Story) -> "Outlook":
        """Return the outlook of a story."""
        board = Board.of(story)
        cases = tuple(
            Possible(Prospects.of(pack, story, answers), Walk.through(pack, story, answers, board))
            for answers in sets_of(story)
        )
        return cls(pack, story, board, cases)

    @property
    def cards(self) -> dict[str, Any]:
        """The cards that can come into play for some answers, by id."""
        return {id_: card for case in self.cases for id_, card in case.ahead.cards.items()}

    def finding(self, subject: str, reason: str) -> Finding:
        """Return a finding about this story."""
        return Finding(self.story.id, subject, reason)

    def failing(self, good: Callable[[Possible], bool]) -> str | None:
        """Return the answers for which something is not so, in words; None if it is always so."""
        bad = [case.ahead.answers for case in self.cases if not good(case)]
        if not bad:
            return None
        return "" if len(bad) == len(self.cases) else f" for {shown(bad[0])}"


OfStory = Callable[[Outlook], Iterator[Finding]]
OfPack = Callable[[Pack], Iterator[Finding]]
_OF_STORY: list[OfStory] = []
_OF_PACK: list[OfPack] = []


def _of_story(check: OfStory) -> OfStory:
    _OF_STORY.append(check)
    return check


def _of_pack(check: OfPack) -> OfPack:
    _OF_PACK.append(check)
    return check


def lint(pack: Pack) -> list[Finding]:
    """Return the findings that the author of a pack should look at."""
    found: list[Finding] = []
    for story in pack.scenarios.values():
        outlook = Outlook.of(pack, story)
        for check in _OF_STORY:
            found += check(outlook)
    for check_pack in _OF_PACK:
        found += check_pack(pack)
    return list(dict.fromkeys(found))


@_of_story
def _way(outlook: Outlook) -> Iterator[Finding]:
    """Every space can be entered by somebody, and every door leads somewhere. K-DECIDE-19."""
    told = set[str]()
    for space, room in outlook.board.map.rooms.items():
        # Nobody has to come into the water.
        if space in outlook.story.submerged:
            continue
        bad = outlook.failing(lambda case, space=space: space in case.walk.spaces)  # type: ignore[misc]
        if bad is not None and room not in told:
            told.add(room)
            reason = "no way leads there, or what opens it lies behind it"
            yield outlook.finding(room, f"{space} cannot be entered{bad}: {reason}")
    for name, door in outlook.board.map.doors.items():
        if len(door.sides) < 2:
            yield outlook.finding(name, "this door leads nowhere")
    drawn = set(outlook.board.map.rooms.values())
    for one in outlook.story.rooms:
        if one.id not in drawn:
            yield outlook.finding(one.id, "unused room: no space of a tile belongs to it")


@_of_story
def _clues(outlook: Outlook) -> Iterator[Finding]:
    """Each clue can be reached with what can be had before it. K-DECIDE-36, K-DECIDE-37."""
    placed = dict.fromkeys(card for row in outlook.story.placement for card in row.cards)
    clues = {clue.id for clue in outlook.story.clues}
    for card in placed:
        if card not in clues and card not in outlook.pack.items:
            continue

        def is_found(case: Possible, card: str = card) -> bool:
            story, answers = case.walk.story, case.walk.answers
            lies = any(card in story.cards_under(room.id, answers) for room in story.rooms)
            return not lies or card in case.walk.found

        bad = outlook.failing(is_found)
        if bad is not None:
            reason = "what opens its room, or passes what lies above it, lies behind it"
            yield outlook.finding(card, f"cannot be reached{bad}: {reason}")


@_of_story
def _keys(outlook: Outlook) -> Iterator[Finding]:
    """No key is discarded at one lock or obstacle while another still needs it. K-CARD-9."""
    for case in outlook.cases:
        story, answers = outlook.story, case.ahead.answers
        laid = [card for room in story.rooms for card in story.cards_under(room.id, answers)]
        locks = [story.lock_of(room.id, answers) for room in story.rooms]
        shut: list[LockCard | ObstacleCard] = [outlook.pack.locks[one] for one in locks if one]
        shut += [outlook.pack.obstacles[card] for card in laid if card in outlook.pack.obstacles]
        fits = [case.walk.fitting(one.opening) for one in shut]
        for at, one in enumerate(shut):
            rivals = [
                other.id
                for place, other in enumerate(shut)
                if place != at and other.opening.spend and fits[place] & fits[at]
            ]
            if fits[at] and len(rivals) >= len(fits[at]):
                keys, others = " or ".join(sorted(fits[at])), " and ".join(sorted(set(rivals)))
                reason = f"what opens it, {keys}, may be discarded at {others}"
                yield outlook.finding(one.id, f"{reason} for {shown(answers)}")


@_of_story
def _sides(outlook: Outlook) -> Iterator[Finding]:
    """Either side can win. K-GOAL-5, K-GOAL-6, K-CARD-2."""
    told = set[tuple[str, str]]()
    for case in outlook.cases:
        goal = outlook.story.objective_of(case.ahead.answers)
        conditions = {"investigators_win": goal.investigators_win, "keeper_wins": goal.keeper_wins}
        wrong = [f"{key} can never hold" for key in conditions if not case.holds(conditions[key])]
        wrong += [f"its target {one} never comes" for one in goal.targets if not case.comes(one)]
        for reason in wrong:
            # Told for the first answers alone: the others that select it are usually alike.
            if (goal.id, reason) not in told:
                told.add((goal.id, reason))
                yield outlook.finding(goal.id, f"{reason} for {shown(case.ahead.answers)}")


@_of_story
def _endings(outlook: Outlook) -> Iterator[Finding]:
    """Every ending for a cause of its own can be read."""
    for goal in outlook.story.objectives:
        cases = [
            case for case in outlook.cases if outlook.story.objective_of(case.ahead.answers) is goal
        ]
        for ending in goal.endings:
            if not any(case.holds(ending.when) for case in cases):
                yield outlook.finding(goal.id, f"the cause of {ending.text} can never hold")


@_of_story
def _targets(outlook: Outlook) -> Iterator[Finding]:
    """Monsters whose death is a condition of an objective are its targets. K-MONSTER-10."""
    for goal in outlook.story.objectives:
        conditions = parts_in((goal.investigators_win, goal.keeper_wins))
        killed = {part.kind for part in conditions if isinstance(part, requirements.Killed)}
        for monster in sorted(killed - set(goal.targets)):
            reason = f"asks for the death of {monster}, which is no target; write it in 'targets'"
            yield outlook.finding(goal.id, f"{reason}, or it can be killed automatically")
        for monster in goal.targets:
            if monster not in killed:
                yield outlook.finding(goal.id, f"its target {monster} need not be killed")


@_of_story
def _tokens(outlook: Outlook) -> Iterator[Finding]:
    """A monster that comes with a token has it among its own. W-DECIDE-37."""
    for case in outlook.cases:
        for step in case.ahead.of_kind(effects.PlaceMonster):
            backs = {back.id for back in outlook.pack.monsters[step.kind].backs}
            if step.token is not None and step.token not in backs:
                yield outlook.finding(step.token, f"is no token of {step.kind}")


@_of_story
def _mythos(outlook: Outlook) -> Iterator[Finding]:
    """Every condition of a mythos card can hold on this board. K-DECIDE-11, K-DECIDE-69."""
    for id_ in dict.fromkeys(outlook.story.mythos):
        card = outlook.pack.mythos[id_]
        yield from _playable(outlook, card)


@_of_story
def _actions(outlook: Outlook) -> Iterator[Finding]:
    """Every keeper action can be used: it can be paid, and it can do something. K-CARD-3."""
    story = outlook.story
    for id_ in story.all_actions:
        card = outlook.pack.actions[id_]
        for name, cost in card.tokens.items():
            if all(case.ahead.counted(name)[1] < cost for case in outlook.cases):
                yield outlook.finding(id_, f"costs {cost} of {name!r}, which never come together")
        if card.threat > (most := _most_threat(outlook)):
            reason = f"costs {card.threat} threat; the keeper never has more than {most}"
            yield outlook.finding(id_, reason)
        yield from _playable(outlook, card)


def _most_threat(outlook: Outlook) -> float:
    """Return the threat of a keeper who spends none, and gets all that effects give. K-KEEPER-5."""
    story = outlook.story
    if story.event_exhaustion is Exhaustion.CONTINUE:
        return math.inf
    rounds = sum(event.time for event in story.events)
    given = [case.ahead.total(effects.Threat)[1] for case in outlook.cases]
    return max(story.keeper_start.threat) + rounds * story.most_investigators + max(given)


def _playable(outlook: Outlook, card: MythosCard | ActionCard) -> Iterator[Finding]:
    if not any(case.holds(card.requires) for case in outlook.cases):
        yield outlook.finding(card.id, "its condition can never hold in this story")
    elif not any(
        case.does(step)
        for case in outlook.cases
        for step in steps_in(card.effect, case.ahead.answers)
    ):
        yield outlook.finding(card.id, "nothing that it does can ever happen in this story")


@_of_story
def _deeds(outlook: Outlook) -> Iterator[Finding]:
    """Every action of the story can be performed. K-ACT-2."""
    for deed in outlook.story.deeds:
        if not any(case.holds(deed.requires) for case in outlook.cases):
            yield outlook.finding(deed.id, "its condition can never hold")


@_of_story
def _allies(outlook: Outlook) -> Iterator[Finding]:
    """Every ally comes, and can be talked to; what is asked of allies can hold. W-DECIDE-32."""
    for one in outlook.story.allies:
        if not any(one.ally in case.ahead.allies for case in outlook.cases):
            yield outlook.finding(one.ally, "unused ally: no start and no effect brings it")
        elif one.tales and not any(case.tales_of(one.ally) for case in outlook.cases):
            reason = "nobody can come to its room"
            yield outlook.finding(one.ally, f"its story cards can never be told: {reason}")
    for part in parts_in((outlook.story, outlook.cards)):
        if not isinstance(part, requirements.AllyIs | requirements.Told):
            continue
        if not any(case.holds(part) for case in outlook.cases):
            asked = part.ally if isinstance(part, requirements.AllyIs) else part.tale
            yield outlook.finding(asked, "what is asked of it can never hold")


@_of_story
def _nobody(outlook: Outlook) -> Iterator[Finding]:
    """Events and keeper actions concern no investigator by themselves; they say which ones."""
    actions = [outlook.pack.actions[one] for one in outlook.story.all_actions]
    parts: list[StoryEvent | ActionCard] = [*outlook.story.events, *actions]
    for part in parts:
        for effect, _ in effects_of(part):
            if _names_actor(effect):
                reason = "no investigator is concerned there; write 'who', or a place"
                yield outlook.finding(part.id, f"something in it is about the actor: {reason}")


_ACTORS = (
    *(targets.Who.ACTOR, targets.Who.OTHERS, targets.Who.COMRADE),
    *(targets.Which.SPACE, targets.Which.ROOM, By.ACTOR, "actor"),
)
"""Words for the actor, and for those who are known by the actor alone."""


def _names_actor(part: Any) -> bool:
    """Return whether part of an effect is about an actor who is not given by the effect itself."""
    match part:
        case effects.Take():
            return True
        case effects.Test(who=inner) | effects.ForEach(who=inner):
            # Inside, the one who is tested, or whose turn it is, is the actor.
            return _names_actor(inner)
        case effects.Deal(room=str() as inner) | effects.TurnUp(room=str() as inner):
            # Nobody but the room is concerned.
            return _names_actor(inner)
        case tuple():
            return any(map(_names_actor, part))
    if attrs.has(type(part)):
        return any(_names_actor(getattr(part, one.name)) for one in attrs.fields(type(part)))
    return part in _ACTORS


@_of_story
def _counters(outlook: Outlook) -> Iterator[Finding]:
    """Every counter changes, and something asks for it or costs it. K-DECIDE-105."""
    parts = parts_in((outlook.story, outlook.cards))
    asked = {
        *(part.of for part in parts if isinstance(part, requirements.Counted)),
        *(name for one in outlook.story.all_actions for name in outlook.pack.actions[one].tokens),
    }
    for counter in outlook.story.counters:
        bounds = [case.ahead.counted(counter.id) for case in outlook.cases]
        if all(low == high for low, high in bounds):
            yield outlook.finding(counter.id, "unused counter: nothing changes it")
        elif counter.id not in asked:
            yield outlook.finding(counter.id, "unused counter: nothing asks for it")


@_of_story
def _answers(outlook: Outlook) -> Iterator[Finding]:
    """Every question changes something. K-DECIDE-5."""
    story = outlook.story
    asked = {part.question for part in parts_in(story) if isinstance(part, requirements.Answered)}
    asked |= {question for row in story.placement for question in row.when}
    asked |= {question for row in story.locks for question in row.when}
    asked |= {q for monster in story.monsters for row in monster.tokens for q in row.when}
    goals = {objective.option for objective in story.objectives}
    for question in story.questions:
        if question.id not in asked and not goals & {option.id for option in question.options}:
            yield outlook.finding(question.id, "unused question: nothing depends on the answer")


@_of_pack
def _unused_cards(pack: Pack) -> Iterator[Finding]:
    """Yield findings for cards that no story brings into play."""
    lists = lists_of(pack)
    used = {card for story in pack.scenarios.values() for card in cards_of(lists, story)}
    kinds = {
        Kind.ITEM: pack.items,
        Kind.SPELL: pack.spells,
        Kind.MONSTER: pack.monsters,
        Kind.MYTHOS: pack.mythos,
        Kind.ACTION: pack.actions,
        Kind.LOCK: pack.locks,
        Kind.OBSTACLE: pack.obstacles,
        Kind.PUZZLE: pack.puzzles,
        Kind.ALLY: pack.allies,
    }
    # The cards of the box are there for the stories of other packs, too.
    if pack.scenarios and pack.id != BASE:
        for kind, cards in kinds.items():
            for card in cards:
                if card not in used:
                    reason = f"unused {kind.value}: no story brings it into play"
                    yield Finding(pack.id, card, reason)


@_of_pack
def _may_be_off(pack: Pack) -> Iterator[Finding]:
    """Nothing needs a component of another product, which may be switched off. W-DECIDE-55."""
    cards = [card for entries in lists_of(pack).values() for card in entries.values()]
    for part in (*cards, *pack.scenarios.values()):
        if isinstance(part, Product):
            continue
        own = pack.product_of(part.id)
        for id_ in dict.fromkeys(named.id for named in named_in(part)):
            product = pack.product_of(id_)
            if product not in {"", own}:
                reason = f"names {id_} of {product}, which may be switched off"
                yield Finding(pack.id, part.id, reason)


@_of_pack
def _unused_traits(pack: Pack) -> Iterator[Finding]:
    owned = {trait for one in pack.characters.values() for trait in (*one.physical, *one.mental)}
    for trait in pack.traits:
        if trait not in owned:
            yield Finding(pack.id, trait, "unused trait: no investigator has it")


@_of_pack
def _lone_backs(pack: Pack) -> Iterator[Finding]:
    """Yield findings for monsters whose tokens all have the same, and so no secret, back."""
    for monster in pack.monsters.values():
        if len(monster.backs) == 1 and monster.figures > 1:
            yield Finding(
                pack.id, monster.id, "all tokens have one back, so that everybody knows it"
            )


@_of_pack
def _texts(pack: Pack) -> Iterator[Finding]:
    """Yield findings for words that nothing names, and for stubs that nobody has written."""
    named = {n.id for n in named_in(pack) if n.kind in {Kind.TEXT, Kind.NAME}}
    named |= {part.id for part in parts_in(pack) if isinstance(getattr(part, "id", None), str)}
    for story in pack.scenarios.values():
        named |= {f"guide/{objective.id.partition('/')[2]}" for objective in story.objectives}
        named |= {goal.usual_ending(side) for goal in story.objectives for side in Side}
        plain = [one.id for one in story.questions] + [one.id for one in story.counters]
        plain += [option.id for question in story.questions for option in question.options]
        named |= set(map(story.subject_of, plain))
        if story.is_objective_voted:
            named.add(story.guide)
    prefixes = {prefix for group in PREFIXES.values() for prefix in group}
    # Rules may name subjects of their own; a first word that no reference has is theirs.
    ours = {subject.partition("/")[0] for subject in named} | prefixes
    for subject in sorted({subject for catalog in pack.catalogs.values() for subject in catalog}):
        if subject not in named and subject.partition("/")[0] in ours - OF_RULES:
            yield Finding(pack.id, subject, "unused text: nothing names it")
    yield from _slots(pack)
    for language, catalog in pack.catalogs.items():
        for subject, words in catalog.items():
            if any(is_stub(subject, text) for text in words.values()):
                yield Finding(pack.id, subject, f"a stub in {language!r}; write its words")


def _slots(pack: Pack) -> Iterator[Finding]:
    """Yield findings for slots such as `{0}` that the rules never fill."""
    # The investigator who chooses is told in the text of a choice; no other text has slots.
    choices = {p.text for p in parts_in(pack) if isinstance(p, effects.EffectChoice)}
    words = pack.catalogs.get("en", {})
    for subject in sorted({n.id for n in named_in(pack) if n.kind is Kind.TEXT}):
        slots = set(placeholders(words.get(subject, {}).get("text", "")))
        for slot in sorted(slots - ({"0"} if subject in choices else set())):
            yield Finding(pack.id, subject, f"nothing fills {{{slot}}}")
