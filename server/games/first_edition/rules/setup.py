"""Setup: from an empty table to round 1. Section 2 and K-DECIDE-4."""

import functools
import itertools
from collections.abc import Sequence
from typing import Any

from content.games.first_edition.schema.story import OnLastEvent, Story
from protocol.boards.links import Link
from protocol.boards.maps import CornerTile
from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.first_edition.events import (
    BoardLaid,
    CardLaid,
    EventFaced,
    EventLaid,
    FeaturePlaced,
    KeeperEquipped,
    LockLaid,
    ObjectiveSet,
    RoundBegan,
    Told,
    ToldKeeper,
    VariantsAgreed,
)
from protocol.games.first_edition.table import CounterLine, InvestigatorId
from protocol.games.first_edition.words import INVESTIGATOR, KEEPER, FeatureKind, Variant
from server.games.first_edition.rules import (
    answers,
    decks,
    hidden_actions,
    laid_ready,
    land,
    monster_points,
    monsters,
    newcomers,
    pits,
    puzzles,
    story_decks,
    tales,
)
from server.games.first_edition.rules.play import Play, keeper
from server.kernel.asks import Option, Prompt


async def set_up(play: Play) -> None:
    """
    Set the game up in the order of K-DECIDE-4, with the keeper's start of K-DECIDE-6.

    Outdoors the opening text comes before the questions, which a vote (W-DECIDE-47) is about. Base
    stories keep the order of their logs.
    """
    await agree_on_variants(play)
    lay_out_board(play)
    opening = Told(Text(play.content.story.intro))
    if play.content.story.outdoor:
        play.emit(opening)
    traits = await ask_both_sides(play)
    place_hidden_cards(play)
    decks.lay_out(play)
    puzzles.lay_out_supplies(play)
    story_decks.lay_out(play)
    tales.lay_out(play)
    for player in play.players:
        if player.role == INVESTIGATOR:
            for who in player.characters:
                newcomers.join(play, who, player.seat, traits[who])
    start = play.content.story.keeper_start
    for _ in range(start.mythos):
        decks.draw_mythos(play)
    for _ in range(start.trauma):
        decks.draw_trauma(play)
    if not play.content.story.outdoor:
        play.emit(opening)
    give_guides(play)
    await laid_ready.lay(play)
    play.emit(RoundBegan(1))


async def agree_on_variants(play: Play) -> None:
    """
    Ask every seat which variants it wants; all must want one. K-SETUP-11, K-DECIDE-106.

    Each way to choose some is one option, and none is the first: most tables want none.
    """
    variants = offered_variants(play.content.story)
    if not variants:
        play.emit(VariantsAgreed(()))
        return
    ways = [some for n in range(len(variants) + 1) for some in itertools.combinations(variants, n)]
    options = tuple(Option(some, _in_words(some)) for some in ways)
    prompt = Prompt(Text("ask/variants"), options, default=(0,))
    picked = await play.each(
        dict.fromkeys([player.seat for player in play.players], prompt),
        rule="K-SETUP-11",
        about=Text("about/variants"),
    )
    wanted = [some for (some,) in picked.values()]
    play.emit(VariantsAgreed(tuple(one for one in variants if all(one in some for some in wanted))))


def _in_words(variants: Sequence[Variant]) -> Text:
    """Name some variants: one with what it means, several by their names alone."""
    if not variants:
        return Text("choice/no_variant")
    subjects = [f"choice/variant_{one.value}" for one in variants]
    if len(subjects) == 1:
        return Text(subjects[0])
    return functools.reduce(
        lambda some, one: Text("choice/variants", (some, one)),
        [Text(subject, (), "name") for subject in subjects],
    )


def offered_variants(story: Story) -> tuple[Variant, ...]:
    """Return the variants that a story can be played with. K-DECIDE-67, K-DECIDE-106."""
    if not story.variants:
        return ()
    can_be_longer = any(one.on_last_event is OnLastEvent.NONE for one in story.objectives)
    return tuple(one for one in Variant if one is not Variant.GAME_LENGTH or can_be_longer)


