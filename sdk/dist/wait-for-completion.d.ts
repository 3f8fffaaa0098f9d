import type { CompletedVerification, VerificationResult } from './api-types.ts';
export interface WaitOptions {
    signal?: AbortSignal | undefined;
    /** How long to wait altogether, in milliseconds, until a last look at the status; 10 minutes by default. */
    timeoutMs?: number | undefined;
    /** Between two requests to a service without long polling: `config.pollingIntervalMs` of start; 3,000 by default. */
    pollingIntervalMs?: number | undefined;
}
/** Reads the status once, without retries. The service responds when it has changed, `waitSeconds` later at the latest. */
export type ReadStatus = (waitSeconds: number | undefined) => Promise<VerificationResult>;
/** What a client knows about the service. */
export interface LongPolling {
    isSupported: boolean;
}
/** Reads the status until the verification is completed, through outages of the service and its rate limits. */
export declare function waitForCompletion(readStatus: ReadStatus, longPolling: LongPolling, { signal, timeoutMs, pollingIntervalMs }: WaitOptions): Promise<CompletedVerification>;
