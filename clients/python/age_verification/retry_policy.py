"""Whether and when a request that failed is repeated."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
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
        return float(min(options.delay * 2 ** (attempt - 1), options.delay_max) * random.uniform(0.5, 1))
    is_soon = error.retry_after_seconds <= options.delay_max
    return error.retry_after_seconds + random.uniform(0, options.delay) if is_soon else None


def is_transient(error: ServiceError) -> bool:
    """Return whether a repetition can succeed soon. A quota's month does not end soon, although it is a 429, too."""
    if isinstance(error, AgeVerificationError):
        return error.status >= 500 or error.code == "RATE_LIMIT_EXCEEDED"
    return error.status is None or error.status >= 500 or error.status == 429
