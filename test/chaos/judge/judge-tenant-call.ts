import type { Exchange } from '../clients/send.ts'
import type { Run } from '../run.ts'
import { judgeAnswer, toFacts, type Verdict } from './judge-answer.ts'
import { type ApiKeyEntry, type EnabledChange, mayShow, mustShow, type TenantEntry } from './ledger.ts'
import type { RateClass } from './rate-windows.ts'

export interface TenantCall {
  tenant: TenantEntry
  apiKey: ApiKeyEntry
  rateClass: RateClass
  grace?: number | undefined
}

/** Judges what holds for every call of the tenant API: the errors of the table, keys, tenants and rate limits. */
export function judgeTenantCall(run: Run, exchange: Exchange, call: TenantCall): Verdict {
  const { tenant, apiKey, rateClass, grace } = call
  const { violations, timeline, windows } = run
  windows.count(exchange, apiKey, rateClass)
  const verdict = judgeAnswer(exchange, { timeline, violations, ...(grace === undefined ? {} : { grace }) })
  if (verdict !== 'answered') return verdict
  const { sentAt, answeredAt, body, status } = exchange
  const facts = { ...toFacts(exchange), tenant: tenant.name, apiKey: { ...apiKey, value: undefined } }
  const enabled = possibleStates(tenant.enabledChanges, sentAt, answeredAt)
  switch (body?.error) {
    case 'UNAUTHENTICATED_TENANT':
      if (!mayShow(apiKey.revoked, answeredAt)) violations.add('A valid key is accepted', facts, sentAt)
      return 'rejected'
    case 'TENANT_INACTIVE':
      if (!enabled.includes(false)) violations.add('The key of an enabled tenant is accepted', facts, sentAt)
      return 'rejected'
    case 'RATE_LIMIT_EXCEEDED':
      return 'rejected'
  }
  if (mustShow(apiKey.revoked, sentAt)) violations.add('A revoked key is not accepted', facts, sentAt)
  if (!enabled.includes(true)) violations.add('The key of a disabled tenant is not accepted', facts, sentAt)
  if (exchange.headers['x-ratelimit-reset'] === undefined) {
    violations.add(`A response with status ${status} has the headers of the rate limit`, facts, sentAt)
  }
  return 'answered'
}

/** The states that a tenant may have been in between two times. A change without an answer may come at any time. */
function possibleStates(changes: EnabledChange[], from: number, to: number): boolean[] {
  const settled = changes.findLast(({ doneAt }) => doneAt !== undefined && doneAt <= from)
  const pending = changes.filter(
    ({ sentAt, doneAt }) => sentAt! <= to && (doneAt === undefined || doneAt > from),
  )
  return [settled?.enabled ?? true, ...pending.map(({ enabled }) => enabled)]
}
