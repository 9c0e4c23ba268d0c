"""YAML as PyYAML reads it, by libyaml where that is there: the same in a tenth of the time."""

from typing import Any, Final

import yaml

SAFE: Final[type[yaml.SafeLoader]] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
TEXTS: Final[type[yaml.BaseLoader]] = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def safe(text: str | bytes) -> Any:
    """Return the value that a document holds."""
    return yaml.load(text, SAFE)  # noqa: S506 (a safe one)


def texts(text: str | bytes) -> Any:
    """Return the same with every scalar as the text that stands there."""
    return yaml.load(text, TEXTS)  # noqa: S506 (it makes nothing but texts, lists and dicts)


def dumped(value: Any) -> bytes:
    """Return a document with plain values."""
    dumper: type[yaml.SafeDumper] = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    written: str = yaml.dump(value, Dumper=dumper, allow_unicode=True)
    return written.encode()
