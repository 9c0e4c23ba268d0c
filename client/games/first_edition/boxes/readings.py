"""Readings other than cards and monsters: objective, clues and events; the guide; the signs."""

from collections.abc import Iterator, Mapping

from client.boards.labels import labels
from client.boards.legend import line_legend, room_legend
from client.games.first_edition.outdoors import is_objective_voted, story_in_rooms
from client.games.first_edition.panes.known import seen_by_investigators
from client.games.first_edition.panes.legend import figure_legend, legend_entries
from client.games.first_edition.panes.scene import FirstEditionScene, scene_of
from client.games.first_edition.panes.sides import is_sealed_to_keeper, known_objective
from client.widgets import scene as any_game
from client.widgets.paragraphs import HEAD, Paragraph
from protocol.common.table import Stage
from protocol.games.first_edition.table import MYTHOS_HAND, TRAUMA_HAND, FirstEditionTable, Phase

_DIM = "class:dim"


def objective(base: any_game.Scene) -> list[Paragraph]:
    """Return the objective if it is known, the clock and the clues; to the keeper, the guide."""
    scene = scene_of(base)
    game = scene.game
    if game is None:
        return [("", scene.speaker.say("box.not_chosen"))]
    parts = [_goal, _vote, _clock, _clues, _told]
    # The keeper alone knows anything of these; an observer reads all.
    parts += [_events_to_come, _placement, _answers, _seen] if _knows_secrets(game) else []
    sections = [[*part(scene, game)] for part in parts]
    gaps = [[("", ""), *section] for section in sections if section]
    return [paragraph for section in gaps for paragraph in section][1:]


def _knows_secrets(game: FirstEditionTable) -> bool:
    return game.answers is not None and game.answers.is_open


def _goal(scene: FirstEditionScene, game: FirstEditionTable) -> Iterator[Paragraph]:
    speaker, card = scene.speaker, known_objective(game)
    yield HEAD, speaker.say("box.objective")
    if card is None:
        yield "", speaker.say(_unknown(scene, game))
    else:
        yield "class:card", speaker.card(card)
        yield "", speaker.aim(card)
    for guide in _guides(scene, game, card):
        text = speaker.words.find(f"guide/{guide.rpartition('/')[2]}").get("text")
        if text is not None:
            yield "", ""
            yield HEAD, speaker.say("box.guide")
            yield "", text
    if card is not None and game.revealed is None:
        is_voted = is_objective_voted(game)
        yield _DIM, speaker.say("box.voted_objective" if is_voted else "box.hidden_objective")


def _guides(scene: FirstEditionScene, game: FirstEditionTable, goal: str | None) -> Iterator[str]:
    """Yield the subjects whose guides the viewer was given. K-INFO-8, W-STORY-5."""
    is_by_vote = game.vote is not None
    if goal is not None and (is_objective_voted if is_by_vote else _knows_secrets)(game):
        yield goal
    # It says how to find out, which nobody needs once the game is over.
    if is_by_vote and game.ending is None and _knows_secrets(game):
        yield scene.table.room.scenario


def _unknown(scene: FirstEditionScene, game: FirstEditionTable) -> str:
    """Return the key of the words for an objective that the viewer does not know."""
    if is_sealed_to_keeper(scene, game) and scene.table.room.stage is not Stage.OVER:
        return "box.objective_unknown"
    # Before the vote is counted nothing on the table says who chooses.
    if game.objective is None and game.vote is None:
        return "box.not_chosen"
    return "box.no_objective" if game.vote is None else "box.no_objective_voted"


def _vote(scene: FirstEditionScene, game: FirstEditionTable) -> Iterator[Paragraph]:
    """Yield what the investigators chose in secret, to those who know it. W-SECRET-6."""
    if game.vote is not None and game.vote.is_open:
        yield HEAD, scene.speaker.say("box.vote")
        yield from _chosen(scene, game.vote.value)


def _clock(scene: FirstEditionScene, game: FirstEditionTable) -> Iterator[Paragraph]:
    """Yield the next event, threat and hands, and the counters of the story."""
    speaker = scene.speaker
    yield HEAD, speaker.say("box.clock")
    if game.events:
        yield "", speaker.say("box.event", game.time, game.event_time, len(game.events))
    elif game.phase is not Phase.SETUP:
        yield "", speaker.say("night.no_event")
    for card in game.resolved:
        yield _DIM, speaker.say("box.event_resolved", speaker.card(card))
    sizes = (len(game.hand(MYTHOS_HAND)), len(game.hand(TRAUMA_HAND)))
    yield "", speaker.say("box.keeper_has", game.threat, *sizes)
    if game.keeper_skill_points:
        yield "", speaker.say("box.keeper_points", game.keeper_skill_points)
    if not game.may_spare:
        yield "", speaker.say("box.spares_no_more")
    for name, counter in sorted(game.counters.items(), key=lambda one: -(one[1].most or 0)):
        words = speaker.counter(game, name)
        if counter.most is None:
            yield "", speaker.say("box.counter", words, counter.amount)
        else:
            yield "", speaker.say("box.counter_of", words, counter.amount, counter.most)
    for kind, count in game.killed.items():
        yield "", speaker.say("box.killed", speaker.name("monster", kind), count)
    if game.deaths:
        yield "", speaker.say("box.deaths", game.deaths)


