"""Options, which are checked before anything is sent."""

from __future__ import annotations

import math
from typing import Any
from urllib.parse import urlsplit


def check_count(option: str, value: Any) -> None:
    if type(value) is not int or value < 0:
        raise ValueError(f"{option} must be a whole number from 0, not {value!r}")


def check_seconds(option: str, value: Any) -> None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or value <= 0:
        raise ValueError(f"{option} must be a number of seconds above 0, not {value!r}")


def without_trailing_slash(option: str, address: str) -> str:
    """Return the URL of the service, to which paths are added."""
    parts = urlsplit(address or "")
    is_address = parts.scheme in ("http", "https") and parts.hostname and "@" not in parts.netloc
    if not is_address or parts.query or parts.fragment:
        raise ValueError(f"{option} must be the http or https URL of the service, such as https://verify.example")
    return address.rstrip("/")
