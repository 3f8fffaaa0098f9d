"""How long ago the check of a token was."""

from __future__ import annotations

import base64
from typing import Any, Optional

from .json_text import is_number, parse_json


def is_too_old(claims: Any, max_age_seconds: Optional[float], now: float) -> bool:
    """Compare `auth_time` as `exp` is: to the second, without a tolerance.

    One in the future is that of a clock that is behind. Without a number as `auth_time`, the token always is too old.
    """
    if max_age_seconds is None:
        return False
    decided_at: Any = claims.get("auth_time") if isinstance(claims, dict) else None
    return not is_number(decided_at) or decided_at + max_age_seconds <= now


def read_verified_claims(token: str) -> Any:
    """Return the claims of a token whose signature was verified elsewhere, or None for a text that is none."""
    try:
        payload = token.split(".")[1]
        return parse_json(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    except (ValueError, IndexError):
        return None
