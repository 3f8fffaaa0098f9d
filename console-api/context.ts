import type { Clock } from '#domain/ports.ts'
import type { Actor, Scope } from '#domain/scope.ts'
import type { User } from './authenticate.ts'
import type { RateLimiter } from './rate-limit.ts'

/** A scope for one verb, acting for `actor`. */
export type CreateScope = <By extends Actor>(actor: By) => Scope<By>

/** What a procedure is given; one for all calls of a request. */
export interface ConsoleContext {
  requestId: string
  ip: string
  /** The header `x-tenant-id`: which of several memberships is meant. */
  tenantHeader: string | undefined
  /** The signed-in user, found out once. Throws `UNAUTHENTICATED_TENANT`, or `INTERNAL_ERROR`. */
  authenticate(): Promise<User>
  createScope: CreateScope
  limiter: RateLimiter
  clock: Clock
}
