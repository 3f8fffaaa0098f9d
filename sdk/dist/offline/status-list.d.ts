import { type DocumentOptions } from './fetch-document.ts';
import type { KeySet } from './key-set.ts';
/** Where the status of a token is, from its claim `status.status_list`. */
export interface StatusReference {
    idx: number;
    uri: string;
}
export interface StatusListsOptions extends DocumentOptions {
    /** Lists are below this address, */
    issuer: string;
    /** and are read at this one. */
    baseUrl: string;
    keys: KeySet;
    now: () => Date;
}
/** IETF Token Status Lists (draft-ietf-oauth-status-list), cached for their `ttl`. */
export declare class StatusLists {
    #private;
    constructor(options: StatusListsOptions);
    /**
     * Whether a token with this reference is revoked, as of the list's `ttl`. The reference must be of a verified token, as
     * every list is kept. Throws a `ServiceConnectionError` if the list can't be read or verified.
     */
    isRevoked({ idx, uri }: StatusReference): Promise<boolean>;
}
