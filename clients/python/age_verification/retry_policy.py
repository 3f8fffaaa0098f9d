"""Whether and when a request that failed is repeated."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from email.utils import format_datetime, parsedate_to_datetime
from typing import Optional, Union

from .errors import AgeVerificationError, ServiceConnectionError
from .options import check_count, check_seconds

ServiceError = Union[AgeVerificationError, ServiceConnectionError]


@dataclass(frozen=True)
class RetryOptions:
    """`delay` is before the first retry, in seconds, and doubled for each further one.

    A delay of more than `delay_max` is not waited for, not even a `Retry-After`.
    """

    retries_max: int = 2
    delay: float = 0.5
    delay_max: float = 10


# The number of retries, or how they are made.
Retries = Union[int, RetryOptions]


def to_retry_options(retries: Optional[Retries], base: RetryOptions) -> RetryOptions:
    if retries is None:
        return base
    options = retries if isinstance(retries, RetryOptions) else replace(base, retries_max=retries)
    check_count("retries", options.retries_max)
    check_seconds("retries.delay", options.delay)
    check_seconds("retries.delay_max", options.delay_max)
    return options


def compute_retry_delay(error: ServiceError, attempt: int, options: RetryOptions) -> Optional[float]:
    """Return the seconds to wait before the next attempt, or None if there should be none."""
    if attempt > options.retries_max or not is_transient(error):
        return None
    if error.retry_after_seconds is None:
        return min(options.delay * 2.0 ** min(attempt - 1, 60), options.delay_max) * random.uniform(0.5, 1)
    is_soon = error.retry_after_seconds <= options.delay_max
    return error.retry_after_seconds + random.uniform(0, options.delay) if is_soon else None


_SECONDS_MAX = 2**31 - 1  # As long as HTTP's other delays in seconds can be (RFC 9111).


def read_retry_after(header: Optional[str]) -> Optional[float]:
    """Return seconds, of which the service sends a whole number; a proxy can send a date.

    None if it is neither, so that the delay is the client's own.
    """
    if header is None:
        return None
    if re.fullmatch("[0-9]+", header):
        return min(float(header), _SECONDS_MAX)
    try:
        date = parsedate_to_datetime(header)
        is_date = format_datetime(date, usegmt=True) == header
    except (TypeError, ValueError, OverflowError):
        return None
    return max(0.0, (date - datetime.now(timezone.utc)).total_seconds()) if is_date else None


def is_transient(error: ServiceError) -> bool:
    """Return whether a repetition can succeed soon. A quota's month does not end soon, although it is a 429, too."""
    if isinstance(error, AgeVerificationError):
        return _is_transient_status(error.status) or error.code == "RATE_LIMIT_EXCEEDED"
    return error.status is None or error.status == 429 or _is_transient_status(error.status)


def _is_transient_status(status: int) -> bool:
    """408 and 425 say that the request was not worked on."""
    return status >= 500 or status in (408, 425)
