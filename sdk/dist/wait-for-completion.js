import { AgeVerificationError, CompletionTimeoutError } from './errors.js';
import { pause } from './pause.js';
import { isTransient } from './retry.policy.js';
/** Proxies commonly end a request after 30 seconds. */
const waitSecondsMax = 25;
/** A window of the rate limit. */
const retryAfterMsMax = 60_000;
/** Reads the status until the verification is completed, through outages of the service and its rate limits. */
export async function waitForCompletion(readStatus, longPolling, { signal, timeoutMs = 600_000, pollingIntervalMs = 3_000 }) {
    const deadline = performance.now() + timeoutMs;
    let last;
    for (;;) {
        const sentAt = performance.now();
        let pauseMs;
        let failure;
        try {
            const verification = await readWaiting(readStatus, longPolling, deadline - sentAt);
            if (isCompleted(verification))
                return verification;
            const hasChanged = last !== undefined && last.status !== verification.status;
            pauseMs = hasChanged ? 0 : pollingIntervalMs - (performance.now() - sentAt);
            last = verification;
        }
        catch (error) {
            if (!isTransient(error))
                throw error;
            failure = error;
            pauseMs = Math.min((error.retryAfterSeconds ?? 0) * 1000 || pollingIntervalMs, retryAfterMsMax);
        }
        const remainingMs = deadline - performance.now();
        if (remainingMs <= 0)
            throw new CompletionTimeoutError(last, failure);
        await pause(Math.min(Math.max(0, pauseMs) * jitter(), remainingMs), signal);
    }
}
async function readWaiting(readStatus, longPolling, remainingMs) {
    const waitSeconds = Math.min(waitSecondsMax, Math.floor(remainingMs / 1000));
    if (!longPolling.isSupported || waitSeconds < 1)
        return await readStatus(undefined);
    try {
        return await readStatus(waitSeconds);
    }
    catch (error) {
        if (!rejectsWait(error))
            throw error;
        longPolling.isSupported = false;
        return await readStatus(undefined);
    }
}
/** Whether the service is older than the parameter `wait`. */
function rejectsWait(error) {
    if (!(error instanceof AgeVerificationError) || !error.is('INVALID_PARAMETERS'))
        return false;
    return error.details?.issues.some(({ path }) => path === 'wait') ?? false;
}
function isCompleted(verification) {
    return verification.completedAt !== null;
}
/** Spreads the requests of clients that began together. */
function jitter() {
    return 0.9 + Math.random() * 0.2;
}
