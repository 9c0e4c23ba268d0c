"""Checks a terminal's mouse reports, which prompt_toolkit parses without checks."""

import re

from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.key_binding.bindings.mouse import load_mouse_bindings, typical_mouse_events
from prompt_toolkit.keys import Keys

_REPORT = re.compile(r"\x1b\[(?:<?\d{1,9}(?:;\d{1,9}){2}[mM]|M(.)..)", re.DOTALL)
"""Button and position, in one of the three formats of terminals."""


def bind_mouse(bindings: KeyBindings) -> None:
    """Handle mouse reports, and ignore other sequences with the same prefix."""
    (usual,) = load_mouse_bindings().get_bindings_for_keys((Keys.Vt100MouseEvent,))

    @bindings.add(Keys.Vt100MouseEvent)
    def _(event: KeyPressEvent) -> object:
        return usual.handler(event) if is_report(event.data) else NotImplemented


def is_report(code: str) -> bool:
    """Return whether a report is valid: line noise or pasted text may resemble a report."""
    match = _REPORT.fullmatch(code)
    return match is not None and (match[1] is None or ord(match[1]) in typical_mouse_events)
