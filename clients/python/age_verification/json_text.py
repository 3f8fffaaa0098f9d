"""JSON as the service sends it: UTF-8, without numbers that are none."""

from __future__ import annotations

import json
from typing import Any


def parse_json(content: bytes) -> Any:
    """Raise a `ValueError` if it is not JSON in UTF-8, or nested deeper than Python can read."""
    try:
        return json.loads(content.decode("utf-8"), parse_constant=_refuse)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
