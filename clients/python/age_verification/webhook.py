"""Verification of webhook requests, and requests to test a receiver with."""

from __future__ import annotations

import hmac
import json
import math
import re
import uuid
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from .errors import WebhookVerificationError
from .json_text import is_number, parse_json
from .options import check_text

Text = Union[str, bytes]
Headers = Union[Mapping[str, Union[str, Sequence[str], None]], Iterable[Tuple[Text, Text]]]

_HEX_SHA256 = re.compile(r"[0-9a-fA-F]{64}")
_ISO_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", re.ASCII)


@dataclass(frozen=True)
class WebhookEvent:
    """An event. Types of events may be added: ignore those whose `event` you don't know.

    `status` of `verification.completed` is `approved` for minors, too: admit on `over18` of the status, never on
    `approved`.
    """

    event: str
    tenant_id: str
    data: Dict[str, Any]
    timestamp: str

    @property
    def verification_id(self) -> str:
        return str(self.data["verificationId"])

    @property
    def status(self) -> str:
        return str(self.data["status"])


def verify_webhook(
    raw_body: Optional[Text],
    headers: Optional[Headers],
    secrets: Union[str, Sequence[Optional[str]]],
    tolerance_seconds: float = 86_400,
    now: Optional[datetime] = None,
) -> WebhookEvent:
    """Return the event of a webhook request, or raise `WebhookVerificationError` if it is not authentic and recent.

    `raw_body` is exactly what was received. Pass the new and the old secret for 24 hours after a rotation. By default
    an event may be 24 hours old, because the service delivers for so long. `now` needs a time zone. Raise `ValueError`
    without a secret, or with one that has white space, and `TypeError` for a body that was parsed.
    """
    raw_body = "" if raw_body is None else raw_body  # As frameworks have it where nothing was sent.
    raw_body = raw_body.encode("utf-8", "replace") if isinstance(raw_body, str) else raw_body  # As Lambda has it.
    if not isinstance(raw_body, (bytes, bytearray, memoryview)):
        raise TypeError("raw_body must be the raw bytes of the request, not what a parser made of them")
    keys = _usable_secrets(secrets)
    now = datetime.now(timezone.utc) if now is None else now
    if now.tzinfo is None or not is_number(tolerance_seconds) or math.isnan(tolerance_seconds):
        raise ValueError("now has no time zone, or tolerance_seconds is not a number")
    signature = _read_signature(headers)
    expected = [hmac.new(key.encode(), raw_body, "sha256").digest() for key in keys]
    if not any([hmac.compare_digest(digest, signature) for digest in expected]):
        raise WebhookVerificationError("signature_mismatch")
    event = _read_event(bytes(raw_body))
    if (now - _read_time(event.timestamp)).total_seconds() > tolerance_seconds:
        raise WebhookVerificationError("timestamp_too_old")
    return event


def _usable_secrets(secrets: Union[str, Sequence[Optional[str]], None]) -> List[str]:
    given = [secrets] if isinstance(secrets, str) else secrets or []
    keys = [secret for secret in given if secret is not None]
    for key in keys or [""]:
        check_text("a webhook secret", key)
    return keys


def _read_signature(headers: Optional[Headers]) -> bytes:
    # Gateways have lists of values, and none where there are no headers.
    pairs: Any = headers or ()
    given: List[str] = []
    for name, value in pairs.items() if hasattr(pairs, "items") else pairs:
        if _to_text(name).lower() == "x-webhook-signature" and value is not None:
            given += map(_to_text, value if isinstance(value, (list, tuple)) else [value])
    if not given:
        raise WebhookVerificationError("signature_missing")
    if len(given) > 1 or not _HEX_SHA256.fullmatch(given[0]):
        raise WebhookVerificationError("signature_malformed")
    return bytes.fromhex(given[0])


def _to_text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _read_event(raw_body: bytes) -> WebhookEvent:
    try:
        body: Any = parse_json(raw_body)
        event = WebhookEvent(body["event"], body["tenantId"], body["data"], body["timestamp"])
        texts: List[Any] = [event.event, event.tenant_id, event.timestamp]
        if event.event == "verification.completed":
            texts += [event.data["verificationId"], event.data["status"]]
    except (ValueError, KeyError, TypeError) as error:
        raise WebhookVerificationError("body_malformed") from error
    if not isinstance(event.data, dict) or not all(isinstance(text, str) for text in texts):
        raise WebhookVerificationError("body_malformed")
    return event


def _read_time(timestamp: str) -> datetime:
    try:
        if not _ISO_TIME.fullmatch(timestamp):
            raise ValueError(timestamp)
        return datetime.fromisoformat(timestamp.replace("Z", "+00:00"))
    except ValueError as error:
        raise WebhookVerificationError("body_malformed") from error


@dataclass(frozen=True)
class SignedEvent:
    """A request with an event, as the service sends it."""

    headers: Dict[str, str]
    body: bytes


def sign_test_event(
    secret: str,
    *,
    event: str = "verification.completed",
    verification_id: Optional[str] = None,
    status: str = "approved",
    confidence: float = 1,
    tenant_id: Optional[str] = None,
    timestamp: Optional[datetime] = None,
) -> SignedEvent:
    """Sign an event with your secret, to test your receiver. Ids are random, and `timestamp` is now."""
    check_text("secret", secret)
    sent_at = (timestamp or datetime.now(timezone.utc)).astimezone(timezone.utc)
    data = {
        "verificationId": verification_id or str(uuid.uuid4()),
        "status": status,
        "confidence": confidence,
        "provider": "veriff",
    }
    message = {
        "event": event,
        "tenantId": tenant_id or str(uuid.uuid4()),
        "data": data,
        "timestamp": sent_at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
    }
    body = json.dumps(message, separators=(",", ":")).encode()
    headers = {
        "content-type": "application/json",
        "user-agent": "age-verification-service",
        "x-webhook-event": event,
        "x-webhook-signature": hmac.new(secret.encode(), body, "sha256").hexdigest(),
    }
    return SignedEvent(headers, body)
