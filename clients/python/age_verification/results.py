"""What the service returns."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields
from datetime import datetime, timezone
from typing import Any, Callable, Dict, List, Literal, Mapping, Optional, Type, TypeVar

from .json_text import is_number

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
    provider: str = "veriff"
    config: Dict[str, Any] = field(default_factory=dict)


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
class VerificationChange(VerificationResult):
    """A verification as its last change left it: it was completed, or its token was revoked, as `token_revoked_at` says.

    Store `cursor` when you have handled the change: `changes` goes on behind it. Within a page of 50 it is that of the
    page, so that a crash there shows up to 49 changes again, and none is missed. Empty in the first page of all. It has
    no `token`.
    """

    updated_at: str = ""
    cursor: str = ""


@dataclass(frozen=True)
class VerificationChanges(Result):
    items: List[VerificationChange]
    next: str
    missed_before: Optional[str] = None


@dataclass(frozen=True)
class TokenValidation(Result):
    """Admit only if `valid` is True; then `over18` is True and `reason` is `OK`."""

    valid: bool
    over18: bool
    reason: str


R = TypeVar("R", StartedVerification, VerificationResult, VerificationChange, VerificationChanges, TokenValidation)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def _is_boolean(value: Any) -> bool:
    return isinstance(value, bool)


def _or_none(is_kind: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or is_kind(value)


_status_form: Dict[str, Callable[[Any], bool]] = {
    "verification_id": _is_text,
    "status": _is_text,
    "confidence": _or_none(is_number),
    "created_at": _is_text,
    "completed_at": _or_none(_is_text),
}

# The fields that a response has, each with what it is. Whatever lacks one is no response of the service.
_forms: Dict[type, Dict[str, Callable[[Any], bool]]] = {
    StartedVerification: {"verification_id": _is_text, "session_url": _is_text, "status": _is_text},
    VerificationResult: _status_form,
    VerificationChange: {**_status_form, "updated_at": _is_text},
    VerificationChanges: {"items": lambda value: isinstance(value, list), "next": _is_text},
    TokenValidation: {"valid": _is_boolean, "over18": _is_boolean, "reason": _is_text},
}


def to_result(kind: Type[R], body: Any, info: ResponseInfo) -> R:
    """Raise a `ValueError` if a field is missing or of another type. What else there is may have been added within v1."""
    sent = body if isinstance(body, dict) else {}
    names = {each.name: re.sub("_(.)", lambda match: match[1].upper(), each.name) for each in fields(kind)}
    values = {name: sent[sent_name] for name, sent_name in names.items() if sent_name in sent}
    if not all(name in values and is_kind(values[name]) for name, is_kind in _forms[kind].items()):
        raise ValueError("it is not a response of the service")
    if kind is VerificationChanges:
        values["items"] = [to_result(VerificationChange, item, info) for item in values["items"]]
    if issubclass(kind, VerificationResult) and not _is_boolean(values.get("over18")):
        values["over18"] = None  # A text, of a mock that is wrong, must not admit anyone.
    result = kind(**values)
    object.__setattr__(result, "last_response", info)
    return result


def to_too_old(validation: TokenValidation) -> TokenValidation:
    too_old = TokenValidation(False, False, "TOKEN_TOO_OLD")
    object.__setattr__(too_old, "last_response", validation.last_response)
    return too_old


# The last second of the year 9999. What is later, such as milliseconds, is no time of the service.
_RESET_SECONDS_MAX = 253_402_300_799


def read_response_info(status: int, headers: Mapping[str, str]) -> ResponseInfo:
    """The names of `headers` match in any case. There is no rate limit if a number can't be one of the service."""
    values = [headers.get(f"x-ratelimit-{name}", "") for name in ("limit", "remaining", "reset")]
    rate_limit = None
    if all(re.fullmatch("[0-9]{1,15}", value) for value in values):
        limit, remaining, reset = map(int, values)
        if reset <= _RESET_SECONDS_MAX:
            rate_limit = RateLimit(limit, remaining, datetime.fromtimestamp(reset, timezone.utc))
    is_replayed = headers.get("idempotent-replayed") == "true"
    return ResponseInfo(status, headers.get("x-request-id"), rate_limit, is_replayed)
