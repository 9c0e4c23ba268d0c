"""
Renders canvases on the terminal, and writes only the changed cells.

This renderer replaces the one of prompt_toolkit, which lays out windows and compares every cell of
every frame in Python. Restoring the terminal's modes is inherited.
"""

from collections.abc import Callable, Sequence

from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Point, Size
from prompt_toolkit.filters import FilterOrBool
from prompt_toolkit.layout import Layout
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.mouse_events import MouseEvent
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.renderer import Renderer
from prompt_toolkit.styles import Attrs, BaseStyle

from client.widgets.canvas import Canvas

Draw = Callable[[int, int], Canvas]
"""Draws a frame, given rows and columns."""
OnMouse = Callable[[MouseEvent], object]
"""Handles a mouse event; a result of NotImplemented means that no frame is needed."""
_NO_MOVES = "\x1b[?1003l"
"""Makes the terminal ignore motion without a button, which would only load slow connections."""


class CanvasRenderer(Renderer):
    """A renderer that draws an application as one canvas on the whole terminal."""

    def __init__(
        self, style: BaseStyle, output: Output, draw: Draw, on_mouse: OnMouse, mouse: FilterOrBool
    ) -> None:
        """
        Prepare a renderer, which writes nothing before the first frame.

        Args:
            style: the style of the classes. A change redraws everything.
            output: the terminal.
            draw: draws a frame.
            on_mouse: handles mouse events.
            mouse: whether the terminal reports the mouse.
        """
        self._draw = draw
        self._on_mouse = on_mouse
        self._written: Canvas | None = None
        self._looks: dict[str, Attrs] = {}
        self._style_key: object = None
        super().__init__(style, output, full_screen=True, mouse_support=mouse)

    def reset(self, _scroll: bool = False, leave_alternate_screen: bool = True) -> None:  # noqa: FBT001, FBT002 (prompt_toolkit's own)
        """Forget what is on the terminal, and restore its modes."""
        self._written = None
        super().reset(_scroll, leave_alternate_screen)

    def render(self, app: "Application[object]", layout: Layout, is_done: bool = False) -> None:  # noqa: FBT001, FBT002 (prompt_toolkit's own)
        """Draw a frame and write the changed cells; leave the full screen at the end."""
        if is_done:
            self.reset()
            return
        self._begin_modes()
        size = self.output.get_size()
        self._forget_if_changed(app, size)
        canvas, before = self._draw(size.rows, size.columns), self._written
        spans = [(row, canvas.changed(row, before)) for row in range(canvas.rows)]
        changed = [(row, span) for row, span in spans if span is not None]
        if changed or before is None or canvas.cursor != before.cursor:
            self._write(canvas, changed, app.color_depth)
        self.output.flush()
        self._written = canvas
        # prompt_toolkit's own renderer sets this, and its layout reads it.
        layout.visible_windows = [layout.current_window]

    def _write(
        self, canvas: Canvas, changed: Sequence[tuple[int, tuple[int, int]]], depth: ColorDepth
    ) -> None:
        """Write the changed spans, and set the cursor."""
        output = self.output
        # Or the cursor would be seen jumping from change to change.
        output.hide_cursor()
        # Or a character in the last column could scroll the screen.
        output.disable_autowrap()
        for row, span in changed:
            output.cursor_goto(row + 1, span[0] + 1)
            for style, text in canvas.runs(row, *span):
                look = self._looks.get(style)
                if look is None:
                    look = self._looks[style] = self.style.get_attrs_for_style_str(style)
                output.set_attributes(look, depth)
                output.write(text)
        output.reset_attributes()
        output.enable_autowrap()
        if canvas.cursor is not None:
            output.cursor_goto(canvas.cursor[0] + 1, canvas.cursor[1] + 1)
            output.show_cursor()

    def _begin_modes(self) -> None:
        output = self.output
        # These flags are the base class's, which restores the modes at the end.
        if not self._in_alternate_screen:
            self._in_alternate_screen = True
            output.enter_alternate_screen()
        if not self._bracketed_paste_enabled:
            self._bracketed_paste_enabled = True
            output.enable_bracketed_paste()
        if not self._cursor_key_mode_reset:
            self._cursor_key_mode_reset = True
            output.reset_cursor_key_mode()
        wants_mouse = self.mouse_support()
        if wants_mouse != self._mouse_support_enabled:
            self._mouse_support_enabled = wants_mouse
            if wants_mouse:
                output.enable_mouse_support()
                output.write_raw(_NO_MOVES)
            else:
                output.disable_mouse_support()

    def _forget_if_changed(self, app: "Application[object]", size: Size) -> None:
        """Forget the last frame if the style or size changed; clear the screen if the size did."""
        style = (self.style.invalidation_hash(), app.color_depth)
        if style != self._style_key:
            self._style_key, self._written = style, None
            self._looks.clear()
        written = self._written
        if written is not None and (written.rows, written.columns) == (size.rows, size.columns):
            return
        self._written = None
        self._cursor_pos = Point(0, 0)
        self.output.reset_attributes()
        self.output.erase_screen()
        self.mouse_handlers = MouseHandlers()
        # One handler for all cells: the canvas knows what is under the pointer.
        self.mouse_handlers.set_mouse_handler_for_range(
            0, size.columns, 0, size.rows, self._on_mouse
        )
