import { ServiceConnectionError } from '../errors.ts';
import { type Fetch } from '../fetch-within.ts';
export interface DocumentOptions {
    fetch: Fetch;
    timeoutMs: number;
}
export interface PublishedDocument {
    text: string;
    /** How long it may be cached; undefined if the response doesn't say. */
    maxAgeSeconds: number | undefined;
}
/** Reads a public document. Throws a `ServiceConnectionError`. */
export declare function fetchDocument(url: string, mediaType: string, { fetch, timeoutMs }: DocumentOptions): Promise<PublishedDocument>;
/** A document that can't be used, so that nothing can be decided. */
export declare function unusable(url: string, reason: string, status?: number): ServiceConnectionError;
