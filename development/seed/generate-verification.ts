import { randomUUID } from 'node:crypto'
import { newId } from '#domain/ids.ts'
import type { Rules } from '#domain/scope.ts'
import {
  effectOf,
  type VerificationState,
  type VerificationTrigger,
} from '#domain/verification/verification.policy.ts'
import { generateReports, type TimedReport } from './generate-reports.ts'
import { pick, type Random } from './random.ts'

export interface GeneratedChange {
  at: Date
  status: VerificationState['status']
  applied: boolean
  report: VerificationTrigger
}

export interface GeneratedVerification {
  id: string
  providerSessionId: string
  createdAt: Date
  closesAt: Date
  state: VerificationState
  changes: GeneratedChange[]
  /** When a contradicting decision after completion revoked its token. */
  tokenRevokedAt: Date | null
  userAgent: string | null
  ip: string | null
}

/** A verification in its state at `now`: generated reports, evaluated by the domain's own policy. */
export function generateVerification(
  createdAt: Date,
  now: Date,
  rules: Rules,
  random: Random,
): GeneratedVerification {
  const closesAt = new Date(createdAt.getTime() + rules.sessionLifetimeMs)
  const closing: TimedReport = {
    atMs: closesAt.getTime(),
    report: { by: 'service', outcome: 'lifetime_over' },
  }
  const reports = [...generateReports(createdAt.getTime(), random), closing]
    .sort((one, other) => one.atMs - other.atMs)
    .filter(({ atMs }) => atMs <= now.getTime())
  return {
    id: newId(createdAt),
    providerSessionId: randomUUID(),
    createdAt,
    closesAt,
    ...applyReports(reports),
    ...requestData(createdAt, now, rules, random),
  }
}

const created: VerificationState = {
  status: 'pending',
  attemptId: null,
  pastAttemptIds: [],
  decidedAt: null,
  completedAt: null,
  confidence: null,
  over18: null,
}

function applyReports(reports: TimedReport[]) {
  let state = created
  let tokenRevokedAt: Date | null = null
  const changes: GeneratedChange[] = []
  for (const { atMs, report } of reports) {
    const at = new Date(atMs)
    const effect = effectOf(report, state, at)
    if (effect.kind === 'none') continue
    if (effect.kind === 'moved') state = effect.state
    else if (effect.revokesToken) tokenRevokedAt = at
    const status = effect.kind === 'moved' ? effect.state.status : effect.status
    changes.push({ at, status, applied: effect.kind === 'moved', report })
  }
  return { state, changes, tokenRevokedAt }
}

const userAgents = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 Version/19.1 Mobile Safari/604.1',
  'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 Chrome/154.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:146.0) Gecko/20100101 Firefox/146.0',
]

/** Request data past its retention is already purged. Addresses are from a documentation network (RFC 5737). */
function requestData(createdAt: Date, now: Date, rules: Rules, random: Random) {
  const purgeAt = new Date(createdAt.getTime() + rules.requestDataRetentionMs)
  if (purgeAt <= now || random() < 0.4) return { userAgent: null, ip: null }
  return { userAgent: pick(random, userAgents), ip: `203.0.113.${1 + Math.floor(random() * 254)}` }
}
