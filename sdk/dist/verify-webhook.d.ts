import type { VerificationCompletedEvent } from './api-types.ts';
/** The headers of a request, as `Headers` or as Node and its frameworks have them. */
export type WebhookHeaders = Iterable<readonly [name: string, value: string]> | Readonly<Record<string, string | readonly string[] | undefined>>;
export interface VerifyWebhookOptions {
    /** The greatest age of an event, retries included. 86,400 by default: the service delivers for 24 hours. */
    toleranceSeconds?: number | undefined;
    now?: Date | undefined;
}
/**
 * Returns the event of a webhook request, or throws a `WebhookVerificationError` if it is not authentic and recent.
 * `rawBody` must be the bytes that were received: an object that a body parser made can't be verified. Pass the new and
 * the old secret for 24 hours after a rotation. Throws a `TypeError` without a secret.
 *
 * `data.status` is `approved` for minors, too. Admit a user on `over18` of the status, never on `approved`. Types of
 * events may be added: ignore those whose `event` you don't know.
 */
export declare function verifyWebhook(rawBody: string | ArrayBuffer | ArrayBufferView | null | undefined, headers: WebhookHeaders, secrets: string | readonly (string | undefined)[], { toleranceSeconds, now }?: VerifyWebhookOptions): Promise<VerificationCompletedEvent>;
