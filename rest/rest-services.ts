import type { ProviderCallbacks } from '#domain/ports.ts'
import type { Actor, Scope } from '#domain/scope.ts'

/** What the tenant API is given by its host. */
export interface RestServices {
  scopeFor<By extends Actor>(actor: By): Scope<By>
  callbacks: ProviderCallbacks
  /** Notes that a key was used; returns at once. */
  noteKeyUse(key: { tenantId: string; apiKeyId: string }, now: Date): void
  /** Puts what the access log tells of a request beside it. */
  describeRequest(context: object, fields: { tenantId?: string; route?: string }): void
}
