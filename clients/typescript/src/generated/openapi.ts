// Generated from openapi.json: npm run sdk-types

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
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
             * @description The code, for your program to handle.
             * @example INVALID_PARAMETERS
             * @constant
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
             * @description The code, for your program to handle.
             * @example INVALID_REQUEST_BODY
             * @constant
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
             * @description The code, for your program to handle.
             * @example UNAUTHENTICATED_TENANT
             * @constant
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
             * @description The code, for your program to handle.
             * @example TENANT_INACTIVE
             * @constant
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
             * @description The code, for your program to handle.
             * @example RATE_LIMIT_EXCEEDED
             * @constant
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
             * @description The code, for your program to handle.
             * @example QUOTA_EXCEEDED
             * @constant
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
             * @description The code, for your program to handle.
             * @example HARD_LIMIT_EXCEEDED
             * @constant
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
             * @description The code, for your program to handle.
             * @example INTERNAL_ERROR
             * @constant
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
             * @description The code, for your program to handle.
             * @example DATABASE_ERROR
             * @constant
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
             * @description The code, for your program to handle.
             * @example VERIFICATION_ALREADY_COMPLETED
             * @constant
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
        /** @description Verifications that were completed or revoked. */
        VerificationChanges: {
            /** @description In the order of their last change. */
            items: components["schemas"]["VerificationChange"][];
            /**
             * @description The next `after`, also if there are no items.
             * @example 1764403200000-cfd45d2b
             */
            next: string;
            /**
             * Format: date-time
             * @description Only where retention has deleted changes that follow `after`, before you asked for them: the time of the last one. It is said once, because `next` is behind it. Ask for the status of what you have started before it.
             * @example 2026-01-31T12:00:00.000Z
             */
            missedBefore?: string;
        };
        /** @description A completed verification, as its last change left it. */
        VerificationChange: {
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
             * Format: date-time
             * @description When the token was revoked, or its signing key was reported as compromised, in UTC: the person must not be admitted any more. Present once the token is revoked; `status`, `confidence` and `completedAt` stay as they are.
             * @example 2026-02-03T09:15:30.250Z
             */
            tokenRevokedAt?: string;
            /**
             * Format: date-time
             * @description When the verification was completed or, if that was later, its token was revoked, in UTC. The order of the list is that of the commits, from which this can differ.
             * @example 2026-01-31T12:00:00.000Z
             */
            updatedAt: string;
        };
        /** @description A verification is completed by the identity provider only; wait for the webhook or poll the status. */
        VerificationMustUseWebhookError: {
            /**
             * @description The code, for your program to handle.
             * @example VERIFICATION_MUST_USE_WEBHOOK
             * @constant
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
        /** @description Requests with webhook events. */
        TestEvents: {
            /**
             * @description Oldest first, 20 at most.
             * @example [
             *       {
             *         "id": "17",
             *         "at": "2026-01-31T12:00:00.000Z",
             *         "attempt": 1,
             *         "url": null,
             *         "headers": {
             *           "Content-Type": "application/json",
             *           "User-Agent": "age-verification-service",
             *           "X-Webhook-Event": "verification.completed",
             *           "X-Webhook-Signature": "eced76f90f7e73da74de9f5e5994712e9303ffd1f7084fd4be25a75e63cec6be"
             *         },
             *         "body": "{\"event\":\"verification.completed\",\"tenantId\":\"019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b0\",\"data\":{\"verificationId\":\"019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1\",\"status\":\"approved\",\"confidence\":0.98,\"provider\":\"veriff\"},\"timestamp\":\"2026-01-31T12:00:00.000Z\"}"
             *       }
             *     ]
             */
            events: {
                /**
                 * @description Identifies it among those of your tenant.
                 * @example 17
                 */
                id: string;
                /**
                 * Format: date-time
                 * @description When the attempt began, in UTC.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                at: string;
                /**
                 * @description The number of the attempt.
                 * @example 1
                 */
                attempt: number;
                /**
                 * @description The webhook URL of that moment. Null if there was none: then there is no other attempt.
                 * @example https://shop.example/webhooks
                 */
                url: string | null;
                /**
                 * @description Those of the request that are not about its connection, the signature among them.
                 * @example {
                 *       "Content-Type": "application/json",
                 *       "User-Agent": "age-verification-service",
                 *       "X-Webhook-Event": "verification.completed",
                 *       "X-Webhook-Signature": "eced76f90f7e73da74de9f5e5994712e9303ffd1f7084fd4be25a75e63cec6be"
                 *     }
                 */
                headers: Record<string, never>;
                /**
                 * @description Exactly the text that is signed, in UTF-8.
                 * @example {"event":"verification.completed","tenantId":"019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b0","data":{"verificationId":"019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1","status":"approved","confidence":0.98,"provider":"veriff"},"timestamp":"2026-01-31T12:00:00.000Z"}
                 */
                body: string;
            }[];
            /**
             * @description The next `after`, also if there are no events.
             * @example 17
             */
            next: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