def _clues(scene: FirstEditionScene, game: FirstEditionTable) -> Iterator[Paragraph]:
    speaker = scene.speaker
    yield HEAD, speaker.say("box.clues", len(game.clues), game.clues_left)
    for clue in game.clues:
        yield "class:card", speaker.card(clue)
        for text in speaker.details("card", clue):
            yield "", f"  {text}"


def _told(scene: FirstEditionScene, game: FirstEditionTable) -> Iterator[Paragraph]:
    """Yield what each ally has told. W-DECIDE-32."""
    speaker = scene.speaker
    for ally, tales in game.heard.items():
        yield HEAD, speaker.say("box.told_by", speaker.character(ally))
        for tale in tales:
            yield "class:card", speaker.tale(game, tale)
            for text in speaker.details("card", tale.card):
                yield "", f"  {text}"


def _events_to_come(scene: FirstEditionScene, game: FirstEditionTable) -> Iterator[Paragraph]:
    speaker = scene.speaker
    known = [sealed.value for sealed in game.events if sealed.is_open]
    if known:
        yield HEAD, speaker.say("box.events_to_come")
    for card in known:
        yield "class:card", speaker.card(card)
        for text in speaker.details("card", card):
            yield "", f"  {text}"


def _placement(scene: FirstEditionScene, game: FirstEditionTable) -> Iterator[Paragraph]:
    """Yield the cards and the lock of each room that the viewer knows."""
    speaker = scene.speaker
    yield HEAD, speaker.say("box.placement")
    story = story_in_rooms(game)
    for room in dict.fromkeys((*game.laid, *game.locks, *story)):
        cards = [card.card for card in game.laid.get(room, ()) if card.card.is_open]
        names = [speaker.card(card.value) for card in cards]
        lock = game.locks.get(room)
        if lock is not None and lock.card.is_open:
            names.insert(0, speaker.say("box.lock", speaker.card(lock.card.value)))
        names += [speaker.card(one.card.value) for one in story.get(room, ()) if one.card.is_open]
        if names:
            yield "", speaker.say("box.in_room", speaker.room(room), ", ".join(names))


def _answers(scene: FirstEditionScene, game: FirstEditionTable) -> Iterator[Paragraph]:
    answers = game.answers
    if answers is not None and answers.is_open and answers.value:
        yield HEAD, scene.speaker.say("box.answers")
        yield from _chosen(scene, answers.value)


def _chosen(scene: FirstEditionScene, answers: Mapping[str, str]) -> Iterator[Paragraph]:
    """Yield a line for each question of the story with its answer."""
    for question, option in answers.items():
        asked = scene.speaker.of_story(scene.table, question)
        yield "", f"{asked} {scene.speaker.of_story(scene.table, option)}"


def _seen(scene: FirstEditionScene, game: FirstEditionTable) -> Iterator[Paragraph]:
    del game
    facts = [*seen_by_investigators(scene)]
    yield HEAD, scene.speaker.say("pane.seen")
    if not facts:
        yield _DIM, scene.speaker.say("seen.nothing")
    yield from (("", fact) for fact in facts)


def signs(base: any_game.Scene) -> list[Paragraph]:
    """Return the meaning of every sign on the map, and in the party."""
    scene = scene_of(base)
    game, entries = scene.game, line_legend(scene)
    is_outdoors = game is not None and bool(game.outdoor)
    if game is not None and game.tiles:
        known = labels(game.tiles, game.map, scene.speaker)
        entries = [
            *figure_legend(scene, game),
            *(entry.line for entry in legend_entries(scene, game)),
            *line_legend(scene, has_limits=is_outdoors),
            *room_legend(known.values()),
        ]
    say = scene.speaker.say
    flat = [("", "".join(text for _, text in entry)) for entry in entries]
    return [
        *(("", ""), (HEAD, say("box.signs")), *flat),
        *(("", ""), (HEAD, say("pane.party")), ("", say("party.signs"))),
        *((("", say("party.signs_outdoors")),) if is_outdoors else ()),
    ]
