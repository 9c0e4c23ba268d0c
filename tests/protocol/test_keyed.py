"""Enumerations that are looked up often: found by which member it is."""

import pickle

import pytest

from protocol.keyed import KeyEnum

pytestmark = pytest.mark.issue(12)


class Colour(KeyEnum):
    """Two members."""

    RED = "red"
    BLUE = "blue"


def test_looking_a_member_up_calls_no_function_in_python() -> None:
    """That is what the class is for."""
    assert vars(KeyEnum)["__hash__"] is object.__hash__


def test_a_member_is_found_again_after_it_was_stored() -> None:
    """Packs are kept as pickles, and some of their mappings have members as keys."""
    stored = pickle.loads(pickle.dumps({Colour.RED: 1, Colour.BLUE: 2}))  # noqa: S301 (our own)

    assert stored[Colour.RED] == 1
    assert Colour("blue") in stored
