import { type Fetch } from './fetch-within.ts';
import { type RetryPolicy } from './retry.policy.ts';
export interface ServiceConnectionOptions {
    baseUrl: string;
    apiKey: string;
    fetch: Fetch;
    timeoutMs: number;
    retries: RetryPolicy;
}
/** Each must be safe to repeat: a read, or a request with an idempotency key. */
export interface ServiceRequest {
    method: 'GET' | 'POST';
    path: string;
    body?: object;
    headers?: Record<string, string>;
    signal?: AbortSignal | undefined;
    /** Replaces the connection's. */
    timeoutMs?: number;
    /** Replaces the connection's. */
    retriesMax?: number;
}
/** Calls the tenant API with an API key, and repeats what failed transiently. */
export declare class ServiceConnection {
    #private;
    constructor(options: ServiceConnectionOptions);
    /** Throws an `AgeVerificationError`, a `ServiceConnectionError`, or the signal's reason. */
    request<Result>(request: ServiceRequest): Promise<Result>;
}
