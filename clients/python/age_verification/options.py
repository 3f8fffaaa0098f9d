"""Options, which are checked before anything is sent."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

import httpx

from .json_text import is_number

# 24.8 days, as for timers elsewhere. Sockets take no times of any length.
_SECONDS_MAX = 2_147_483


def check_count(option: str, value: Any) -> None:
    if type(value) is not int or not 0 <= value <= _SECONDS_MAX:
        raise ValueError(f"{option} must be a whole number from 0, not {value!r}")


def check_seconds(option: str, value: Any) -> None:
    if not is_number(value) or not 0 < value <= _SECONDS_MAX:
        raise ValueError(f"{option} must be a number of seconds above 0, not {value!r}")


# A year. Beyond it, somebody has given milliseconds: no token lives as long.
_AGE_SECONDS_MAX = 31_536_000


def check_max_age(max_age_seconds: Any) -> None:
    if max_age_seconds is None:
        return
    if is_number(max_age_seconds) and 1 <= max_age_seconds <= _AGE_SECONDS_MAX and max_age_seconds % 1 == 0:
        return
    raise ValueError(
        f"max_age_seconds must be a whole number of seconds from 1 to {_AGE_SECONDS_MAX}, not {max_age_seconds!r}"
    )


def check_text(option: str, value: Any) -> None:
    """Refuse white space and quotes, which come with a value from a file, or from splitting a list."""
    if not isinstance(value, str) or not value:
        raise ValueError(f"{option} is missing or empty")
    if any(each in "\"'" or unicodedata.category(each) in ("Zs", "Zl", "Zp", "Cc", "Cf") for each in value):
        raise ValueError(f"{option} has white space or quotes in it or around it, such as a line feed at its end")


def without_trailing_slash(option: str, address: str) -> str:
    """Return the URL of the service, to which paths are added."""
    if address:
        check_text(option, address)
    if not re.fullmatch(r"https?://[^/?#@\\]+(/[^?#\\]*)?", address or "", re.IGNORECASE) or not _is_url(address):
        raise ValueError(f"{option} must be the http or https URL of the service, such as https://verify.example")
    return address.rstrip("/")


def _is_url(address: str) -> bool:
    try:
        url = httpx.URL(address)
        return bool(url.host) and (url.port is None or 0 <= url.port <= 65_535)
    except (httpx.InvalidURL, ValueError):
        return False
