// The console API of the Age Verification Service, for clients of @trpc/client 11. It needs the types of @trpc/server.
// Generated from console-api: npm run console-types

export interface ConsoleErrorData {
  code: string
  httpStatus: number
  /** The called procedure; undefined if the request could not be parsed. */
  path: string | undefined
  error: 'UNAUTHENTICATED_TENANT' | 'FORBIDDEN' | 'INVALID_REQUEST_BODY' | 'INVALID_PARAMETERS' | 'ROUTE_NOT_FOUND' | 'VERIFICATION_NOT_FOUND' | 'VERIFICATION_ALREADY_COMPLETED' | 'VERIFICATION_MUST_USE_WEBHOOK' | 'RATE_LIMIT_EXCEEDED' | 'QUOTA_EXCEEDED' | 'HARD_LIMIT_EXCEEDED' | 'BILLING_INACTIVE' | 'TENANT_INACTIVE' | 'NOT_PROVISIONED' | 'TENANT_NOT_PROVISIONED' | 'INTERNAL_ERROR' | 'DATABASE_ERROR' | 'NOT_ACCEPTABLE' | 'NOT_IMPLEMENTED' | 'REDIS_ERROR'
  requestId: string | undefined
  details: Record<string, unknown> | undefined
}

/** All procedures of the console, by noun. */
export declare const consoleRouter: import("@trpc/server").TRPCBuiltRouter<{
    ctx: object;
    meta: { right: string };
    errorShape: {
        message: string;
        code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
        data: ConsoleErrorData;
    };
    transformer: false;
}, import("@trpc/server").TRPCDecorateCreateRouterOptions<{
    session: import("@trpc/server").TRPCBuiltRouter<{
        ctx: object;
        meta: { right: string };
        errorShape: {
            message: string;
            code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
            data: ConsoleErrorData;
        };
        transformer: false;
    }, import("@trpc/server").TRPCDecorateCreateRouterOptions<{
        me: import("@trpc/server").TRPCQueryProcedure<{
            input: Record<string, never> | undefined;
            output: {
                subject: string;
                name: string | null;
                email: string | null;
                memberships: {
                    tenantId: string;
                    tenantName: string;
                    role: "developer" | "owner" | "viewer";
                    rights: ("keys" | "members" | "read" | "settings" | "tenant" | "tokens")[];
                    enabled: boolean;
                    test: boolean;
                }[];
                nextMemberships: string | null;
                storedProfile: {
                    name: string | null;
                    email: string | null;
                } | null;
                provisioning: "closed" | "limit_reached" | "open";
                testTenants: "allowed" | "off" | "only";
                standing: {
                    tenantId: string;
                    subscription: "active" | "inactive";
                    usage: {
                        used: number;
                        monthlyQuota: number;
                        hardLimit: number;
                        overage: boolean;
                        resetsAt: string;
                        startsPerDay: number;
                        projectedEndAt: string | null;
                    };
                    members: number;
                    failingDeliveries: {
                        description: string;
                        remedy: string;
                        at: string;
                        events: number;
                    } | null;
                } | null;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        memberships: import("@trpc/server").TRPCQueryProcedure<{
            input: {
                limit?: number | undefined;
                cursor?: string | null | undefined;
                direction?: "forward" | undefined;
            } | undefined;
            output: {
                items: {
                    tenantId: string;
                    tenantName: string;
                    role: "developer" | "owner" | "viewer";
                    rights: ("keys" | "members" | "read" | "settings" | "tenant" | "tokens")[];
                    enabled: boolean;
                    test: boolean;
                }[];
                nextCursor: string | null;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        saveProfile: import("@trpc/server").TRPCMutationProcedure<{
            input: {
                idToken: string;
            };
            output: {
                name: string | null;
                email: string | null;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        invitation: import("@trpc/server").TRPCMutationProcedure<{
            input: {
                code: string;
            };
            output: {
                tenantName: string;
                role: "developer" | "owner" | "viewer";
                inviter: string;
                inviterName: string | null;
                expiresAt: string;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        acceptInvitation: import("@trpc/server").TRPCMutationProcedure<{
            input: {
                code: string;
            };
            output: {
                tenantId: string;
                role: "developer" | "owner" | "viewer";
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
    }>>;
    tenant: import("@trpc/server").TRPCBuiltRouter<{
        ctx: object;
        meta: { right: string };
        errorShape: {
            message: string;
            code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
            data: ConsoleErrorData;
        };
        transformer: false;
    }, import("@trpc/server").TRPCDecorateCreateRouterOptions<{
        provision: import("@trpc/server").TRPCMutationProcedure<{
            input: {
                name: string;
                test?: boolean | undefined;
            };
            output: {
                tenantId: string;
                name: string;
                enabled: boolean;
                plan: string;
                subscription: "active" | "inactive";
                test: boolean;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        get: import("@trpc/server").TRPCQueryProcedure<{
            input: Record<string, never> | undefined;
            output: {
                tenantId: string;
                name: string;
                enabled: boolean;
                plan: string;
                subscription: "active" | "inactive";
                test: boolean;
                retentionDays: number;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        onboarding: import("@trpc/server").TRPCQueryProcedure<{
            input: Record<string, never> | undefined;
            output: {
                apiKey: {
                    createdAt: string;
                } | null;
                keyUsedAt: string | null;
                firstVerification: {
                    verificationId: string;
                    status: "approved" | "denied" | "pending" | "rejected" | "resubmission" | "started" | "submitted";
                    createdAt: string;
                } | null;
                firstCompletedAt: string | null;
                statusReadAt: string | null;
                tokenValidatedAt: string | null;
                webhookUrlSet: boolean;
                webhookAcceptedAt: string | null;
                webhookFailure: {
                    description: string;
                    remedy: string;
                    at: string;
                } | null;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        update: import("@trpc/server").TRPCMutationProcedure<{
            input: {
                name: string;
                expectedName?: string | undefined;
            };
            output: {
                tenantId: string;
                name: string;
                enabled: boolean;
                plan: string;
                subscription: "active" | "inactive";
                test: boolean;
                retentionDays: number;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
    }>>;
    members: import("@trpc/server").TRPCBuiltRouter<{
        ctx: object;
        meta: { right: string };
        errorShape: {
            message: string;
            code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
            data: ConsoleErrorData;
        };
        transformer: false;
    }, import("@trpc/server").TRPCDecorateCreateRouterOptions<{
        list: import("@trpc/server").TRPCQueryProcedure<{
            input: {
                limit?: number | undefined;
                cursor?: string | null | undefined;
                direction?: "forward" | undefined;
                search?: string | undefined;
            } | undefined;
            output: {
                items: {
                    subject: string;
                    issuer: string;
                    role: "developer" | "owner" | "viewer";
                    addedAt: string;
                    lastSeenAt: string | null;
                    name: string | null;
                    email: string | null;
                    isCaller: boolean;
                }[];
                nextCursor: string | null;
                requiredOwner: {
                    subject: string;
                    issuer: string;
                } | null;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        setRole: import("@trpc/server").TRPCMutationProcedure<{
            input: {
                subject: string;
                role: "developer" | "owner" | "viewer";
            };
            output: {
                subject: string;
                issuer: string;
                role: "developer" | "owner" | "viewer";
                addedAt: string;
                lastSeenAt: string | null;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        remove: import("@trpc/server").TRPCMutationProcedure<{
            input: {
                subject: string;
                issuer?: string | undefined;
            };
            output: {
                subject: string;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        leave: import("@trpc/server").TRPCMutationProcedure<{
            input: Record<string, never> | undefined;
            output: {
                tenantId: string;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        invite: import("@trpc/server").TRPCMutationProcedure<{
            input: {
                role: "developer" | "owner" | "viewer";
                validForDays?: number | undefined;
                note?: string | undefined;
            };
            output: {
                invitationId: string;
                role: "developer" | "owner" | "viewer";
                note: string | null;
                inviter: string;
                createdAt: string;
                expiresAt: string;
                code: string;
                url: string;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        listInvitations: import("@trpc/server").TRPCQueryProcedure<{
            input: Record<string, never> | undefined;
            output: {
                items: {
                    invitationId: string;
                    role: "developer" | "owner" | "viewer";
                    note: string | null;
                    inviter: string;
                    createdAt: string;
                    expiresAt: string;
                    inviterName: string | null;
                }[];
                nextCursor: string | null;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        revokeInvitation: import("@trpc/server").TRPCMutationProcedure<{
            input: {
                invitationId: string;
            };
            output: {
                invitationId: string;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
    }>>;
    apiKeys: import("@trpc/server").TRPCBuiltRouter<{
        ctx: object;
        meta: { right: string };
        errorShape: {
            message: string;
            code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
            data: ConsoleErrorData;
        };
        transformer: false;
    }, import("@trpc/server").TRPCDecorateCreateRouterOptions<{
        list: import("@trpc/server").TRPCQueryProcedure<{
            input: {
                limit?: number | undefined;
                cursor?: string | null | undefined;
                direction?: "forward" | undefined;
                state?: "ended" | "live" | undefined;
            } | undefined;
            output: {
                items: {
                    apiKeyId: string;
                    name: string;
                    displayStart: string;
                    scopes: ("tokens:validate" | "verifications:read" | "verifications:write")[];
                    state: "active" | "expired" | "revoked";
                    createdAt: string;
                    lastUsedAt: string | null;
                    expiresAt: string | null;
                    revokedAt: string | null;
                    createdBy: {
                        kind: "member" | "operator";
                        issuer: string | null;
                        subject: string | null;
                        name: string | null;
                        isMember: boolean;
                    } | null;
                    requests30Days: number;
                    rateLimited30Days: number;
                    clientErrors30Days: number;
                    dailyRequests?: number[] | undefined;
                }[];
                nextCursor: string | null;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        get: import("@trpc/server").TRPCQueryProcedure<{
            input: {
                apiKeyId: string;
            };
            output: {
                apiKeyId: string;
                name: string;
                displayStart: string;
                scopes: ("tokens:validate" | "verifications:read" | "verifications:write")[];
                state: "active" | "expired" | "revoked";
                createdAt: string;
                lastUsedAt: string | null;
                expiresAt: string | null;
                revokedAt: string | null;
                createdBy: {
                    kind: "member" | "operator";
                    issuer: string | null;
                    subject: string | null;
                    name: string | null;
                    isMember: boolean;
                } | null;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        usage: import("@trpc/server").TRPCQueryProcedure<{
            input: {
                apiKeyId: string;
                from?: string | undefined;
                to?: string | undefined;
            };
            output: {
                items: {
                    day: string;
                    starts: number;
                    statusReads: number;
                    submits: number;
                    completes: number;
                    validations: number;
                    rateLimited: number;
                    clientErrors: number;
                }[];
                nextCursor: string | null;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        create: import("@trpc/server").TRPCMutationProcedure<{
            input: {
                name: string;
                scopes?: ("tokens:validate" | "verifications:read" | "verifications:write")[] | undefined;
                expiresAt?: string | null | undefined;
            };
            output: {
                apiKeyId: string;
                name: string;
                displayStart: string;
                scopes: ("tokens:validate" | "verifications:read" | "verifications:write")[];
                state: "active" | "expired" | "revoked";
                createdAt: string;
                lastUsedAt: string | null;
                expiresAt: string | null;
                revokedAt: string | null;
                apiKey: string;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        replace: import("@trpc/server").TRPCMutationProcedure<{
            input: {
                apiKeyId: string;
                overlapHours?: number | undefined;
            };
            output: {
                apiKeyId: string;
                name: string;
                displayStart: string;
                scopes: ("tokens:validate" | "verifications:read" | "verifications:write")[];
                state: "active" | "expired" | "revoked";
                createdAt: string;
                lastUsedAt: string | null;
                expiresAt: string | null;
                revokedAt: string | null;
                apiKey: string;
                previous: {
                    apiKeyId: string;
                    name: string;
                    displayStart: string;
                    scopes: ("tokens:validate" | "verifications:read" | "verifications:write")[];
                    state: "active" | "expired" | "revoked";
                    createdAt: string;
                    lastUsedAt: string | null;
                    expiresAt: string | null;
                    revokedAt: string | null;
                };
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        revoke: import("@trpc/server").TRPCMutationProcedure<{
            input: {
                apiKeyId: string;
            };
            output: {
                apiKeyId: string;
                name: string;
                displayStart: string;
                scopes: ("tokens:validate" | "verifications:read" | "verifications:write")[];
                state: "active" | "expired" | "revoked";
                createdAt: string;
                lastUsedAt: string | null;
                expiresAt: string | null;
                revokedAt: string | null;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
    }>>;
    settings: import("@trpc/server").TRPCBuiltRouter<{
        ctx: object;
        meta: { right: string };
        errorShape: {
            message: string;
            code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
            data: ConsoleErrorData;
        };
        transformer: false;
    }, import("@trpc/server").TRPCDecorateCreateRouterOptions<{
        get: import("@trpc/server").TRPCQueryProcedure<{
            input: Record<string, never> | undefined;
            output: {
                webhookUrl: string | null;
                returnUrl: string | null;
                hasWebhookSecret: boolean;
                previousSecretValidUntil: string | null;
                retryDelaysSeconds: number[];
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        deliveries: import("@trpc/server").TRPCQueryProcedure<{
            input: Record<string, never> | undefined;
            output: {
                accepted: number;
                acceptedAt?: string | null | undefined;
                retrying: number;
                givenUp: number;
                latestFailure: {
                    description: string;
                    remedy: string;
                    at: string;
                } | null;
                failing: {
                    description: string;
                    remedy: string;
                    at: string;
                    events: number;
                } | null;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        checkWebhookUrl: import("@trpc/server").TRPCQueryProcedure<{
            input: {
                url: string;
            };
            output: {
                violation: string | null;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        setWebhookUrl: import("@trpc/server").TRPCMutationProcedure<{
            input: {
                url: string | null;
                expectedUrl?: string | null | undefined;
            };
            output: {
                webhookUrl: string | null;
                returnUrl: string | null;
                hasWebhookSecret: boolean;
                previousSecretValidUntil: string | null;
                retryDelaysSeconds: number[];
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        checkReturnUrl: import("@trpc/server").TRPCQueryProcedure<{
            input: {
                url: string;
            };
            output: {
                violation: string | null;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        setReturnUrl: import("@trpc/server").TRPCMutationProcedure<{
            input: {
                url: string | null;
                expectedUrl?: string | null | undefined;
            };
            output: {
                webhookUrl: string | null;
                returnUrl: string | null;
                hasWebhookSecret: boolean;
                previousSecretValidUntil: string | null;
                retryDelaysSeconds: number[];
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        sampleEvent: import("@trpc/server").TRPCQueryProcedure<{
            input: Record<string, never> | undefined;
            output: {
                body: string;
                headers: Record<string, string>;
                secret: string;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        revealWebhookSecret: import("@trpc/server").TRPCMutationProcedure<{
            input: Record<string, never> | undefined;
            output: {
                webhookSecret: string;
                previousValidUntil: string | null;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        rotateWebhookSecret: import("@trpc/server").TRPCMutationProcedure<{
            input: Record<string, never> | undefined;
            output: {
                webhookSecret: string;
                previousValidUntil: string | null;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
    }>>;
    verifications: import("@trpc/server").TRPCBuiltRouter<{
        ctx: object;
        meta: { right: string };
        errorShape: {
            message: string;
            code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
            data: ConsoleErrorData;
        };
        transformer: false;
    }, import("@trpc/server").TRPCDecorateCreateRouterOptions<{
        list: import("@trpc/server").TRPCQueryProcedure<{
            input: {
                limit?: number | undefined;
                cursor?: string | null | undefined;
                direction?: "forward" | undefined;
                status?: "approved" | "denied" | "pending" | "rejected" | "resubmission" | "started" | "submitted" | ("approved" | "denied" | "pending" | "rejected" | "resubmission" | "started" | "submitted")[] | undefined;
                state?: "attention" | "completed" | "open" | undefined;
                over18?: "no" | "revoked" | "unknown" | "yes" | undefined;
                reasonCode?: string | undefined;
                from?: string | undefined;
                to?: string | undefined;
                completedFrom?: string | undefined;
                completedTo?: string | undefined;
                search?: string | undefined;
            } | undefined;
            output: {
                items: {
                    verificationId: string;
                    status: "approved" | "denied" | "pending" | "rejected" | "resubmission" | "started" | "submitted";
                    confidence: number | null;
                    over18: boolean | null;
                    createdAt: string;
                    completedAt: string | null;
                    tokenRevokedAt: string | null;
                    reason: string | null;
                }[];
                nextCursor: string | null;
                searchedUntil: string | null;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        get: import("@trpc/server").TRPCQueryProcedure<{
            input: {
                verificationId: string;
            };
            output: {
                verificationId: string;
                status: "approved" | "denied" | "pending" | "rejected" | "resubmission" | "started" | "submitted";
                confidence: number | null;
                over18: boolean | null;
                createdAt: string;
                completedAt: string | null;
                tokenRevokedAt: string | null;
                reason: string | null;
                decision: {
                    code: number | null;
                    reasonCode: string | null;
                    attempt: number | null;
                    description: string | null;
                } | null;
                closesAt: string | null;
                timeline: {
                    code: number | null;
                    reasonCode: string | null;
                    attempt: number | null;
                    description: string | null;
                    at: string;
                    status: "approved" | "denied" | "pending" | "rejected" | "resubmission" | "started" | "submitted";
                    source: "provider" | "service" | "tenant";
                    applied: boolean;
                }[];
                token: {
                    jti: string;
                    jwt: string | null;
                    kid: string;
                    claims: {
                        iss: string;
                        sub: string;
                        aud: string;
                        jti: string;
                        iat: number;
                        exp: number;
                        over18: boolean;
                        status: {
                            status_list: {
                                idx: number;
                                uri: string;
                            };
                        };
                    } | null;
                    over18: boolean;
                    issuedAt: string;
                    expiresAt: string;
                    revokedAt: string | null;
                    isSample?: boolean | undefined;
                } | null;
                hasWebhook: boolean | null;
                delivery: {
                    state: "delivered" | "failed" | "in_flight" | "new" | "waiting";
                    attempts: number;
                    attemptedAt: string | null;
                    dueAt: string;
                    failure: {
                        description: string;
                        remedy: string;
                    } | null;
                } | null;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        erase: import("@trpc/server").TRPCMutationProcedure<{
            input: {
                verificationId: string;
            };
            output: {
                verificationId: string;
                erasedAt: string;
                provider: "deleted" | "unknown";
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        reasons: import("@trpc/server").TRPCQueryProcedure<{
            input: Record<string, never> | undefined;
            output: {
                items: {
                    reasonCode: string;
                    description: string;
                }[];
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
    }>>;
    tokens: import("@trpc/server").TRPCBuiltRouter<{
        ctx: object;
        meta: { right: string };
        errorShape: {
            message: string;
            code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
            data: ConsoleErrorData;
        };
        transformer: false;
    }, import("@trpc/server").TRPCDecorateCreateRouterOptions<{
        inspect: import("@trpc/server").TRPCMutationProcedure<{
            input: {
                token: string;
            };
            output: {
                valid: boolean;
                over18: boolean;
                reason: "OK" | "TOKEN_EXPIRED" | "TOKEN_NOT_FOUND" | "TOKEN_REVOKED" | "UNDERAGE_OR_UNKNOWN" | null;
                message: string;
                header: Record<string, unknown> | null;
                claims: Record<string, unknown> | null;
                verificationId: string | null;
                expiresAt: string | null;
                revokedAt: string | null;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        revoke: import("@trpc/server").TRPCMutationProcedure<{
            input: {
                verificationId: string;
            };
            output: {
                verificationId: string;
                jti: string;
                revokedAt: string;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
    }>>;
    usage: import("@trpc/server").TRPCBuiltRouter<{
        ctx: object;
        meta: { right: string };
        errorShape: {
            message: string;
            code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
            data: ConsoleErrorData;
        };
        transformer: false;
    }, import("@trpc/server").TRPCDecorateCreateRouterOptions<{
        current: import("@trpc/server").TRPCQueryProcedure<{
            input: Record<string, never> | undefined;
            output: {
                used: number;
                monthlyQuota: number;
                hardLimit: number;
                overage: boolean;
                resetsAt: string;
                startsPerDay: number;
                projectedEndAt: string | null;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        daily: import("@trpc/server").TRPCQueryProcedure<{
            input: {
                from?: string | undefined;
                to?: string | undefined;
            } | undefined;
            output: {
                items: {
                    over18: number;
                    under18: number;
                    ageUnknown: number;
                    day: string;
                    started: number;
                    approved: number;
                    denied: number;
                    rejected: number;
                    submitted: number;
                    resubmission: number;
                }[];
                nextCursor: string | null;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        summary: import("@trpc/server").TRPCQueryProcedure<{
            input: {
                from?: string | undefined;
                to?: string | undefined;
            } | undefined;
            output: {
                current: {
                    over18: number;
                    under18: number;
                    ageUnknown: number;
                    from: string;
                    to: string;
                    started: number;
                    ended: number;
                    opened: number;
                    submitted: number;
                    decided: number;
                    approved: number;
                    denied: number;
                    rejected: number;
                };
                open: {
                    pending: number;
                    started: number;
                    submitted: number;
                    resubmission: number;
                    capped: boolean;
                };
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        change: import("@trpc/server").TRPCQueryProcedure<{
            input: {
                current?: {
                    from?: string | undefined;
                    to?: string | undefined;
                } | undefined;
                previous?: {
                    from?: string | undefined;
                    to?: string | undefined;
                } | undefined;
            };
            output: {
                current: {
                    over18: number;
                    under18: number;
                    ageUnknown: number;
                    from: string;
                    to: string;
                    started: number;
                    ended: number;
                    opened: number;
                    submitted: number;
                    decided: number;
                    approved: number;
                    denied: number;
                    rejected: number;
                };
                previous: {
                    over18: number;
                    under18: number;
                    ageUnknown: number;
                    from: string;
                    to: string;
                    started: number;
                    ended: number;
                    opened: number;
                    submitted: number;
                    decided: number;
                    approved: number;
                    denied: number;
                    rejected: number;
                };
                firstDay: string | null;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        denials: import("@trpc/server").TRPCQueryProcedure<{
            input: {
                from?: string | undefined;
                to?: string | undefined;
            } | undefined;
            output: {
                reasons: {
                    reasonCode: string | null;
                    reason: string;
                }[];
                days: {
                    day: string;
                    counts: number[];
                }[];
                sampledOneIn: number;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        evidence: import("@trpc/server").TRPCQueryProcedure<{
            input: {
                month: string;
            };
            output: {
                month: string;
                complete: boolean;
                counts: {
                    over18: number;
                    under18: number;
                    ageUnknown: number;
                    started: number;
                    approved: number;
                    denied: number;
                    rejected: number;
                    submitted: number;
                    resubmission: number;
                    opened: number;
                    userSubmitted: number;
                };
                statement: string | null;
                statements: {
                    version: number;
                    sha256: string;
                    since: string;
                }[];
                changes: Record<string, number> | null;
                jws: string;
                jwks: {
                    keys: Record<string, string>[];
                };
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        compare: import("@trpc/server").TRPCQueryProcedure<{
            input: Record<string, never> | undefined;
            output: {
                usage: {
                    over18: number;
                    under18: number;
                    ageUnknown: number;
                    from: string;
                    to: string;
                    started: number;
                    ended: number;
                    opened: number;
                    submitted: number;
                    decided: number;
                    approved: number;
                    denied: number;
                    rejected: number;
                };
                isOver: boolean;
                earlier: {
                    days: number;
                    ended: number;
                };
                starts: {
                    normal: {
                        low: number;
                        high: number;
                    } | null;
                    verdict: "high" | "low" | "normal" | "unknown";
                };
                approval: {
                    normal: {
                        low: number;
                        high: number;
                    } | null;
                    verdict: "high" | "low" | "normal" | "unknown";
                };
                adult: {
                    normal: {
                        low: number;
                        high: number;
                    } | null;
                    verdict: "high" | "low" | "normal" | "unknown";
                };
                completion: {
                    normal: {
                        low: number;
                        high: number;
                    } | null;
                    verdict: "high" | "low" | "normal" | "unknown";
                };
                opening: {
                    normal: {
                        low: number;
                        high: number;
                    } | null;
                    verdict: "high" | "low" | "normal" | "unknown";
                };
                submission: {
                    normal: {
                        low: number;
                        high: number;
                    } | null;
                    verdict: "high" | "low" | "normal" | "unknown";
                };
                decision: {
                    normal: {
                        low: number;
                        high: number;
                    } | null;
                    verdict: "high" | "low" | "normal" | "unknown";
                };
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
    }>>;
    billing: import("@trpc/server").TRPCBuiltRouter<{
        ctx: object;
        meta: { right: string };
        errorShape: {
            message: string;
            code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
            data: ConsoleErrorData;
        };
        transformer: false;
    }, import("@trpc/server").TRPCDecorateCreateRouterOptions<{
        get: import("@trpc/server").TRPCQueryProcedure<{
            input: Record<string, never> | undefined;
            output: {
                plan: string;
                subscription: "active" | "inactive";
                enabled: boolean;
                contact?: string | undefined;
                limits: {
                    rateLimitPerMinute: number;
                    readRateLimitPerMinute: number;
                    monthlyQuota: number;
                    hardLimit: number;
                    overage: boolean;
                };
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
    }>>;
    audit: import("@trpc/server").TRPCBuiltRouter<{
        ctx: object;
        meta: { right: string };
        errorShape: {
            message: string;
            code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
            data: ConsoleErrorData;
        };
        transformer: false;
    }, import("@trpc/server").TRPCDecorateCreateRouterOptions<{
        list: import("@trpc/server").TRPCQueryProcedure<{
            input: {
                limit?: number | undefined;
                cursor?: string | null | undefined;
                direction?: "forward" | undefined;
                actor?: string | undefined;
                actorKind?: "api_key" | "member" | "operator" | "service" | undefined;
                action?: "api_key.create" | "api_key.replace" | "api_key.revoke" | "audit.export" | "demo.seed" | "invitation.accept" | "invitation.create" | "invitation.revoke" | "member.add" | "member.leave" | "member.remove" | "member.set_role" | "settings.set_return_url" | "settings.set_webhook_url" | "tenant.create" | "tenant.disable" | "tenant.enable" | "tenant.provision" | "tenant.rename" | "tenant.set_plan" | "tenant.set_retention" | "tenant.set_subscription" | "token.revoke" | "usage.export" | "verification.erase" | "verification.export" | "webhook_secret.reveal" | "webhook_secret.rotate" | ("api_key.create" | "api_key.replace" | "api_key.revoke" | "audit.export" | "demo.seed" | "invitation.accept" | "invitation.create" | "invitation.revoke" | "member.add" | "member.leave" | "member.remove" | "member.set_role" | "settings.set_return_url" | "settings.set_webhook_url" | "tenant.create" | "tenant.disable" | "tenant.enable" | "tenant.provision" | "tenant.rename" | "tenant.set_plan" | "tenant.set_retention" | "tenant.set_subscription" | "token.revoke" | "usage.export" | "verification.erase" | "verification.export" | "webhook_secret.reveal" | "webhook_secret.rotate")[] | undefined;
                search?: string | undefined;
                from?: string | undefined;
                to?: string | undefined;
            } | undefined;
            output: {
                items: {
                    auditEventId: string;
                    at: string;
                    actorKind: "api_key" | "member" | "operator" | "service";
                    actor: string;
                    actorName: string | null;
                    actorIssuer: string | null;
                    actorIp: string | null;
                    action: string;
                    target: string | null;
                    changes: Record<string, unknown>;
                }[];
                nextCursor: string | null;
                searchedUntil: string | null;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        get: import("@trpc/server").TRPCQueryProcedure<{
            input: {
                auditEventId: string;
            };
            output: {
                auditEventId: string;
                at: string;
                actorKind: "api_key" | "member" | "operator" | "service";
                actor: string;
                actorName: string | null;
                actorIssuer: string | null;
                actorIp: string | null;
                action: string;
                target: string | null;
                changes: Record<string, unknown>;
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
        actions: import("@trpc/server").TRPCQueryProcedure<{
            input: Record<string, never> | undefined;
            output: {
                items: ("api_key.create" | "api_key.replace" | "api_key.revoke" | "audit.export" | "demo.seed" | "invitation.accept" | "invitation.create" | "invitation.revoke" | "member.add" | "member.leave" | "member.remove" | "member.set_role" | "settings.set_return_url" | "settings.set_webhook_url" | "tenant.create" | "tenant.disable" | "tenant.enable" | "tenant.provision" | "tenant.rename" | "tenant.set_plan" | "tenant.set_retention" | "tenant.set_subscription" | "token.revoke" | "usage.export" | "verification.erase" | "verification.export" | "webhook_secret.reveal" | "webhook_secret.rotate")[];
            };
            meta: { right: string };
            errorShape: {
                message: string;
                code: -32700 | -32603 | -32600 | -32099 | -32029 | -32028 | -32022 | -32015 | -32013 | -32012 | -32009 | -32008 | -32005 | -32004 | -32003 | -32002 | -32001;
                data: ConsoleErrorData;
            };
        }>;
    }>>;
}>>;
export type ConsoleRouter = typeof consoleRouter;
