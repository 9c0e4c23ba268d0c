"""
Commands about the rulebooks of the games: of each game that has a catalogue, or of `--game GAME`.

    python -m tests.games.rulebook rules             which rules are pinned, and bite
    python -m tests.games.rulebook due               makes the rules due that tests pin
    python -m tests.games.rulebook bite              plants faults where rules changed
    python -m tests.games.rulebook bite --again      plants them for every rule
    python -m tests.games.rulebook bite --all        plants every fault, or --sample N of each game
    python -m tests.games.rulebook check             fails where a result is missing
    python -m tests.games.rulebook bite --game GAME ID ...

The last lines sum up each game.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial

import attrs

from tests.games.rulebook import bites, catalogue
from tests.games.rulebook.bites import Result, Rules
from tests.games.rulebook.books import Book, book_of, games, games_without_book


@attrs.frozen
class Outcome:
    """Output of a command for one game."""

    summary: str
    """One line, printed after the lines of all games."""
    lines: Sequence[str] = ()
    is_wrong: bool = False
    """True if the command fails because of this game."""


Command = Callable[[Book], Outcome]


def _say(lines: Sequence[str]) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def rules(book: Book) -> Outcome:
    """Count the rules that tests pin, and those whose tests saw a fault."""
    rules = Rules.load(book)
    marks = catalogue.marks(book, rules.catalogue)
    wrong = catalogue.faults(rules.catalogue, marks)
    due, pinned = rules.due(), {mark.id for mark in marks}
    bitten, *lines = rules.summary(bites.load(book.bites))
    return Outcome(
        f"{sum(id_ in pinned for id_ in due)} of {len(due)} rules pinned; {bitten}",
        [*catalogue.report(book, rules.catalogue, marks), *wrong, *lines],
        bool(wrong),
    )


def due(book: Book) -> Outcome:
    """Make every entry of the catalogue due that is put off although a test pins it."""
    rules = catalogue.load(book)
    pinned = {mark.id for mark in catalogue.marks(book, rules)}
    ids = [id_ for id_, rule in rules.items() if rule.later is not None and id_ in pinned]
    if ids:
        text = catalogue.made_due(book.catalogue.read_text("utf-8"), ids)
        book.catalogue.write_text(text, "utf-8")
    return Outcome(f"{len(ids)} rules made due", ids)


def bite(book: Book, ids: Sequence[str], *, again: bool) -> Outcome:
    """Plant faults for the given rules, for all, or where rules changed; store the results."""
    rules, stored = Rules.load(book), bites.load(book.bites)
    due = rules.due()
    todo = ids or (due if again else rules.stale(stored.bites))
    result = stored
    if todo:
        kept = {id_: one for id_, one in stored.bites.items() if id_ in due}
        result = Result(bites.commit(), {**kept, **bites.bite(rules, todo)})
        bites.save(result, book.bites)
    summary, *lines = rules.summary(result)
    lacking = rules.lacking(result)
    return Outcome(summary, [*lines, *lacking], bool(lacking))


def mutation_run(book: Book, sample: int | None, seed: int) -> Outcome:
    """Plant every fault or a sample; report the unseen faults and the share that tests saw."""
    found = bites.mutation_run(Rules.load(book), sample, seed)
    return Outcome(found.summary(), [str(fault) for fault in found.unseen])


def check(book: Book) -> Outcome:
    """Report the rules of which a result is missing."""
    lacking = Rules.load(book).lacking(bites.load(book.bites))
    is_wrong = bool(lacking)
    summary = (
        f"{len(lacking)} results missing" if is_wrong else "every rule that is due has a result"
    )
    return Outcome(summary, lacking, is_wrong)


def main(words: Sequence[str]) -> int:
    """Run a command for one game, or for each game that has a catalogue."""
    parser = argparse.ArgumentParser(prog="tests.games.rulebook")
    parser.add_argument("command", choices=("rules", "due", "bite", "check"))
    parser.add_argument("ids", nargs="*")
    parser.add_argument("--game", default="")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_intermixed_args(list(words))
    if asked.game and asked.game not in games():
        reason = "has no catalogue" if asked.game in games_without_book() else "is not a game here"
        parser.error(f"{asked.game} {reason}; these have one: {', '.join(games())}")
    if asked.ids and not asked.game:
        parser.error("ids are those of one game: name it with --game")
    command: Command
    if asked.command == "check":
        command = check
    elif asked.command == "rules":
        command = rules
    elif asked.command == "due":
        command = due
    elif asked.all or asked.sample:
        command = partial(mutation_run, sample=asked.sample, seed=asked.seed)
    else:
        command = partial(bite, ids=asked.ids, again=asked.again)
    chosen = (asked.game,) if asked.game else games()
    outcomes: dict[str, Outcome] = {}
    for game in chosen:
        outcomes[game] = command(book_of(game))
        if outcomes[game].lines:
            _say([f"{game}:", *outcomes[game].lines, ""])
    _say([f"{game}: {outcome.summary}" for game, outcome in outcomes.items()])
    if not asked.game:
        _say([f"{game}: no catalogue" for game in games_without_book()])
    return int(any(outcome.is_wrong for outcome in outcomes.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
