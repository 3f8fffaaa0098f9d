// Generated from openapi.json: npm run sdk-types

export interface paths {
    "/verify/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a verification
         * @description Creates a verification session. Redirect the end user to `sessionUrl`. A request that is repeated with the same `Idempotency-Key` and body within 24 hours returns the first response and uses no quota. While the first request is still running, it waits up to 12 seconds for its response or error; then it fails with `Retry-After`. The result comes with the webhook `verification.completed`, or with `GET /verify/status`. Admit the person on `over18` or on `POST /tokens/validate`, never on the status `approved`.
         */
        post: operations["startVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/verify/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the status of a verification
         * @description Returns the current status of a verification, and its result once it's completed. The verification must belong to the tenant of the API key. With `wait`, the response can wait for the next change of the status. Admit the person only if `over18` is `true`: `approved` does not mean 18 or over. Once the token is revoked, `over18` is null, `token` is absent, and `tokenRevokedAt` is present.
         */
        get: operations["getVerificationStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/verify/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report that the end user has come back
         * @description Call it when the end user comes back from the hosted flow, finished or not. It changes no status, because only the identity provider knows what the user did. The service polls the provider for its decision soon, in case a callback is lost.
         */
        post: operations["submitVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/verify/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a verification (not available)
         * @description Always fails: only a result from the identity provider completes a verification.
         */
        post: operations["completeVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Validate an age token
         * @description Returns 200 for every token, valid or not, whatever its length within a body of 64 KiB. `valid` and `over18` are both true when `reason` is `OK`, and both false otherwise.
         */
        post: operations["validateToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the public keys
         * @description A JWK Set for verifying age tokens offline. Includes a new key before it signs, and retired keys until the tokens that they signed have expired.
         */
        get: operations["getJwks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/status-lists/{list}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a status list
         * @description Says which age tokens were revoked, to those who verify tokens offline: a Token Status List (draft-ietf-oauth-status-list) as a JWT, signed with a published key. The claim `status.status_list` of an age token has the address of its list as `uri`, and its place in it as `idx`: the token was revoked if the bit at `idx` is 1. Fetch a list again when it is older than its `ttl`, and do not use it after `exp`. Earlier lists are not kept, so the parameter `time` is not supported.
         */
        get: operations["getTokenStatusList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/test/verifications/{id}/outcome": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose the outcome of a test verification
         * @description Decides a verification of a test tenant, as the identity provider would decide that of a live one: everything that follows is real, such as the status, the token and the webhook event. The response is the status after that. After `resubmission` and `in_review`, choose again. Of a completed verification only an approved one can still be chosen to be `denied`: the provider’s correction, which revokes the token. With the key of a live tenant it fails. The page at `sessionUrl` offers the same. To see a start fail because the provider is down, start with the `userAgent` `provider_down`.
         */
        post: operations["chooseTestOutcome"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/test/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the public keys of test tenants
         * @description The JWK Set for the age tokens of test tenants. No key of live tenants is in it, or the other way round.
         */
        get: operations["getTestJwks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/test/tokens/status-lists/{list}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a status list of test tenants
         * @description Says which age tokens of test tenants were revoked, as the status lists of live ones do.
         */
        get: operations["getTestTokenStatusList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "verification.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A verification has been completed
         * @description Sent to the webhook URL of your tenant, once for each verification that was started, when it has reached its final status.
         *
         *     **Approved does not mean 18 or over.** The event has no age. Admit a person only if `over18` of `GET /verify/status` is `true`, or if `POST /tokens/validate` returns `valid: true`.
         *
         *     **Verify the signature** before you parse the body: compute the HMAC-SHA256 of the raw bytes with your webhook secret (the whole `whsec_…` string, in UTF-8), and compare it with `X-Webhook-Signature` in constant time. For 24 hours after you rotate the secret, accept both: attempts are signed with the new and the old one alternately.
         *
         *     **Respond with a 2xx status within 5 seconds.** Redirects and any other status, a timeout, a DNS or a TLS error fail the attempt. There are three attempts: one immediately, one after about 1 minute, and one after about another 10 minutes; these delays are the defaults. The same event can arrive more than once: deduplicate by `data.verificationId`.
         */
        post: operations["verificationCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description A verification has been completed. */
        VerificationCompletedEvent: {
            /**
             * @description The type of the event.
             * @example verification.completed
             * @constant
             */
            event: "verification.completed";
            /**
             * Format: uuid
             * @description The identifier of your tenant.
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b0
             */
            tenantId: string;
            /** @description The completed verification. */
            data: {
                /**
                 * Format: uuid
                 * @description The identifier that start returned. Deduplicate events by it.
                 * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1
                 */
                verificationId: string;
                /**
                 * @description The final status. `approved` does not mean 18 or over: admit on `over18` of the status, or on `POST /tokens/validate`. `submitted` and `resubmission`: the verification expired in this status.
                 * @example approved
                 * @enum {string}
                 */
                status: "submitted" | "approved" | "denied" | "resubmission" | "rejected";
                /**
                 * @description The score that the identity provider gave its decision, whatever the decision is; 1 (`approved`) or 0 (others) where it sends none.
                 * @example 0.98
                 */
                confidence: number;
                /**
                 * @description The identity provider.
                 * @example veriff
                 * @constant
                 */
                provider: "veriff";
            };
            /**
             * Format: date-time
             * @description When the verification was completed, in UTC. It is signed: reject events older than 24 hours, so that a recorded one cannot be replayed.
             * @example 2026-01-31T12:00:00.000Z
             */
            timestamp: string;
        };
        /** @description A verification that has been started. */
        StartedVerification: {
            /**
             * Format: uuid
             * @description Identifies the verification in later requests and in webhook events. Store it.
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1
             */
            verificationId: string;
            /**
             * @description The status of a new verification.
             * @example started
             * @constant
             */
            status: "started";
            /**
             * @description The identity provider.
             * @example veriff
             * @constant
             */
            provider: "veriff";
            /**
             * Format: uri
             * @description Where the end user completes the check, and begins again after a `resubmission`. Store it encrypted: it is a secret that opens the session, and only this response has it.
             * @example https://magic.veriff.me/v/XyDki7acO-V74u5yNjt7ydbcgscKWoFErV2YhCJAKQU
             */
            sessionUrl: string;
            /** @description Settings for the integration. */
            config: {
                /**
                 * @description The recommended interval for polling the status, in milliseconds.
                 * @example 3000
                 */
                pollingIntervalMs: number;
                /**
                 * @description Format of the token issued on approval.
                 * @example jwt
                 * @constant
                 */
                tokenType: "jwt";
            };
        };
        /** @description A parameter is missing or invalid. */
        InvalidParametersError: {
            /**
             * @description The code, for your program to handle. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            error: "INVALID_PARAMETERS";
            /**
             * @description What happened, for a person to read. The wording can change.
             * @example A parameter is missing or invalid.
             */
            message: string;
            /** @description What the code alone does not say. */
            details?: {
                /** @description Everything that is wrong with the input, at most 100 faults. */
                issues: components["schemas"]["InputIssue"][];
            };
            /**
             * Format: uuid
             * @description The same as the header `x-request-id`.
             * @example 7cf9b0dc-1e3d-4699-8944-a4bcfb141e31
             */
            requestId: string;
        };
        /** @description One fault of the input. */
        InputIssue: {
            /**
             * @description The field, with dots between nested ones; the parameter; or the header. Empty for the input as a whole.
             * @example ip
             */
            path: string;
            /**
             * @description What is wrong with it, for a person to read. The wording can change.
             * @example must be an IPv4 or IPv6 address
             */
            message: string;
        };
        /** @description The request body is malformed or has unknown or invalid fields. */
        InvalidRequestBodyError: {
            /**
             * @description The code, for your program to handle. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            error: "INVALID_REQUEST_BODY";
            /**
             * @description What happened, for a person to read. The wording can change.
             * @example The request body is malformed or has unknown or invalid fields.
             */
            message: string;
            /** @description What the code alone does not say. */
            details: {
                /** @description Everything that is wrong with the input, at most 100 faults. */
                issues: components["schemas"]["InputIssue"][];
                /**
                 * @description The line of the first error in malformed JSON, from 1.
                 * @example 3
                 */
                line?: number;
                /**
                 * @description The character of that line, from 1, in UTF-16 code units.
                 * @example 12
                 */
                column?: number;
                /**
                 * @description Present if the `Idempotency-Key` was used with another body in the last 24 hours.
                 * @example idempotency_key_reused
                 * @constant
                 */
                reason?: "idempotency_key_reused";
            };
            /**
             * Format: uuid
             * @description The same as the header `x-request-id`.
             * @example 7cf9b0dc-1e3d-4699-8944-a4bcfb141e31
             */
            requestId: string;
        };
        /** @description The API key is missing, invalid, expired or revoked. */
        UnauthenticatedTenantError: {
            /**
             * @description The code, for your program to handle. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            error: "UNAUTHENTICATED_TENANT";
            /**
             * @description What happened, for a person to read. The wording can change.
             * @example The API key is missing, invalid, expired or revoked.
             */
            message: string;
            /** @description What the code alone does not say. */
            details: {
                /**
                 * @description `missing`: the request has no API key. `unsupported_header`: it has credentials in a header that the tenant API does not accept. `malformed`: the value does not have the form of a key; it is mistyped or cut short. `invalid`: the key is unknown, expired or revoked.
                 * @example missing
                 * @enum {string}
                 */
                reason: "missing" | "unsupported_header" | "malformed" | "invalid";
            };
            /**
             * Format: uuid
             * @description The same as the header `x-request-id`.
             * @example 7cf9b0dc-1e3d-4699-8944-a4bcfb141e31
             */
            requestId: string;
        };
        /** @description The tenant account is disabled. Contact the operator of this service. */
        TenantInactiveError: {
            /**
             * @description The code, for your program to handle. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            error: "TENANT_INACTIVE";
            /**
             * @description What happened, for a person to read. The wording can change.
             * @example The tenant account is disabled. Contact the operator of this service.
             */
            message: string;
            /**
             * Format: uuid
             * @description The same as the header `x-request-id`.
             * @example 7cf9b0dc-1e3d-4699-8944-a4bcfb141e31
             */
            requestId: string;
        };
        /** @description The subscription is inactive. Contact the operator of this service. */
        BillingInactiveError: {
            /**
             * @description The code, for your program to handle.
             * @example BILLING_INACTIVE
             * @constant
             */
            error: "BILLING_INACTIVE";
            /**
             * @description What happened, for a person to read. The wording can change.
             * @example The subscription is inactive. Contact the operator of this service.
             */
            message: string;
            /**
             * Format: uuid
             * @description The same as the header `x-request-id`.
             * @example 7cf9b0dc-1e3d-4699-8944-a4bcfb141e31
             */
            requestId: string;
        };
        /** @description The credentials are valid but do not permit this. */
        ForbiddenError: {
            /**
             * @description The code, for your program to handle.
             * @example FORBIDDEN
             * @constant
             */
            error: "FORBIDDEN";
            /**
             * @description What happened, for a person to read. The wording can change.
             * @example The credentials are valid but do not permit this.
             */
            message: string;
            /** @description What the code alone does not say. */
            details?: {
                /**
                 * @description The scope that the API key lacks.
                 * @example verifications:write
                 * @enum {string}
                 */
                requiredScope: "verifications:write" | "verifications:read" | "tokens:validate";
            };
            /**
             * Format: uuid
             * @description The same as the header `x-request-id`.
             * @example 7cf9b0dc-1e3d-4699-8944-a4bcfb141e31
             */
            requestId: string;
        };
        /** @description Too many requests in the current window. Retry after the given delay. */
        RateLimitExceededError: {
            /**
             * @description The code, for your program to handle. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            error: "RATE_LIMIT_EXCEEDED";
            /**
             * @description What happened, for a person to read. The wording can change.
             * @example Too many requests in the current window. Retry after the given delay.
             */
            message: string;
            /** @description What the code alone does not say. */
            details: {
                /**
                 * @description How long to wait before a retry, in seconds; the same as `Retry-After`.
                 * @example 27
                 */
                retryAfterSeconds: number;
            };
            /**
             * Format: uuid
             * @description The same as the header `x-request-id`.
             * @example 7cf9b0dc-1e3d-4699-8944-a4bcfb141e31
             */
            requestId: string;
        };
        /** @description The plan's monthly quota is reached. Ask the operator of this service for a larger plan. */
        QuotaExceededError: {
            /**
             * @description The code, for your program to handle. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            error: "QUOTA_EXCEEDED";
            /**
             * @description What happened, for a person to read. The wording can change.
             * @example The plan's monthly quota is reached. Ask the operator of this service for a larger plan.
             */
            message: string;
            /** @description What the code alone does not say. */
            details: {
                /**
                 * @description How many verifications can be started in a month.
                 * @example 10000
                 */
                limit: number;
                /**
                 * @description How many were started, or are being started, in this month.
                 * @example 10000
                 */
                used: number;
                /**
                 * Format: date-time
                 * @description When the next month begins, in UTC, and usage is 0 again.
                 * @example 2026-12-01T00:00:00.000Z
                 */
                resetsAt: string;
                /**
                 * @description Seconds until `resetsAt`; the same as `Retry-After`. Do not wait for it: change the plan or its limits.
                 * @example 777600
                 */
                retryAfterSeconds: number;
            };
            /**
             * Format: uuid
             * @description The same as the header `x-request-id`.
             * @example 7cf9b0dc-1e3d-4699-8944-a4bcfb141e31
             */
            requestId: string;
        };
        /** @description The plan's absolute usage ceiling is reached. Ask the operator of this service for a larger plan. */
        HardLimitExceededError: {
            /**
             * @description The code, for your program to handle. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            error: "HARD_LIMIT_EXCEEDED";
            /**
             * @description What happened, for a person to read. The wording can change.
             * @example The plan's absolute usage ceiling is reached. Ask the operator of this service for a larger plan.
             */
            message: string;
            /** @description What the code alone does not say. */
            details: {
                /**
                 * @description How many verifications can be started in a month.
                 * @example 10000
                 */
                limit: number;
                /**
                 * @description How many were started, or are being started, in this month.
                 * @example 10000
                 */
                used: number;
                /**
                 * Format: date-time
                 * @description When the next month begins, in UTC, and usage is 0 again.
                 * @example 2026-12-01T00:00:00.000Z
                 */
                resetsAt: string;
                /**
                 * @description Seconds until `resetsAt`; the same as `Retry-After`. Do not wait for it: change the plan or its limits.
                 * @example 777600
                 */
                retryAfterSeconds: number;
            };
            /**
             * Format: uuid
             * @description The same as the header `x-request-id`.
             * @example 7cf9b0dc-1e3d-4699-8944-a4bcfb141e31
             */
            requestId: string;
        };
        /** @description An unexpected error occurred. Retry later; quote the requestId if it persists. */
        InternalError: {
            /**
             * @description The code, for your program to handle. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            error: "INTERNAL_ERROR";
            /**
             * @description What happened, for a person to read. The wording can change.
             * @example An unexpected error occurred. Retry later; quote the requestId if it persists.
             */
            message: string;
            /** @description What the code alone does not say. */
            details?: {
                /**
                 * @description Present if the identity provider could not be reached, or refused.
                 * @example identity_provider
                 * @constant
                 */
                dependency?: "identity_provider";
                /**
                 * @description `overloaded`: the request was rejected before anything was done for it, so it is safe to repeat. `shutting_down`: the process ended before the request did, which may have been carried out.
                 * @example overloaded
                 * @enum {string}
                 */
                reason?: "overloaded" | "shutting_down";
                /**
                 * @description How long to wait before a retry, in seconds; the same as `Retry-After`.
                 * @example 27
                 */
                retryAfterSeconds?: number;
            };
            /**
             * Format: uuid
             * @description The same as the header `x-request-id`.
             * @example 7cf9b0dc-1e3d-4699-8944-a4bcfb141e31
             */
            requestId: string;
        };
        /** @description A database operation failed. Retry later. */
        DatabaseError: {
            /**
             * @description The code, for your program to handle. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            error: "DATABASE_ERROR";
            /**
             * @description What happened, for a person to read. The wording can change.
             * @example A database operation failed. Retry later.
             */
            message: string;
            /**
             * Format: uuid
             * @description The same as the header `x-request-id`.
             * @example 7cf9b0dc-1e3d-4699-8944-a4bcfb141e31
             */
            requestId: string;
        };
        /** @description The cache service is unavailable. Retry later. */
        RedisError: {
            /**
             * @description The code, for your program to handle.
             * @example REDIS_ERROR
             * @constant
             */
            error: "REDIS_ERROR";
            /**
             * @description What happened, for a person to read. The wording can change.
             * @example The cache service is unavailable. Retry later.
             */
            message: string;
            /**
             * Format: uuid
             * @description The same as the header `x-request-id`.
             * @example 7cf9b0dc-1e3d-4699-8944-a4bcfb141e31
             */
            requestId: string;
        };
        /** @description A verification and its result. */
        VerificationStatus: {
            /**
             * Format: uuid
             * @description The identifier that start returned.
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1
             */
            verificationId: string;
            /**
             * @description `pending`: the end user has not opened the hosted flow. `started`: they have. `submitted`: the identity provider is processing what they submitted. `resubmission`: they have to submit again. `approved`: the identity check passed, which does not mean 18 or over: see `over18`. `denied`: it failed. `rejected`: the session expired or was abandoned. The status is final once `completedAt` is set.
             * @example approved
             * @enum {string}
             */
            status: "pending" | "started" | "submitted" | "approved" | "denied" | "resubmission" | "rejected";
            /**
             * @description The score that the identity provider gave its decision, whatever the decision is; 1 (`approved`) or 0 (others) where it sends none. Null until the verification is completed.
             * @example 0.98
             */
            confidence: number | null;
            /**
             * @description Whether the person is 18 or over; null if the age could not be confirmed, and once the token is revoked. Admit the person only if it is `true`: `approved` alone does not mean 18 or over. Present once the verification is completed, and kept when the token has expired.
             * @example true
             */
            over18?: boolean | null;
            /**
             * Format: date-time
             * @description When the verification was started, in UTC.
             * @example 2026-01-31T11:58:12.431Z
             */
            createdAt: string;
            /**
             * @description When the verification was completed, in UTC. Null until then.
             * @example 2026-01-31T12:00:00.000Z
             */
            completedAt: string | null;
            /**
             * @description The signed age token. Present once the verification is approved, also for a minor, until it is revoked.
             * @example eyJhbGciOiJFUzI1NiJ9.eyJvdmVyMTgiOnRydWV9.c2lnbmF0dXJl
             */
            token?: string;
            /**
             * Format: date-time
             * @description When the token was revoked, or its signing key was reported as compromised, in UTC: the person must not be admitted any more. Present once the token is revoked; `status`, `confidence` and `completedAt` stay as they are.
             * @example 2026-02-03T09:15:30.250Z
             */
            tokenRevokedAt?: string;
        };
        /** @description No verification matches the verificationId. */
        VerificationNotFoundError: {
            /**
             * @description The code, for your program to handle.
             * @example VERIFICATION_NOT_FOUND
             * @constant
             */
            error: "VERIFICATION_NOT_FOUND";
            /**
             * @description What happened, for a person to read. The wording can change.
             * @example No verification matches the verificationId.
             */
            message: string;
            /**
             * Format: uuid
             * @description The same as the header `x-request-id`.
             * @example 7cf9b0dc-1e3d-4699-8944-a4bcfb141e31
             */
            requestId: string;
        };
        /** @description The verification has already reached a terminal status. Read it with GET /verify/status. */
        VerificationAlreadyCompletedError: {
            /**
             * @description The code, for your program to handle. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            error: "VERIFICATION_ALREADY_COMPLETED";
            /**
             * @description What happened, for a person to read. The wording can change.
             * @example The verification has already reached a terminal status. Read it with GET /verify/status.
             */
            message: string;
            /**
             * Format: uuid
             * @description The same as the header `x-request-id`.
             * @example 7cf9b0dc-1e3d-4699-8944-a4bcfb141e31
             */
            requestId: string;
        };
        /** @description A verification is completed by the identity provider only; wait for the webhook or poll the status. */
        VerificationMustUseWebhookError: {
            /**
             * @description The code, for your program to handle. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            error: "VERIFICATION_MUST_USE_WEBHOOK";
            /**
             * @description What happened, for a person to read. The wording can change.
             * @example A verification is completed by the identity provider only; wait for the webhook or poll the status.
             */
            message: string;
            /**
             * Format: uuid
             * @description The same as the header `x-request-id`.
             * @example 7cf9b0dc-1e3d-4699-8944-a4bcfb141e31
             */
            requestId: string;
        };
        /** @description The result of validating a token. */
        TokenValidation: {
            /**
             * @description Whether the token is valid.
             * @example true
             */
            valid: boolean;
            /**
             * @description Whether the person is 18 or over. False for an invalid token.
             * @example true
             */
            over18: boolean;
            /**
             * @description `OK`, or why the token is not valid: it is past its expiry, it was revoked, it is not a token of your tenant, or the person is not known to be 18 or over.
             * @example OK
             * @enum {string}
             */
            reason: "OK" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "TOKEN_NOT_FOUND" | "UNDERAGE_OR_UNKNOWN";
        };
        /** @description A JWK Set (RFC 7517). */
        KeySet: {
            /** @description The keys, newest first. */
            keys: components["schemas"]["PublicKey"][];
        };
        /** @description A public key that verifies age tokens. */
        PublicKey: {
            /**
             * @description Key type.
             * @example EC
             */
            kty: string;
            /**
             * @description Curve.
             * @example P-256
             */
            crv: string;
            /**
             * @description x coordinate of the point, base64url.
             * @example f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU
             */
            x: string;
            /**
             * @description y coordinate of the point, base64url.
             * @example x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0
             */
            y: string;
            /**
             * @description Key id, the same as in the header of the tokens that it signed.
             * @example x1Zq0mYtB3s
             */
            kid: string;
            /**
             * @description What the key is used for.
             * @example sig
             */
            use: string;
            /**
             * @description Signature algorithm.
             * @example ES256
             */
            alg: string;
        };
        /** @description No route matches the request. */
        RouteNotFoundError: {
            /**
             * @description The code, for your program to handle.
             * @example ROUTE_NOT_FOUND
             * @constant
             */
            error: "ROUTE_NOT_FOUND";
            /**
             * @description What happened, for a person to read. The wording can change.
             * @example No route matches the request.
             */
            message: string;
            /** @description What the code alone does not say. */
            details?: {
                /**
                 * @description The methods of the path, which exists with another method.
                 * @example [
                 *       "POST"
                 *     ]
                 */
                allowedMethods: ("GET" | "POST")[];
            };
            /**
             * Format: uuid
             * @description The same as the header `x-request-id`.
             * @example 7cf9b0dc-1e3d-4699-8944-a4bcfb141e31
             */
            requestId: string;
        };
        /** @description The request accepts none of the media types that the service can send. */
        NotAcceptableError: {
            /**
             * @description The code, for your program to handle.
             * @example NOT_ACCEPTABLE
             * @constant
             */
            error: "NOT_ACCEPTABLE";
            /**
             * @description What happened, for a person to read. The wording can change.
             * @example The request accepts none of the media types that the service can send.
             */
            message: string;
            /**
             * Format: uuid
             * @description The same as the header `x-request-id`.
             * @example 7cf9b0dc-1e3d-4699-8944-a4bcfb141e31
             */
            requestId: string;
        };
        /** @description The service does not support what the request asks for. */
        NotImplementedError: {
            /**
             * @description The code, for your program to handle.
             * @example NOT_IMPLEMENTED
             * @constant
             */
            error: "NOT_IMPLEMENTED";
            /**
             * @description What happened, for a person to read. The wording can change.
             * @example The service does not support what the request asks for.
             */
            message: string;
            /**
             * Format: uuid
             * @description The same as the header `x-request-id`.
             * @example 7cf9b0dc-1e3d-4699-8944-a4bcfb141e31
             */
            requestId: string;
        };
    };
    responses: {
        /**
         * @description `INVALID_PARAMETERS`: A parameter is missing or invalid.
         *
         *     `INVALID_REQUEST_BODY`: The request body is malformed or has unknown or invalid fields.
         */
        BadRequest: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfCounted"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfCounted"];
                "X-RateLimit-Reset": components["headers"]["RateLimitResetIfCounted"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidParametersError"] | components["schemas"]["InvalidRequestBodyError"];
            };
        };
        /**
         * @description `UNAUTHENTICATED_TENANT`: The API key is missing, invalid, expired or revoked.
         *
         *     `TENANT_INACTIVE`: The tenant account is disabled. Contact the operator of this service.
         */
        Unauthorized: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnauthenticatedTenantError"] | components["schemas"]["TenantInactiveError"];
            };
        };
        /** @description `BILLING_INACTIVE`: The subscription is inactive. Contact the operator of this service. */
        BillingInactive: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BillingInactiveError"];
            };
        };
        /** @description `FORBIDDEN`: The credentials are valid but do not permit this. */
        Forbidden: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfCounted"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfCounted"];
                "X-RateLimit-Reset": components["headers"]["RateLimitResetIfCounted"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ForbiddenError"];
            };
        };
        /**
         * @description `INTERNAL_ERROR`: An unexpected error occurred. Retry later; quote the requestId if it persists.
         *
         *     `DATABASE_ERROR`: A database operation failed. Retry later.
         */
        InternalServerError: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfterIfKnown"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfCounted"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfCounted"];
                "X-RateLimit-Reset": components["headers"]["RateLimitResetIfCounted"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InternalError"] | components["schemas"]["DatabaseError"];
            };
        };
        /** @description `REDIS_ERROR`: The cache service is unavailable. Retry later. */
        RedisError: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RedisError"];
            };
        };
        /** @description `VERIFICATION_NOT_FOUND`: No verification matches the verificationId. */
        VerificationNotFound: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["VerificationNotFoundError"];
            };
        };
        /** @description `RATE_LIMIT_EXCEEDED`: Too many requests in the current window. Retry after the given delay. */
        RateLimitExceeded: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfCounted"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfCounted"];
                "X-RateLimit-Reset": components["headers"]["RateLimitResetIfCounted"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RateLimitExceededError"];
            };
        };
        /**
         * @description `INVALID_PARAMETERS`: A parameter is missing or invalid.
         *
         *     `INVALID_REQUEST_BODY`: The request body is malformed or has unknown or invalid fields.
         *
         *     `VERIFICATION_ALREADY_COMPLETED`: The verification has already reached a terminal status. Read it with GET /verify/status.
         */
        BadRequestOrVerificationAlreadyCompleted: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfCounted"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfCounted"];
                "X-RateLimit-Reset": components["headers"]["RateLimitResetIfCounted"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidParametersError"] | components["schemas"]["InvalidRequestBodyError"] | components["schemas"]["VerificationAlreadyCompletedError"];
            };
        };
        /** @description `INVALID_PARAMETERS`: A parameter is missing or invalid. */
        PublicInvalidParameters: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidParametersError"];
            };
        };
        /**
         * @description `INTERNAL_ERROR`: An unexpected error occurred. Retry later; quote the requestId if it persists.
         *
         *     `DATABASE_ERROR`: A database operation failed. Retry later.
         */
        PublicInternalServerError: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfterIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InternalError"] | components["schemas"]["DatabaseError"];
            };
        };
        /** @description `ROUTE_NOT_FOUND`: No route matches the request. */
        PublicRouteNotFound: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RouteNotFoundError"];
            };
        };
        /** @description `NOT_ACCEPTABLE`: The request accepts none of the media types that the service can send. */
        PublicNotAcceptable: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotAcceptableError"];
            };
        };
        /** @description `NOT_IMPLEMENTED`: The service does not support what the request asks for. */
        PublicNotImplemented: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotImplementedError"];
            };
        };
    };
    parameters: {
        /** @description Makes retries safe. Any unique value, 1 to 255 visible ASCII characters. */
        IdempotencyKey: string;
        /** @description The identifier that start returned. */
        VerificationId: string;
        /** @description The identifier that start returned. */
        TestVerificationId: string;
        /** @description HMAC-SHA256 of the raw body with your webhook secret, in lower-case hex. */
        WebhookSignature: string;
        /** @description The type of the event, the same as `event` in the body. */
        WebhookEvent: "verification.completed";
    };
    requestBodies: never;
    headers: {
        /** @description Identifies the request. Quote it when you contact support. */
        RequestId: string;
        /** @description Requests allowed in the current window of one minute. */
        RateLimitLimit: number;
        /** @description Requests remaining in the current window. */
        RateLimitRemaining: number;
        /** @description When the window resets, as a Unix timestamp in seconds. */
        RateLimitReset: number;
        /** @description Requests allowed in the current window of one minute. Present if the request was counted. */
        RateLimitLimitIfCounted: number;
        /** @description Requests remaining in the current window. Present if the request was counted. */
        RateLimitRemainingIfCounted: number;
        /** @description When the window resets, as a Unix timestamp in seconds. Present if the request was counted. */
        RateLimitResetIfCounted: number;
        /** @description Seconds to wait before retrying. */
        RetryAfter: number;
        /** @description Seconds to wait before retrying. Present while the service is overloaded or shuts down, while the identity provider limits starts, and for a repeated start whose first request has failed or is still running. */
        RetryAfterIfKnown: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    startVerification: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe. Any unique value, 1 to 255 visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description User agent string of the end user's browser.
                     * @example Mozilla/5.0 (X11; Linux x86_64; rv:147.0) Gecko/20100101 Firefox/147.0
                     */
                    userAgent?: string;
                    /**
                     * @description IPv4 or IPv6 address of the end user.
                     * @example 203.0.113.9
                     */
                    ip?: string;
                };
            };
        };
        responses: {
            /** @description The session. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    /** @description Present if this is the response to an earlier request with the same `Idempotency-Key`. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedVerification"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["BillingInactive"];
            403: components["responses"]["Forbidden"];
            /**
             * @description `RATE_LIMIT_EXCEEDED`: Too many requests in the current window. Retry after the given delay.
             *
             *     `QUOTA_EXCEEDED`: The plan's monthly quota is reached. Ask the operator of this service for a larger plan.
             *
             *     `HARD_LIMIT_EXCEEDED`: The plan's absolute usage ceiling is reached. Ask the operator of this service for a larger plan.
             */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfCounted"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfCounted"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitResetIfCounted"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededError"] | components["schemas"]["QuotaExceededError"] | components["schemas"]["HardLimitExceededError"];
                };
            };
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["RedisError"];
        };
    };
    getVerificationStatus: {
        parameters: {
            query: {
                /** @description The identifier that start returned. */
                verificationId: components["parameters"]["VerificationId"];
                /** @description How long to wait for a change, in whole seconds: long polling. The response comes as soon as the status is another one than at the request, or with the unchanged status at the end of the wait; it can come earlier. For a completed verification it comes at once. The request counts once in the rate limit. Too many requests that wait at the same time are rejected with 429 `RATE_LIMIT_EXCEEDED` and `Retry-After`. */
                wait?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The status. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerificationStatus"];
                };
            };
            /** @description `INVALID_PARAMETERS`: A parameter is missing or invalid. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfCounted"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfCounted"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitResetIfCounted"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidParametersError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["BillingInactive"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["VerificationNotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["RedisError"];
        };
    };
    submitVerification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The identifier that start returned.
                     * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1
                     */
                    verificationId: string;
                };
            };
        };
        responses: {
            /** @description The status as it is. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerificationStatus"];
                };
            };
            400: components["responses"]["BadRequestOrVerificationAlreadyCompleted"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["BillingInactive"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["VerificationNotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["RedisError"];
        };
    };
    completeVerification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /**
             * @description `INVALID_PARAMETERS`: A parameter is missing or invalid.
             *
             *     `VERIFICATION_MUST_USE_WEBHOOK`: A verification is completed by the identity provider only; wait for the webhook or poll the status.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfCounted"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfCounted"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitResetIfCounted"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidParametersError"] | components["schemas"]["VerificationMustUseWebhookError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["BillingInactive"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["RedisError"];
        };
    };
    validateToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The token to validate, from the status of a verification.
                     * @example eyJhbGciOiJFUzI1NiJ9.eyJvdmVyMTgiOnRydWV9.c2lnbmF0dXJl
                     */
                    token: string;
                };
            };
        };
        responses: {
            /** @description The result, also for an invalid, expired or revoked token. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenValidation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["BillingInactive"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["RedisError"];
        };
    };
    getJwks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key set. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description How long the response may be reused. */
                    "Cache-Control": "public, max-age=60";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeySet"];
                };
            };
            400: components["responses"]["PublicInvalidParameters"];
            500: components["responses"]["PublicInternalServerError"];
        };
    };
    getTokenStatusList: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the content that you have. The response is 304 if it has not changed. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The number of the list, as in the `uri` of the token. */
                list: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The list. Its claims are `iss`, `sub` (its own address), `iat`, `exp`, `ttl` (seconds) and `status_list`, with `bits` (1) and `lst`, the list as a bit array that is compressed with zlib and encoded in base64url. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description How long the response may be reused. */
                    "Cache-Control": "public, max-age=300";
                    /** @description Identifies this content. */
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/statuslist+jwt": string;
                };
            };
            /** @description Unchanged, with this `ETag`. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description How long the response may be reused. */
                    "Cache-Control": "public, max-age=300";
                    /** @description Identifies this content. */
                    ETag: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["PublicInvalidParameters"];
            404: components["responses"]["PublicRouteNotFound"];
            406: components["responses"]["PublicNotAcceptable"];
            500: components["responses"]["PublicInternalServerError"];
            501: components["responses"]["PublicNotImplemented"];
        };
    };
    chooseTestOutcome: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The identifier that start returned. */
                id: components["parameters"]["TestVerificationId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description `adult`: approved, 34 years old. `minor`: approved, 15 years old. `unknown_age`: approved, without a date of birth. `denied`: known fraud. `resubmission`: the pictures were too poor; the same `sessionUrl` begins a new attempt. `in_review`: somebody has to look at it, which has the status `submitted`. `expired`: rejected, never opened. `abandoned`: rejected, left without completing. `provider_down`: the provider answers no request about this verification until another outcome is chosen.
                     * @example minor
                     * @enum {string}
                     */
                    outcome: "adult" | "minor" | "unknown_age" | "denied" | "resubmission" | "in_review" | "expired" | "abandoned" | "provider_down";
                    /**
                     * @description Why, for `denied` and `resubmission`, as the dashboard shows it. By default `106`, known fraud, and `204`, poor pictures.
                     * @example 102
                     */
                    reasonCode?: string;
                    /**
                     * @description Whether the provider’s callback is lost. The outcome is then found by polling: seconds after `POST /verify/submit`, or else within an hour.
                     * @default false
                     * @example false
                     */
                    lostCallback?: boolean;
                };
            };
        };
        responses: {
            /** @description The status after that. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerificationStatus"];
                };
            };
            400: components["responses"]["BadRequestOrVerificationAlreadyCompleted"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["BillingInactive"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["VerificationNotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["RedisError"];
        };
    };
    getTestJwks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key set. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description How long the response may be reused. */
                    "Cache-Control": "public, max-age=60";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeySet"];
                };
            };
            400: components["responses"]["PublicInvalidParameters"];
            500: components["responses"]["PublicInternalServerError"];
        };
    };
    getTestTokenStatusList: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the content that you have. The response is 304 if it has not changed. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The number of the list, as in the `uri` of the token. */
                list: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The list. Its claims are `iss`, `sub` (its own address), `iat`, `exp`, `ttl` (seconds) and `status_list`, with `bits` (1) and `lst`, the list as a bit array that is compressed with zlib and encoded in base64url. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description How long the response may be reused. */
                    "Cache-Control": "public, max-age=300";
                    /** @description Identifies this content. */
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/statuslist+jwt": string;
                };
            };
            /** @description Unchanged, with this `ETag`. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description How long the response may be reused. */
                    "Cache-Control": "public, max-age=300";
                    /** @description Identifies this content. */
                    ETag: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["PublicInvalidParameters"];
            404: components["responses"]["PublicRouteNotFound"];
            406: components["responses"]["PublicNotAcceptable"];
            500: components["responses"]["PublicInternalServerError"];
            501: components["responses"]["PublicNotImplemented"];
        };
    };
    verificationCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description HMAC-SHA256 of the raw body with your webhook secret, in lower-case hex. */
                "X-Webhook-Signature": components["parameters"]["WebhookSignature"];
                /** @description The type of the event, the same as `event` in the body. */
                "X-Webhook-Event": components["parameters"]["WebhookEvent"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description Exactly the bytes that are signed. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerificationCompletedEvent"];
            };
        };
        responses: {
            /** @description Received. The body of the response is ignored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt has failed; it is repeated up to twice. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
