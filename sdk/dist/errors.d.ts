import type { ErrorCode, ErrorDetails, VerificationResult } from './api-types.ts';
interface ErrorResponse {
    code: ErrorCode;
    message: string;
    /** The HTTP status. */
    status: number;
    details: ErrorDetails;
    requestId: string;
    retryAfterSeconds: number | undefined;
}
/** The service responded with an error. */
export declare class AgeVerificationError extends Error {
    readonly name = "AgeVerificationError";
    readonly code: ErrorCode;
    /** The HTTP status. */
    readonly status: number;
    /** What the code alone does not say. `is` narrows it. */
    readonly details: ErrorDetails;
    /** Identifies the request in the service's log. Quote it when you ask the operator. */
    readonly requestId: string;
    readonly retryAfterSeconds: number | undefined;
    constructor({ code, message, status, details, requestId, retryAfterSeconds }: ErrorResponse);
    /** Whether it has the code, and so the details of the code. */
    is<Code extends ErrorCode>(code: Code): this is ErrorWithCode<Code>;
}
/** An error that has a code, with its details. */
export interface ErrorWithCode<Code extends ErrorCode> extends Omit<AgeVerificationError, 'code' | 'details'> {
    readonly code: Code;
    readonly details: ErrorDetails<Code>;
}
/**
 * `network`: no connection, or it was lost. `timeout`: no response in time. `invalid_response`: something other than
 * the service responded, such as a proxy.
 */
export type ConnectionFailure = 'network' | 'timeout' | 'invalid_response';
/** The service did not respond. Whether it carried the request out is unknown. */
export declare class ServiceConnectionError extends Error {
    readonly name = "ServiceConnectionError";
    readonly reason: ConnectionFailure;
    /** The HTTP status of an invalid response. */
    readonly status: number | undefined;
    readonly retryAfterSeconds: number | undefined;
    constructor(reason: ConnectionFailure, message: string, options?: {
        cause?: unknown;
        status?: number;
        retryAfterSeconds?: number | undefined;
    });
}
/** The verification was not completed within the time that `waitForCompletion` was given. */
export declare class CompletionTimeoutError extends Error {
    readonly name = "CompletionTimeoutError";
    /** As last read; undefined if it never was. */
    readonly verification: VerificationResult | undefined;
    constructor(verification: VerificationResult | undefined, cause?: unknown);
}
/** Why a webhook request is not an authentic, recent event of the service. */
export type WebhookRejection = 'signature_missing' | 'signature_malformed' | 'signature_mismatch' | 'body_malformed' | 'timestamp_too_old' | 'timestamp_in_future';
/** A webhook request is not to be trusted: respond with 401, and don't act on it. */
export declare class WebhookVerificationError extends Error {
    readonly name = "WebhookVerificationError";
    readonly reason: WebhookRejection;
    /** With it, Express and Koa respond with 401 where nothing catches the error. */
    readonly status = 401;
    /** The same for Fastify. */
    readonly statusCode = 401;
    /** The message has no secret in it and can be sent. */
    readonly expose = true;
    constructor(reason: WebhookRejection);
}
export {};
