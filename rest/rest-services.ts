import type { Context } from 'koa'
import type { AuthenticationFailures } from '#domain/authentication-failures.ts'
import type { Clock } from '#domain/ports.ts'
import type { Actor, Scope } from '#domain/scope.ts'
import type { JsonResponse, KeyAdmission, ProviderCallbacks, SendJson } from './ports.ts'
import type { CallbackResult } from './verify/callback-result.ts'

/** What the tenant API needs from its host. */
export interface RestServices {
  clock: Clock
  /** Creates the scope of a request; `now` is the request's one time. */
  scopeFor<By extends Actor>(actor: By, now: Date): Scope<By>
  admission: KeyAdmission
  callbacks: ProviderCallbacks
  countCallback(result: CallbackResult): void
  failures: AuthenticationFailures
  clientAddress(context: Context): string
  /** Prepares what an endpoint sends after success. */
  responder(response: JsonResponse): SendJson
  /** Queues the use of a key for recording; doesn't wait. */
  recordKeyUse(key: { tenantId: string; apiKeyId: string }, now: Date): void
  /** Adds fields to the request's line in the access log. */
  describeRequest(context: Context, fields: { tenantId?: string; route?: string }): void
}
