"""The table of keys: nothing means two things, and everything can be left."""

import pytest

from client.keys import BINDINGS, Action, Context, action_for, bindings_in


@pytest.mark.parametrize("context", Context)
def test_a_key_means_one_thing(context: Context) -> None:
    """No key is bound twice in one context."""
    keys = [key for binding in bindings_in(context) for key in binding.keys]

    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("context", Context)
def test_every_context_can_be_left(context: Context) -> None:
    """With Esc or q, and always with Ctrl-C."""
    actions = {action_for(context, key) for key in ("escape", "q")}

    assert actions & {Action.BACK, Action.LEAVE}
    assert action_for(context, "c-c") is Action.QUIT


def test_every_action_has_a_key() -> None:
    """An action that no key means is dead."""
    assert {binding.action for binding in BINDINGS} == set(Action)
