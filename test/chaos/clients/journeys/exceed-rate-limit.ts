import type { Random } from '../../random.ts'
import type { Run } from '../../run.ts'
import { callTenantApi } from '../calls.ts'
import { ratePerMinute } from '../prepare-tenants.ts'

/** Sends a burst that exceeds the rate limit, of requests that have no other effect. */
export async function exceedRateLimit(run: Run, random: Random): Promise<void> {
  const tenant = run.ledger.tenant('with a rate limit')
  const count = random.between(ratePerMinute / 2, 2 * ratePerMinute)
  for (let sent = 0; sent < count; sent += 5) {
    const burst = Array.from({ length: 5 }, () => complete(run, random, tenant))
    await Promise.all(burst)
  }
}

async function complete(
  run: Run,
  random: Random,
  tenant: ReturnType<Run['ledger']['tenant']>,
): Promise<void> {
  const process = random.pick(run.system.apis)
  const options = { tenant, rateClass: 'write', method: 'POST', path: '/verify/complete', json: {} } as const
  const { exchange, verdict } = await callTenantApi(run, process, options)
  if (verdict !== 'answered' || exchange.body?.error === 'VERIFICATION_MUST_USE_WEBHOOK') return
  run.violations.add('POST /verify/complete is always rejected', { answer: exchange.text }, exchange.sentAt)
}
