import { AgeVerificationError, ServiceConnectionError } from './errors.js';
export function retryPolicy({ retriesMax = 2, delayMs = 500, delayMsMax = 10_000, }) {
    return { retriesMax, delayMs, delayMsMax };
}
/** How long to wait before the next attempt, in milliseconds; undefined if there should be none. */
export function retryDelayMs(error, attempt, { retriesMax, delayMs, delayMsMax }) {
    if (attempt > retriesMax || !isTransient(error))
        return undefined;
    if (error.retryAfterSeconds === undefined) {
        return Math.min(delayMs * 2 ** (attempt - 1), delayMsMax) * (0.5 + Math.random() / 2);
    }
    const askedMs = error.retryAfterSeconds * 1000;
    return askedMs <= delayMsMax ? askedMs + Math.random() * delayMs : undefined;
}
/** Whether a repetition can succeed soon. A quota's month does not end soon, although it is a 429, too. */
export function isTransient(error) {
    if (error instanceof AgeVerificationError)
        return error.status >= 500 || error.code === 'RATE_LIMIT_EXCEEDED';
    if (!(error instanceof ServiceConnectionError))
        return false;
    return error.status === undefined || error.status >= 500 || error.status === 429;
}
