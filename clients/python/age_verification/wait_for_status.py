"""Waits for a status by long polling, through outages of the service and its rate limits."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from typing import Callable, Optional

from .errors import AgeVerificationError, ChangesMissedError, CompletionTimeoutError, ServiceConnectionError
from .hooks import HookCall
from .results import Status, VerificationChanges, VerificationResult
from .retry_policy import is_transient
from .steps import Steps

# Reads the status once, without retries. The service responds when it has changed, or after so many seconds.
ReadStatus = Callable[[int], Steps[VerificationResult]]
OnStatus = Callable[[VerificationResult], object]

_WAIT_SECONDS_MAX = 25  # Proxies commonly end a request after 30 seconds.
_RETRY_AFTER_SECONDS_MAX = 60  # A window of the rate limit.


def wait_for_completion(
    read_status: ReadStatus,
    on_status: Optional[OnStatus],
    stop_at_resubmission: bool,
    timeout: float,
    polling_interval: float,
) -> Steps[VerificationResult]:
    reported: Optional[Status] = None

    def read_and_report(wait: int) -> Steps[VerificationResult]:
        nonlocal reported
        verification = yield from read_status(wait)
        if on_status and verification.status != reported:
            yield HookCall("on_status", on_status, verification)
        reported = verification.status
        return verification

    def is_over(verification: VerificationResult) -> bool:
        is_completed = verification.completed_at is not None
        return is_completed or (stop_at_resubmission and verification.status == "resubmission")

    sees_first = on_status is not None or stop_at_resubmission
    return wait_until(read_and_report, is_over, timeout, polling_interval, sees_first)


def wait_for_changes(
    read_changes: Callable[[str, int], Steps[VerificationChanges]], after: str, follow: bool, polling_interval: float
) -> Steps[VerificationChanges]:
    """Return the changes behind a cursor, or none if there are none and nobody follows them."""
    while True:
        sent_at = time.monotonic()
        try:
            page = yield from read_changes(after, _WAIT_SECONDS_MAX if follow else 0)
        except (AgeVerificationError, ServiceConnectionError) as error:
            if not is_transient(error):
                raise
            pause = min(error.retry_after_seconds or polling_interval, _RETRY_AFTER_SECONDS_MAX)
        else:
            if page.items or page.missed_before or not follow:
                # Whoever stops within a page, or before it is known what is missed, begins with it again.
                items = [replace(item, cursor=after) for item in page.items]
                if items and not page.missed_before:
                    items[-1] = replace(items[-1], cursor=page.next)
                return replace(page, items=items)
            pause = polling_interval - (time.monotonic() - sent_at)
        yield max(0.0, pause * random.uniform(0.9, 1.1))


def cursor_behind(page: VerificationChanges) -> str:
    if page.missed_before:
        raise ChangesMissedError(page.missed_before, page.next)
    return page.next


def wait_until(
    read_status: ReadStatus,
    is_over: Callable[[VerificationResult], bool],
    timeout: float,
    polling_interval: float,
    sees_first: bool = True,
) -> Steps[VerificationResult]:
    """With `sees_first` the first response does not wait for a change."""
    deadline = time.monotonic() + timeout
    last: Optional[VerificationResult] = None
    while True:
        sent_at = time.monotonic()
        is_first_look = sees_first and last is None
        remaining = max(0, int(deadline - sent_at))
        failure: Optional[Exception] = None
        try:
            verification = yield from read_status(0 if is_first_look else min(_WAIT_SECONDS_MAX, remaining))
        except (AgeVerificationError, ServiceConnectionError) as error:
            if not is_transient(error):
                raise
            failure = error
            pause = min(error.retry_after_seconds or polling_interval, _RETRY_AFTER_SECONDS_MAX)
        else:
            if is_over(verification):
                return verification
            has_changed = last is not None and last.status != verification.status
            is_soon = has_changed or is_first_look
            pause = 0 if is_soon else polling_interval - (time.monotonic() - sent_at)
            last = verification
        if time.monotonic() >= deadline:
            raise CompletionTimeoutError(last) from failure
        yield max(0.0, min(pause * random.uniform(0.9, 1.1), deadline - time.monotonic()))