def lay_out_board(play: Play) -> None:
    """
    Lay out what is the same for all answers. K-SETUP-4, K-DECIDE-61, K-DECIDE-101.

    The keeper's actions lie open (K-DECIDE-62, K-SECRET-17), and so do threat, counters and the
    skill points of the monsters (K-VAR-2, K-SECRET-18).
    """
    story, count = play.content.story, sum(len(player.characters) for player in play.players)
    tiles = tuple(
        CornerTile(
            one.id,
            one.row,
            one.column,
            tuple(one.drawing.rstrip("\n").split("\n")),
            tuple(sorted(one.rooms.items())),
        )
        for one in story.tiles
    )
    links = tuple(Link(link.kind.value, link.spaces) for link in story.links)
    play.emit(BoardLaid(tiles, links, story.start, story.corpses))
    land.lay(play)
    for feature in story.features:
        if feature.kind is not FeatureKind.PIT:
            play.emit(FeaturePlaced(feature.kind, feature.at))
    pits.lay_out(play)
    threat = story.keeper_start.threat
    has_points = Variant.MONSTER_SKILL_POINTS in play.table.variants
    cards = [play.content.pack.actions[action] for action in story.actions]
    play.emit(
        KeeperEquipped(
            threat[min(count, len(threat)) - 1],
            monster_points.at_start(play) if has_points else 0,
            tuple(map(hidden_actions.line, cards)),
            {
                one.id: CounterLine(one.start, one.most, one.is_token, story.subject_of(one.id))
                for one in story.counters
            },
            len(story.clues),
        )
    )
    monsters.lay(play)


async def ask_both_sides(play: Play) -> dict[InvestigatorId, tuple[str, ...]]:
    """
    Ask the keeper the questions of the story while investigators pick traits and vote.

    K-SETUP-2, K-SETUP-7, W-DECIDE-44, W-DECIDE-47. Each seat answers its own row; others see who is
    ready. In a fixed setup the lot answers instead.

    Returns:
        The two traits of each investigator.
    """
    seat, people = keeper(play), [one for one in play.players if one.role == INVESTIGATOR]
    asked: dict[int, list[Prompt[Any]]] = {
        player.seat: [
            prompt
            for who in player.characters
            for prompt in (*newcomers.trait_prompts(play, who), *answers.vote_prompts(play, who))
        ]
        for player in people
    }
    own = [*answers.keeper_prompts(play), *hidden_actions.pick_prompt(play)]
    if own:
        asked[seat] = own
    picked = await play.each_in_row(asked, rule="K-DECIDE-4", about=Text("about/setup"))
    traits: dict[InvestigatorId, tuple[str, ...]] = {}
    votes: list[Sequence[str]] = []
    for player in people:
        row = [one for (one,) in picked[player.seat]]
        each = len(row) // len(player.characters)
        for at, who in enumerate(player.characters):
            physical, mental, *vote = row[at * each : (at + 1) * each]
            traits[who] = (physical, mental)
            votes.append(vote)
    said = list(picked.get(seat, ()))
    actions = said.pop() if play.content.story.action_picks and said else ()
    answers.keep(play, [one for (one,) in said], votes)
    hidden_actions.lay(play, actions)
    return traits


def place_hidden_cards(play: Play) -> None:
    """
    Lay objective, cards, locks and events, and give the guide. K-DECIDE-5, K-SETUP-3, K-INFO-8.

    Each is sealed to the keeper: K-SECRET-6, K-SECRET-7, K-SECRET-8, K-SECRET-16, K-SECRET-19.
    """
    story, given = play.content.story, answers.of_both(play.table)
    goal = story.objective_of(given)
    play.emit(ObjectiveSet(answers.knower(story), hidden(goal.id)))
    for room in story.rooms:
        for card in story.cards_under(room.id, given):
            play.emit(CardLaid(KEEPER, room.id, hidden(card)))
    for room in story.rooms:
        if (lock := story.lock_of(room.id, given)) is not None:
            play.emit(LockLaid(KEEPER, room.id, hidden(lock)))
    knows = "" if story.events_hidden_from_keeper else KEEPER
    for event in story.events:
        play.emit(EventLaid(knows, hidden(event.id)))
    play.emit(EventFaced(story.events[0].time))
    monsters.lay(play, given)


def give_guides(play: Play) -> None:
    """
    Show the guide to those who know the objective, after the story's beginning. K-INFO-8.

    A keeper who does not know the objective has the guide of the story, one for all objectives.
    """
    story, goal = play.content.story, play.table.objective
    assert goal is not None
    guide = Text(f"guide/{goal.value.partition('/')[2]}")
    play.emit(ToldKeeper(answers.knower(story), hidden(guide)))
    if story.is_objective_voted:
        play.emit(ToldKeeper(KEEPER, hidden(Text(story.guide))))
