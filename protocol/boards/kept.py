"""Kept facts: what follows from objects that never change, worked out once for these objects."""

from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")

MAX_KEPT = 96
"""How many facts of one kind are kept at most. Most change with each answer, and are asked for
again and again until the next: a hundred tables that take turns find no more of them in 256."""


def kept_facts(work_out: Callable[..., T], of: int, most: int = MAX_KEPT) -> Callable[..., T]:
    """
    Return a function that remembers its results by which objects it was given.

    It compares identities, which costs the same whatever the objects hold. They must never change.
    A table replaces what changes, so that a map stays the same object as long as it is the same.

    Args:
        work_out: a pure function of positional arguments.
        of: how many arguments it takes.
        most: results that are kept; for one more the oldest goes.
    """
    # The arguments are kept behind the result: as long as they are here, no other has their id.
    kept: dict[Any, tuple[Any, ...]] = {}

    def add(key: object, things: tuple[object, ...]) -> T:
        result = work_out(*things)
        if len(kept) >= most:
            del kept[next(iter(kept))]
        kept[key] = (result, *things)
        return result

    # Asked several times in each event, so that even a call by `*` would tell. The source is made
    # of names from here alone.
    names = [f"thing_{at}" for at in range(of)]
    key = ", ".join(f"id({name})" for name in names)
    source = (
        f"def facts({', '.join(names)}):\n"
        f" key = {key}\n"
        f" known = get(key)\n"
        f" return known[0] if known is not None else add(key, ({', '.join(names)},))\n"
    )
    scope: dict[str, Any] = {"get": kept.get, "add": add, "id": id}
    exec(compile(source, f"<kept {of}>", "exec"), scope)  # noqa: S102 (above)
    return scope["facts"]  # type: ignore[no-any-return]  # compiled just now
