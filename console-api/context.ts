import type { ClientCalls } from '#domain/fairness/client-calls.ts'
import type { RequestCounter } from '#domain/ports.ts'
import type { Actor, Scope } from '#domain/scope.ts'
import type { User } from './authenticate.ts'
import type { ReadIdToken } from './read-id-token.ts'

/** What the procedures of one request receive; the calls of a batch share it. */
export interface ConsoleContext {
  requestId: string
  ip: string
  /** When the request arrived: the time of every call in it. */
  now: Date
  /** The header `x-tenant-id`, which selects one of several memberships. */
  tenantHeader: string | undefined
  /** The signed-in user, authenticated once per request. Throws `UNAUTHENTICATED_TENANT` or `INTERNAL_ERROR`. */
  authenticate(): Promise<User>
  /** A scope for one call, at the time of the request. */
  createScope<By extends Actor>(actor: By): Scope<By>
  readIdToken: ReadIdToken
  counter: RequestCounter
  userCalls: ClientCalls
}
