import { AgeVerificationError, ServiceConnectionError } from './errors.ts';
export interface RetryOptions {
    /** Retries after the first attempt; 2 by default. */
    retriesMax?: number | undefined;
    /** Before the first retry, in milliseconds; doubled for each further one. 500 by default. */
    delayMs?: number | undefined;
    /** A longer delay is not waited for, not even a `Retry-After`; 10,000 by default. */
    delayMsMax?: number | undefined;
}
export type RetryPolicy = {
    [Option in keyof RetryOptions]-?: number;
};
export declare function retryPolicy({ retriesMax, delayMs, delayMsMax, }: RetryOptions): RetryPolicy;
/** How long to wait before the next attempt, in milliseconds; undefined if there should be none. */
export declare function retryDelayMs(error: unknown, attempt: number, { retriesMax, delayMs, delayMsMax }: RetryPolicy): number | undefined;
/** Whether a repetition can succeed soon. A quota's month does not end soon, although it is a 429, too. */
export declare function isTransient(error: unknown): error is AgeVerificationError | ServiceConnectionError;
