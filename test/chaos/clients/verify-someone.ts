import type { DeliveryPlan } from '#development/veriff-simulator/delivery.ts'
import type { Outcome } from '#server/providers/test-provider/session.ts'
import type { Random } from '#test/harness/random.ts'
import type { StartEntry } from '../judge/ledger.ts'
import type { Run } from '../run.ts'
import { callConsole, callTenantApi, pause, readStatus, validateToken } from './calls.ts'
import { decide } from './decide.ts'
import { erase } from './erase.ts'
import { startOnce, startWithKey } from './start.ts'

/** What the provider decides, one after the other. */
const scenarios: { weight: number; outcomes: Outcome[] }[] = [
  { weight: 50, outcomes: ['approve-adult'] },
  { weight: 8, outcomes: ['approve-minor'] },
  { weight: 4, outcomes: ['approve-unknown-age'] },
  { weight: 10, outcomes: ['decline'] },
  { weight: 5, outcomes: ['abandon'] },
  { weight: 6, outcomes: ['resubmission', 'approve-adult'] },
  { weight: 4, outcomes: ['review', 'decline'] },
  // A correction: it revokes the token, unless it is the first of both that arrives.
  { weight: 7, outcomes: ['approve-adult', 'decline'] },
  { weight: 6, outcomes: [] },
]

const deliveries: { weight: number; plan: DeliveryPlan }[] = [
  { weight: 60, plan: { delivery: 'once' } },
  { weight: 14, plan: { delivery: 'duplicate' } },
  { weight: 10, plan: { delivery: 'late', delayMs: 1_500 } },
  { weight: 12, plan: { delivery: 'reordered' } },
  { weight: 4, plan: { delivery: 'missing' } },
]

/** Starts a verification, lets its user and the provider go through it, and reads the result. */
export async function verifySomeone(run: Run, random: Random): Promise<void> {
  const tenant = run.ledger.tenant(
    random.pick(['with events', 'with events', 'without events', 'with a quota']),
  )
  const withKey = random.chance(0.4)
  const { outcomes } = random.weighted(scenarios)
  const entry = withKey
    ? await startWithKey(run, random, tenant)
    : await startOnce(run, random.pick(run.system.apis), tenant)
  if (entry.outcome !== 'acknowledged') return
  await readStatus(run, random.pick(run.system.apis), entry)
  await useHostedFlow(run, random, entry)
  if (random.chance(0.08)) return await erase(run, random, entry)
  if (outcomes.length === 0 && random.chance(0.5)) await run.system.provider.forge(entry.verificationId!)
  for (const outcome of outcomes) {
    await decide(run, entry, outcome, random.weighted(deliveries).plan)
    await pause(random, 20, 200)
    await readStatus(run, random.pick(run.system.apis), entry)
  }
  await pollStatus(run, random, entry)
  if (entry.completion?.body.token) await useToken(run, random, entry)
  if (random.chance(0.08)) await erase(run, random, entry)
}

async function useHostedFlow(run: Run, random: Random, entry: StartEntry): Promise<void> {
  const { provider } = run.system
  await provider.act(entry.verificationId!, 'open')
  if (random.chance(0.2)) await reportReturn(run, random, entry)
  await provider.act(entry.verificationId!, 'submit')
  await readStatus(run, random.pick(run.system.apis), entry)
}

/** The tenant reports that the user has returned, which has the provider polled soon. */
async function reportReturn(run: Run, random: Random, entry: StartEntry): Promise<void> {
  const json = { verificationId: entry.verificationId }
  await callTenantApi(run, random.pick(run.system.apis), entry.tenant, '/verify/submit', { json })
}

async function pollStatus(run: Run, random: Random, entry: StartEntry): Promise<void> {
  for (let count = random.between(1, 3); count > 0 && !entry.completion; count -= 1) {
    await pause(random, 200, 800)
    await readStatus(run, random.pick(run.system.apis), entry)
  }
}

async function useToken(run: Run, random: Random, entry: StartEntry): Promise<void> {
  await validateToken(run, random.pick(run.system.apis), entry)
  if (!random.chance(0.3)) return
  await revokeToken(run, random, entry)
  for (const process of run.system.apisInTurn()) await validateToken(run, process, entry)
}

async function revokeToken(run: Run, random: Random, entry: StartEntry): Promise<void> {
  const { tenant, verificationId, tokenRevoked } = entry
  tokenRevoked.sentAt ??= run.timeline.now()
  const process = random.pick(run.system.apis)
  const revocation = ['mutation', 'tokens.revoke', { verificationId }] as const
  const { exchange, verdict } = await callConsole(run, process, tenant, ...revocation)
  if (verdict === 'answered' && exchange.status === 200) tokenRevoked.doneAt ??= exchange.answeredAt
}
