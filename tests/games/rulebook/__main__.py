"""
Commands about the rulebook of a game.

    python -m tests.games.rulebook rules --game GAME            which rules are pinned, and bite
    python -m tests.games.rulebook bite --game GAME [ID ...]    plants faults where rules changed
    python -m tests.games.rulebook bite --game GAME --again     plants them for every rule
    python -m tests.games.rulebook bite --game GAME --all       plants every fault, or --sample N
    python -m tests.games.rulebook check                        fails where a result is missing
"""

import argparse
import sys
from collections.abc import Sequence

from tests.games.rulebook import bites, catalogue
from tests.games.rulebook.bites import Result, Rules
from tests.games.rulebook.books import book_of, games


def _say(lines: Sequence[str]) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))


def rules_of(game: str) -> int:
    book = book_of(game)
    rules = Rules.load(book)
    marks = catalogue.marks(book, rules.catalogue)
    wrong = catalogue.faults(rules.catalogue, marks)
    stored = bites.load(book.bites)
    _say([*catalogue.report(book, rules.catalogue, marks), *wrong, *rules.summary(stored)])
    return int(bool(wrong))


def bite(game: str, ids: Sequence[str], *, again: bool) -> int:
    """Plant faults for the given rules, for all, or where rules changed; store the results."""
    book = book_of(game)
    rules, stored = Rules.load(book), bites.load(book.bites)
    due = rules.due()
    todo = ids or (due if again else rules.stale(stored.bites))
    kept = {id_: one for id_, one in stored.bites.items() if id_ in due}
    result = Result(bites.commit(), {**kept, **bites.bite(rules, todo)})
    bites.save(result, book.bites)
    _say([*rules.summary(result), *rules.lacking(result)])
    return int(bool(rules.lacking(result)))


def mutation_run(game: str, sample: int | None) -> int:
    """Plant every fault or a sample; print the unseen faults and the share that tests saw."""
    found = bites.mutation_run(Rules.load(book_of(game)), sample)
    _say([*found.unseen, found.summary()])
    return 0


def check() -> int:
    """Print the missing results of every game."""
    lacking = [
        line
        for game in games()
        for line in Rules.load(book_of(game)).lacking(bites.load(book_of(game).bites))
    ]
    _say(lacking)
    return int(bool(lacking))


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="tests.games.rulebook")
    parser.add_argument("command", choices=("rules", "bite", "check"))
    parser.add_argument("ids", nargs="*")
    parser.add_argument("--game", choices=games(), default="second_edition")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--sample", type=int)
    asked = parser.parse_args(list(words))
    if asked.command == "check":
        return check()
    if asked.command == "rules":
        return rules_of(asked.game)
    if asked.all or asked.sample:
        return mutation_run(asked.game, asked.sample)
    return bite(asked.game, asked.ids, again=asked.again)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
