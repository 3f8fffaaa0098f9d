/** The service responded with an error. */
export class AgeVerificationError extends Error {
    name = 'AgeVerificationError';
    code;
    /** The HTTP status. */
    status;
    /** What the code alone does not say. `is` narrows it. */
    details;
    /** Identifies the request in the service's log. Quote it when you ask the operator. */
    requestId;
    retryAfterSeconds;
    constructor({ code, message, status, details, requestId, retryAfterSeconds }) {
        super(`${code}: ${message}`);
        this.code = code;
        this.status = status;
        this.details = details;
        this.requestId = requestId;
        this.retryAfterSeconds = retryAfterSeconds;
    }
    /** Whether it has the code, and so the details of the code. */
    is(code) {
        return this.code === code;
    }
}
/** The service did not respond. Whether it carried the request out is unknown. */
export class ServiceConnectionError extends Error {
    name = 'ServiceConnectionError';
    reason;
    /** The HTTP status of an invalid response. */
    status;
    retryAfterSeconds;
    constructor(reason, message, options = {}) {
        super(message, options.cause === undefined ? undefined : { cause: options.cause });
        this.reason = reason;
        this.status = options.status;
        this.retryAfterSeconds = options.retryAfterSeconds;
    }
}
/** The verification was not completed within the time that `waitForCompletion` was given. */
export class CompletionTimeoutError extends Error {
    name = 'CompletionTimeoutError';
    /** As last read; undefined if it never was. */
    verification;
    constructor(verification, cause) {
        const status = verification ? `is still ${verification.status}` : 'could not be read';
        super(`The verification ${status}.`, cause === undefined ? undefined : { cause });
        this.verification = verification;
    }
}
const rejections = {
    signature_missing: 'There is no X-Webhook-Signature header.',
    signature_malformed: 'The X-Webhook-Signature header is not one hex-encoded SHA-256 HMAC.',
    signature_mismatch: 'No secret gives this signature for this body, which must be the raw bytes of the request.',
    body_malformed: 'The body is not an event.',
    timestamp_too_old: 'The event is older than the tolerance; it may have been recorded and sent again.',
    timestamp_in_future: "The event's timestamp is in the future; compare the clocks.",
};
/** A webhook request is not to be trusted: respond with 401, and don't act on it. */
export class WebhookVerificationError extends Error {
    name = 'WebhookVerificationError';
    reason;
    /** With it, Express and Koa respond with 401 where nothing catches the error. */
    status = 401;
    /** The same for Fastify. */
    statusCode = 401;
    /** The message has no secret in it and can be sent. */
    expose = true;
    constructor(reason) {
        super(rejections[reason]);
        this.reason = reason;
    }
}
