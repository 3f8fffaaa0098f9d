import type { EntityManager } from '@mikro-orm/postgresql'
import type { StatementPool } from './database/statement.ts'
import type { WaitingRequests } from './fairness/waiting-requests.ts'
import type { AddressPolicy } from './network/public-address.policy.ts'
import type { Role } from './permissions.ts'
import type { Cipher, Clock, DomainMetrics, IdentityProvider, TestProvider, WakeWorker } from './ports.ts'
import type { Practice } from './practice-statement/practice.ts'
import type { KeyRing } from './signing-key/key-ring.ts'

/** Everything a verb receives besides its input. One scope serves one request, job or command. */
export interface Scope<By extends Actor = Actor> {
  actor: By
  /** The time at which the verb runs; everything it stores or compares uses this value. */
  now: Date
  clock: Clock
  /** A dedicated unit of work, forked on first use. */
  readonly em: EntityManager
  pool: StatementPool
  rules: Rules
  /** Of live verifications; undefined where every verification is a test one. */
  provider: IdentityProvider | undefined
  /** Of test verifications; undefined where there are none. */
  testProvider?: TestProvider | undefined
  wakeWorker: WakeWorker
  waitingRequests: WaitingRequests
  cipher: Cipher
  keyRing: KeyRing
  metrics: DomainMetrics
  log: DomainLog
  /** The request that the verb runs for; undefined for jobs and commands. */
  request?: ScopeRequest | undefined
}

/**
 * Who performs a verb: a tenant's API key (`test`: that of a test tenant), a member of a tenant in the console, a signed-in user without a tenant,
 * the operator (of the whole service, or administering one tenant), or the service itself (jobs and callbacks).
 */
export type Actor =
  | { kind: 'api_key'; tenantId: string; apiKeyId: string; test: boolean }
  | { kind: 'member'; tenantId: string; issuer: string; subject: string; role: Role; ip: string }
  | { kind: 'user'; issuer: string; subject: string; ip: string }
  | OperatorActor
  | (OperatorActor & { tenantId: string })
  | { kind: 'service' }

/** With the user of the operating system and the person behind it, for the audit log. */
interface OperatorActor {
  kind: 'operator'
  osUser?: string | undefined
  person?: string | undefined
}

/** An actor bound to one tenant. Verbs about a tenant read its id from here; their inputs have no tenantId. */
export type TenantActor = Extract<Actor, { tenantId: string }>

export type TenantScope = Scope<TenantActor>
/** For verbs that only requests of the tenant API perform. */
export type ApiKeyActorScope = Scope<Extract<Actor, { kind: 'api_key' }>>
export type MemberScope = Scope<Extract<Actor, { kind: 'member' }>>
export type UserScope = Scope<Extract<Actor, { kind: 'user' }>>
export type OperatorScope = Scope<OperatorActor>
/** For verbs that only the operator may perform on a tenant. */
export type TenantOperatorScope = Scope<Extract<TenantActor, { kind: 'operator' }>>

/** For verbs that the operator performs on the whole service or on one tenant. */
export type AnyOperatorScope = OperatorScope | TenantOperatorScope

/** The tenant that the operator's scope is bound to, if it is. */
export function boundTenant({ actor }: AnyOperatorScope): string | undefined {
  return 'tenantId' in actor ? actor.tenantId : undefined
}

/** The operator's scope bound to one tenant, with the same time and unit of work. */
export function forTenant(scope: OperatorScope, tenantId: string): TenantOperatorScope {
  return { ...scope, actor: { ...scope.actor, tenantId } }
}

/** The scope of a user who has just become a member of a tenant, with the same time and unit of work. */
export function asMember(scope: UserScope, tenantId: string, role: Role): MemberScope {
  const { issuer, subject, ip } = scope.actor
  return { ...scope, actor: { kind: 'member', tenantId, issuer, subject, role, ip } }
}

/** Configuration that domain rules depend on. */
export interface Rules {
  /** Public address of the service: the issuer of age tokens. */
  baseUrl: string
  /** Public address of the dashboard, which the links of invitations begin with. */
  dashboardUrl: string
  tokenLifetimeMs: number
  /** Age at which an undecided verification is closed. */
  sessionLifetimeMs: number
  /** Age at which a verification expires: it is not found any more, and deleted. */
  verificationRetentionMs: number
  /** Age at which an audit event expires. */
  auditRetentionMs: number
  /** Milliseconds before attempts 2 and 3 of a delivery. */
  retryDelaysMs: [number, number]
  /** The sign-in provider that issues the subjects of `member add`. */
  memberIssuer: string
  /** Whether tenants may be test tenants; `only`: no identity provider is configured, so that every new one is. */
  testTenants: 'off' | 'allowed' | 'only'
  /** Whether users may provision tenants themselves. */
  provisioningOpen: boolean
  /** Tenants that one user can ever provision. */
  provisionLimit: number
  /** Networks that webhook receivers may be in. */
  addresses: AddressPolicy
  /** What the practice statement says beside these rules. */
  practice: Practice
}

/** The same scope at another time: for work that had to wait and must not use the time of the request. */
export function scopeAt<S extends Scope>(scope: S, now: Date): S {
  const properties = Object.getOwnPropertyDescriptors(scope)
  return Object.defineProperties({}, { ...properties, now: { value: now, enumerable: true } }) as S
}

/** Log of the domain. Fields hold ids and codes, never personal data or secrets. */
export interface DomainLog {
  info(fields: Record<string, unknown>, message: string): void
  warn(fields: Record<string, unknown>, message: string): void
}

/** What a verb tells the request that it runs for. */
export interface ScopeRequest {
  /** Adds ids to the request's line in the access log. */
  describe(fields: { tenantId?: string; verificationId?: string }): void
  /** Says when it begins and ends to wait for an event, which is no time that the service takes. */
  setWaiting(isWaiting: boolean): void
  /** Does work that waits for somebody else. Meanwhile the request takes no place of those that are at work. */
  whileIdle<Result>(work: () => Promise<Result>): Promise<Result>
}

/** What a scope has of the request that it is created for. */
export interface RequestParts extends Pick<Scope, 'log'> {
  request: ScopeRequest
}

/** What a request gives back while it waits. */
export type Place = Pick<ScopeRequest, 'whileIdle'>

/** Does work that waits for somebody else, such as the client or the provider: meanwhile the request is no load. */
export async function whileIdle<Result>(
  request: ScopeRequest | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  return await (request ? request.whileIdle(work) : work())
}
