import type { Context } from 'koa'
import type { KeyRequest } from '#domain/api-key/api-key.policy.ts'
import type { AuthenticationFailures } from '#domain/authentication-failures.ts'
import type { Clock } from '#domain/ports.ts'
import type { Actor, DomainLog, Scope } from '#domain/scope.ts'
import type { JsonResponse, KeyAdmission, ProviderCallbacks, SendJson } from './ports.ts'
import type { CallbackResult } from './verify/callback-result.ts'

/** What the tenant API needs from its host. */
export interface RestServices {
  clock: Clock
  /** Creates the scope of a request; `now` is the request's one time. */
  scopeFor<By extends Actor>(actor: By, now: Date, log: DomainLog): Scope<By>
  /** The log of the verbs that the request runs. */
  logOf(context: Context): DomainLog
  admission: KeyAdmission
  callbacks: ProviderCallbacks
  countCallback(result: CallbackResult): void
  failures: AuthenticationFailures
  clientAddress(context: Context): string
  /** Prepares what an endpoint sends after success. */
  responder(response: JsonResponse): SendJson
  /** Queues the use of a key for recording; doesn't wait. */
  recordKeyUse(key: { tenantId: string; apiKeyId: string }, request: KeyRequest, now: Date): void
  /** Adds fields to the request's line in the access log. */
  describeRequest(context: Context, fields: RequestDescription): void
}

export interface RequestDescription {
  tenantId?: string
  apiKeyId?: string
  verificationId?: string
  route?: string
  /** Why a request was rejected, where its code doesn't say it. */
  reason?: 'credentials' | 'signature'
}
