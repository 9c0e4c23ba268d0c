"""YAML as PyYAML reads it, with libyaml if it is installed, which is ten times as fast."""

from typing import Any, Final

import yaml

SAFE: Final[type[yaml.SafeLoader]] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
TEXTS: Final[type[yaml.BaseLoader]] = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def safe(text: str | bytes) -> Any:
    """Return the value of a YAML document."""
    return yaml.load(text, SAFE)  # noqa: S506 (a safe one)


def texts(text: str | bytes) -> Any:
    """Return the value of a YAML document with every scalar as text."""
    return yaml.load(text, TEXTS)  # noqa: S506 (it makes nothing but texts, lists and dicts)


def dumped(value: Any) -> bytes:
    """Return plain values as a YAML document."""
    dumper: type[yaml.SafeDumper] = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    written: str = yaml.dump(value, Dumper=dumper, allow_unicode=True)
    return written.encode()
