"""What the service returns."""

from __future__ import annotations

import re
from dataclasses import MISSING, dataclass, field, fields
from datetime import datetime, timezone
from typing import Any, Dict, Literal, Mapping, Optional, Type, TypeVar

Status = Literal["pending", "started", "submitted", "approved", "denied", "resubmission", "rejected"]


@dataclass(frozen=True)
class RateLimit:
    """The window of the rate limit that a request counted in."""

    limit: int
    remaining: int
    resets_at: datetime


@dataclass(frozen=True)
class ResponseInfo:
    """What the service says about a response besides its body.

    Quote `request_id` when you ask the operator. `replayed`: it is the first response to the idempotency key again.
    """

    status: int
    request_id: Optional[str]
    rate_limit: Optional[RateLimit]
    replayed: bool


class Result:
    """A result with `last_response`, which is no field, so that neither a comparison nor `asdict` has it."""

    last_response: ResponseInfo


@dataclass(frozen=True)
class StartedVerification(Result):
    """Redirect your user to `session_url`. Store it and `verification_id`: a resubmission needs both."""

    verification_id: str
    session_url: str = field(repr=False)
    status: Status
    provider: str
    config: Dict[str, Any]


@dataclass(frozen=True)
class VerificationResult(Result):
    """The status of a verification, and its result once `completed_at` is set.

    Admit on `over18`, never on the status `approved`, which minors get, too. `over18` is None until completion, where
    the age is not known, and once the token is revoked; `token_revoked_at` then says when.
    """

    verification_id: str
    status: Status
    confidence: Optional[float]
    created_at: str
    completed_at: Optional[str]
    over18: Optional[bool] = None
    token: Optional[str] = field(default=None, repr=False)
    token_revoked_at: Optional[str] = None


@dataclass(frozen=True)
class TokenValidation(Result):
    """Admit only if `valid` is True; then `over18` is True and `reason` is `OK`."""

    valid: bool
    over18: bool
    reason: str


R = TypeVar("R", StartedVerification, VerificationResult, TokenValidation)


def to_result(kind: Type[R], body: Mapping[str, Any], info: ResponseInfo) -> R:
    """Raise a `KeyError` without a field that has no default. What else there is may have been added within v1."""
    values = {}
    for name, default in ((each.name, each.default) for each in fields(kind)):
        sent_name = re.sub("_(.)", lambda match: match[1].upper(), name)
        values[name] = body[sent_name] if default is MISSING else body.get(sent_name, default)
    result = kind(**values)
    object.__setattr__(result, "last_response", info)
    return result


def read_response_info(status: int, headers: Mapping[str, str]) -> ResponseInfo:
    """The names of `headers` match in any case."""
    values = [headers.get(f"x-ratelimit-{name}", "") for name in ("limit", "remaining", "reset")]
    rate_limit = None
    if all(value.isdecimal() for value in values):
        limit, remaining, reset = map(int, values)
        rate_limit = RateLimit(limit, remaining, datetime.fromtimestamp(reset, timezone.utc))
    is_replayed = headers.get("idempotent-replayed") == "true"
    return ResponseInfo(status, headers.get("x-request-id"), rate_limit, is_replayed)
