"""What is kept of `make mutants`: reasons for functions that there are, and a page of the run."""

import yaml

from tests.games.second_edition.rules import mutants
from tests.games.second_edition.rules.faults import functions
from tests.games.second_edition.rules.mutants import Mutant

NAME = "server.games.second_edition.rules"
PATH = "server/games/second_edition/rules"


def test_every_reason_is_for_a_function_that_there_is() -> None:
    """One that was moved or deleted takes its reasons along."""
    reasons = yaml.safe_load(mutants.REASONS.read_text("utf-8"))

    assert set(reasons) - {"*"} <= {function.called for function in functions()}


def test_a_fault_is_known_by_its_function_and_its_chapter() -> None:
    """Of a module, of a package in it and of a class."""
    names = ("clues.x_gain__mutmut_1", "puzzles.code.x_guess__mutmut_2")
    paths = ("clues.py", "puzzles/code.py")
    found = [
        Mutant(f"{NAME}.{name}", f"{PATH}/{path}", 1)
        for name, path in zip(names, paths, strict=True)
    ]
    method = Mutant(f"{NAME}.ruleset.xǁSecondEditionǁroster__mutmut_3", f"{PATH}/ruleset.py", 1)

    assert [one.function for one in found] == ["clues.gain", "puzzles.code.guess"]
    assert [one.chapter for one in found] == ["clues", "puzzles.code"]
    assert (method.function, method.chapter) == ("ruleset.SecondEdition.roster", "ruleset")


def test_the_page_says_of_each_chapter_what_was_tried_and_seen() -> None:
    """Of four faults one was not tried, one was seen, one is argued and one is open."""
    codes = (None, 1, 0, 0)
    found = [
        Mutant(f"{NAME}.clues.x_gain__mutmut_{number}", f"{PATH}/clues.py", code)
        for number, code in enumerate(codes)
    ]

    page = mutants.page(found, {"clues.gain": ["count + 2"]})

    assert "| `clues` | 4 | 3 | 1 | 1 | 1 |" in page
    assert page.endswith("- `clues.gain`: `count + 2`\n")
