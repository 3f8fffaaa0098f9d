"""Every call of the API, as steps."""

from __future__ import annotations

import re
import time
import uuid
from dataclasses import replace
from typing import Any, Dict, Mapping, Optional
from urllib.parse import urlencode

from .hooks import Hooks
from .options import check_count, check_max_age, check_seconds, check_text, without_trailing_slash
from .proof_age import is_too_old, read_verified_claims
from .results import (
    StartedVerification,
    Status,
    TokenValidation,
    VerificationChanges,
    VerificationResult,
    to_too_old,
)
from .retry_policy import Retries, RetryOptions, to_retry_options
from .service_connection import ServiceConnection, ServiceRequest
from .steps import Steps
from .wait_for_status import OnStatus, ReadStatus, wait_for_changes, wait_for_completion, wait_until


class Calls:
    def __init__(self, base_url: str, api_key: str, timeout: float, retries: Retries, hooks: Hooks) -> None:
        check_text("api_key", api_key)
        # A value that is no header would be part of the message of httpx's own error.
        if not re.fullmatch(r"[\x21-\x7e]+", api_key):
            raise ValueError("api_key has characters that no key has")
        check_seconds("timeout", timeout)
        self._service = ServiceConnection(without_trailing_slash("base_url", base_url), api_key, hooks)
        self._timeout = timeout
        self._retries = to_retry_options(retries, RetryOptions())

    def start(
        self,
        *,
        user_agent: Optional[str] = None,
        ip: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retries: Optional[Retries] = None,
    ) -> Steps[StartedVerification]:
        """Start a verification. Redirect your user to `session_url`; store it, as a resubmission needs it again.

        Starts with the same key and user give the same verification for 24 hours. By default every call has a key of
        its own, which its retries share; pass one of yours, such as an order number, to make yours safe, too.
        """
        key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
        if not isinstance(key, str) or not re.fullmatch(r"[\x21-\x7e]{1,255}", key):
            raise ValueError("idempotency_key must be 1 to 255 visible ASCII characters")
        facts = {"userAgent": user_agent, "ip": ip}
        body = {name: value for name, value in facts.items() if value is not None}
        request = self._prepare("POST", "/verify/start", timeout, retries, body)
        return self._service.call(replace(request, idempotency_key=key), StartedVerification)

    def status(
        self,
        verification_id: str,
        *,
        wait: int = 0,
        timeout: Optional[float] = None,
        retries: Optional[Retries] = None,
    ) -> Steps[VerificationResult]:
        """Return the status; with `wait` when it has changed, or after so many seconds. Admit on `over18` only."""
        check_count("wait", wait)
        parameters: Dict[str, Any] = {"verificationId": verification_id, **({"wait": wait} if wait else {})}
        request = self._prepare("GET", f"/verify/status?{urlencode(parameters)}", timeout, retries)
        request = replace(request, timeout=request.timeout + wait, verification_id=verification_id)
        return self._service.call(request, VerificationResult)

    def submit(
        self, verification_id: str, *, timeout: Optional[float] = None, retries: Optional[Retries] = None
    ) -> Steps[VerificationResult]:
        """Tell the service that your user came back, finished or not: no status changes, the provider is asked soon."""
        body = {"verificationId": verification_id}
        request = self._prepare("POST", "/verify/submit", timeout, retries, body)
        return self._service.call(replace(request, verification_id=verification_id), VerificationResult)

    def validate_token(
        self,
        token: str,
        *,
        max_age_seconds: Optional[float] = None,
        timeout: Optional[float] = None,
        retries: Optional[Retries] = None,
    ) -> Steps[TokenValidation]:
        """Validate a token at the service, where a revocation takes effect immediately. Admit only if `valid`.

        A valid token whose check was longer than `max_age_seconds` ago, by its claim `auth_time` and this machine's
        clock, is `TOKEN_TOO_OLD`.
        """
        check_max_age(max_age_seconds)
        request = self._prepare("POST", "/tokens/validate", timeout, retries, {"token": token})
        validation = yield from self._service.call(request, TokenValidation)
        if validation.valid and is_too_old(read_verified_claims(token), max_age_seconds, time.time()):
            return to_too_old(validation)
        return validation

    def wait_for_completion(
        self,
        verification_id: str,
        *,
        on_status: Optional[OnStatus] = None,
        stop_at_resubmission: bool = False,
        timeout: float = 600,
        polling_interval: float = 3,
    ) -> Steps[VerificationResult]:
        """Wait until the verification is completed, by long polling, through outages and rate limits.

        `on_status` is called with the status as it is, and after each change; what it raises is logged and changes
        nothing. With `stop_at_resubmission`, return also when your user has to go to `session_url` again. Raise
        `CompletionTimeoutError` after `timeout`.
        """
        read = self._long_poll(verification_id, timeout, polling_interval)
        return wait_for_completion(read, on_status, stop_at_resubmission, timeout, polling_interval)

    def wait_for_change(
        self, verification_id: str, *, from_status: Status, timeout: float = 600, polling_interval: float = 3
    ) -> Steps[VerificationResult]:
        """Wait in the same way until the status is no longer `from_status`."""
        read = self._long_poll(verification_id, timeout, polling_interval)
        return wait_until(read, lambda found: found.status != from_status, timeout, polling_interval)

    def next_changes(self, after: str, follow: bool, polling_interval: float) -> Steps[VerificationChanges]:
        check_seconds("polling_interval", polling_interval)
        return wait_for_changes(self._read_changes, after, follow, polling_interval)

    def _read_changes(self, after: str, wait: int) -> Steps[VerificationChanges]:
        parameters: Dict[str, Any] = {**({"after": after} if after else {}), "wait": wait}
        request = self._prepare("GET", f"/verifications?{urlencode(parameters)}", None, 0)
        return self._service.call(replace(request, timeout=request.timeout + wait), VerificationChanges)

    def _long_poll(self, verification_id: str, timeout: float, polling_interval: float) -> ReadStatus:
        check_seconds("timeout", timeout)
        check_seconds("polling_interval", polling_interval)
        return lambda wait: self.status(verification_id, wait=wait, retries=0)

    def _prepare(
        self,
        method: str,
        path: str,
        timeout: Optional[float],
        retries: Optional[Retries],
        body: Optional[Mapping[str, Any]] = None,
    ) -> ServiceRequest:
        timeout = self._timeout if timeout is None else timeout
        check_seconds("timeout", timeout)
        return ServiceRequest(method, path, timeout, to_retry_options(retries, self._retries), body)
