import type { Random } from '../../random.ts'
import type { Run } from '../../run.ts'
import { callConsole } from '../calls.ts'

/** With the first one, as many as stay acceptable at the same time, so that every signature can be verified. */
const rotationsMax = 2

/** Rotates the webhook secret of a tenant with events. It counts even without an answer. */
export async function rotateSecret(run: Run, random: Random): Promise<void> {
  const tenant = run.ledger.tenant('with events')
  if (tenant.rotations >= rotationsMax) return
  tenant.rotations += 1
  const rotation = { kind: 'mutation', path: 'settings.rotateWebhookSecret' } as const
  await callConsole(run, random.pick(run.system.apis), tenant, rotation)
}
