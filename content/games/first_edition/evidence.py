"""
Evidence: after which clue the investigators can tell the objectives of a story apart.

A clue tells by its effect, where the keeper's answers decide what it says or does, and by the room
in which it lies. Clues are taken in the order of their numbers. Cards and events tell as well, but
nobody knows when.
"""

from collections.abc import Iterator, Mapping

from content.games.first_edition.answers import Answers, sets_of
from content.games.first_edition.prospects import steps_in
from content.games.first_edition.schema.story import Story, StoryClue
from content.language.findings import Finding


def evidence(story: Story) -> Iterator[Finding]:
    """Yield a note for each clue that tells of the objective, and one if the last tells of none."""
    # Where the investigators choose the objective, they know it.
    if len(story.objectives) < 2 or story.is_objective_voted:
        return
    # Answers that cannot be told apart yet stand together.
    groups = [list(sets_of(story))]
    told = False
    for clue in sorted(story.clues, key=lambda one: -one.number):
        before = _most(story, groups)
        groups = [part for group in groups for part in _split(story, clue, group)]
        after = _most(story, groups)
        if after < before:
            told = True
            if after == 1:
                yield Finding(story.id, clue.id, "with this clue the objectives are told apart")
                return
            left = f"with this clue at most {after} of {len(story.objectives)} objectives are left"
            yield Finding(story.id, clue.id, left)
    some = "not all objectives apart" if told else "no objective from another"
    yield Finding(story.id, story.clues[-1].id, f"the clues tell {some}; the last one reveals it")


def _split(story: Story, clue: StoryClue, group: list[Answers]) -> list[list[Answers]]:
    """Return sets of answers in groups for which a clue is the same in all that is seen of it."""
    found: dict[tuple[object, ...], list[Answers]] = {}
    for answers in group:
        room = next(r.id for r in story.rooms if clue.id in story.cards_under(r.id, answers))
        seen = (room, *map(repr, steps_in(clue.effect, answers)))
        found.setdefault(seen, []).append(answers)
    return list(found.values())


def _most(story: Story, groups: list[list[Answers]]) -> int:
    """Return how many objectives may be left to somebody who knows the group of the answers."""
    return max(len({_goal(story, answers) for answers in group}) for group in groups)


def _goal(story: Story, answers: Mapping[str, str]) -> str:
    return story.objective_of(answers).id
