import { type DocumentOptions } from './fetch-document.ts';
import type { Jwt } from './jwt.ts';
/** The public keys of the service, cached. */
export declare class KeySet {
    #private;
    constructor(url: string, options: DocumentOptions);
    /**
     * Whether a JWT with the algorithm ES256 is signed by a key of the set; undefined if the set doesn't have its key.
     * Throws a `ServiceConnectionError` if the key set can't be read.
     */
    verify({ header, signature, signedBytes }: Jwt): Promise<boolean | undefined>;
}
