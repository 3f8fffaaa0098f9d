import type { EntityManager } from '@mikro-orm/postgresql'
import type { StatementPool } from './database/statement.ts'
import type { Role } from './member/member.policy.ts'
import type { Cipher, Clock, IdentityProvider, KeyAdmission, WorkerNotifier } from './ports.ts'
import type { KeyRing } from './signing-key/key-ring.ts'
import type { VerifiedTokens } from './token/verified-tokens.ts'
import type { AddressPolicy } from './webhook/public-address.policy.ts'

/** Who acts. `service` is the product itself: jobs and the provider's callbacks. */
export type Actor =
  | { kind: 'tenant'; tenantId: string; apiKeyId: string }
  | { kind: 'member'; tenantId: string; issuer: string; subject: string; role: Role; ip: string }
  | { kind: 'user'; issuer: string; subject: string; ip: string }
  | { kind: 'operator' }
  | { kind: 'service' }

/** What an operator configured and rules depend on. */
export interface Rules {
  /** Public address of the service: the issuer of tokens. */
  baseUrl: string
  tokenLifetimeMs: number
  /** After how long an undecided verification is closed. */
  sessionLifetimeMs: number
  /** After how long `ip` and `userAgent` are forgotten. */
  requestDataRetentionMs: number
  /** Milliseconds before attempts 2 and 3 of a delivery. */
  retryDelaysMs: [number, number]
  /** The sign-in provider whose subjects `member add` names. */
  memberIssuer: string
  /** Where receivers may be. */
  addresses: AddressPolicy
}

/** All that a verb is given besides its input. */
export interface Scope<By extends Actor = Actor> {
  actor: By
  /** The one moment in which the whole verb happens. */
  now: Date
  clock: Clock
  /** A unit of work of its own, forked at its first use. */
  readonly em: EntityManager
  pool: StatementPool
  rules: Rules
  provider: IdentityProvider
  keyAdmission: KeyAdmission
  notifier: WorkerNotifier
  cipher: Cipher
  keyRing: KeyRing
  verifiedTokens: VerifiedTokens
  log: DomainLog
}

/** The same scope at another time: for work that had to wait and must not happen in the past. */
export function scopeAt<S extends Scope>(scope: S, now: Date): S {
  const properties = Object.getOwnPropertyDescriptors(scope)
  return Object.defineProperties({}, { ...properties, now: { value: now, enumerable: true } }) as S
}

/** The product's own remarks; fields hold ids and codes, never personal data or secrets. */
export interface DomainLog {
  info(fields: Record<string, unknown>, message: string): void
  warn(fields: Record<string, unknown>, message: string): void
}

export type TenantScope = Scope<Extract<Actor, { kind: 'tenant' }>>
export type UserScope = Scope<Extract<Actor, { kind: 'user' }>>
