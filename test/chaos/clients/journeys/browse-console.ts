import { factsOf } from '../../model/judge-answer.ts'
import type { Random } from '../../random.ts'
import type { Run } from '../../run.ts'
import { callConsole } from '../calls.ts'

/** Reads what the dashboard shows. */
export async function browseConsole(run: Run, random: Random): Promise<void> {
  const tenant = run.ledger.tenant('with events')
  for (const path of ['verifications.list', 'usage.current', 'usage.daily', 'audit.list']) {
    const process = random.pick(run.system.apis)
    const { exchange, verdict } = await callConsole(run, process, tenant, { kind: 'query', path })
    if (verdict !== 'answered' || exchange.status === 200) continue
    run.violations.add('The console answers', factsOf(exchange), exchange.sentAt)
  }
}
