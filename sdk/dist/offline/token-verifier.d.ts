import { type Fetch } from '../fetch-within.ts';
import { type StatusReference } from './status-list.ts';
export interface TokenVerifierOptions {
    /** The `iss` of tokens: the public address of the service. */
    issuer: string;
    /** Where the service is reached for its keys and lists; `issuer` by default. */
    baseUrl?: string | undefined;
    /** Replaces the runtime's. */
    fetch?: Fetch | undefined;
    /** For each document, in milliseconds; 10,000 by default. */
    timeoutMs?: number | undefined;
    /** The clock; the system's by default. */
    now?: (() => Date) | undefined;
}
export interface VerifyTokenOptions {
    /** Your tenant id. */
    audience: string;
    /** Whether to read the status list. True by default; without it a revoked token is valid until it expires. */
    checkRevocation?: boolean | undefined;
}
/** The claims of a token. */
export interface TokenClaims {
    iss: string;
    /** The verificationId. */
    sub: string;
    /** The tenant id. */
    aud: string;
    jti: string;
    /** Seconds since the epoch. */
    iat: number;
    /** Seconds since the epoch. */
    exp: number;
    over18: boolean;
    /** Where its revocation is published. */
    status: {
        status_list: StatusReference;
    };
}
/** Why a token is not valid. The last three are also those of `validateToken`. */
export type OfflineReason = 'TOKEN_MALFORMED' | 'ALGORITHM_NOT_ALLOWED' | 'KEY_UNKNOWN' | 'SIGNATURE_INVALID' | 'ISSUER_MISMATCH' | 'AUDIENCE_MISMATCH' | 'TOKEN_REVOKED' | 'TOKEN_EXPIRED' | 'UNDERAGE_OR_UNKNOWN';
/** `valid`, `over18` and the reason `OK` are true together or not at all. */
export type OfflineValidation = {
    valid: true;
    over18: true;
    reason: 'OK';
    claims: TokenClaims;
} | {
    valid: false;
    over18: false;
    reason: OfflineReason;
    claims?: undefined;
};
/**
 * Validates tokens without a request for each, and without an API key: with the service's public keys, cached for a
 * minute, and its status lists, cached for their `ttl`. Use one verifier for all tokens.
 */
export declare class TokenVerifier {
    #private;
    constructor({ now, fetch, timeoutMs, ...addresses }: TokenVerifierOptions);
    /** Throws a `ServiceConnectionError` if the keys or the status list can't be read, so that nothing can be decided. */
    verify(token: string, options: VerifyTokenOptions): Promise<OfflineValidation>;
}
