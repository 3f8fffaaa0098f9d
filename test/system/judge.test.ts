import { expect } from 'chai'
import { toDigest } from '#domain/verification/idempotency-lock.ts'
import { signature } from '#server/providers/veriff/signature.ts'
import { compareEvents } from '../chaos/audit/check-events.ts'
import { checkRows, type StoredRows } from '../chaos/audit/check-rows.ts'
import type { Exchange } from '../chaos/clients/send.ts'
import { judgeAnswer } from '../chaos/judge/judge-answer.ts'
import { judgeTenantCall } from '../chaos/judge/judge-tenant-call.ts'
import { judgeStatus, judgeToken } from '../chaos/judge/judge-verification.ts'
import { Ledger, noChange, type StartEntry, type TenantEntry } from '../chaos/judge/ledger.ts'
import { RateWindows } from '../chaos/judge/rate-windows.ts'
import { Timeline, Violations } from '../chaos/judge/timeline.ts'
import type { Run } from '../chaos/run.ts'

const requestId = '5f0c1d8e-0000-7000-8000-000000000000'
const verificationId = '01a1fae9-f313-7758-813c-a9764255c36c'
const completed = {
  verificationId,
  status: 'approved',
  confidence: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  completedAt: '2026-01-01T00:01:00.000Z',
  over18: true,
  token: 'jwt',
}

describe('The model of the service under faults', () => {
  let run: Run
  let tenant: TenantEntry
  let entry: StartEntry
  beforeEach(() => {
    const timeline = new Timeline()
    const violations = new Violations(timeline, () => undefined)
    tenant = tenantEntry()
    entry = startEntry(tenant)
    tenant.starts.push(entry)
    const ledger = new Ledger()
    ledger.tenants.push(tenant)
    const system = { receivers: { attempts: [] } }
    const windows = new RateWindows()
    run = { timeline, violations, ledger, windows, lifetimeIsOver: false, system } as unknown as Run
  })
  const found = () => run.violations.list.map(({ promise }) => promise)
  const call = (exchange: Exchange) =>
    judgeTenantCall(run, exchange, { tenant, apiKey: tenant.apiKey, rateClass: 'read' })

  it('accepts an error only during a fault that explains it, on a process that the fault reaches', () => {
    const error = { ...answer(500, { error: 'DATABASE_ERROR' }), answeredAt: Number.MAX_VALUE }
    const judge = () => judgeAnswer(error, run)
    judge()
    expect(found()).to.deep.equal(['DATABASE_ERROR only during a fault that explains it'])
    run.timeline.begin({ name: 'other', effects: ['redis'], processes: undefined })
    run.timeline.begin({ name: 'elsewhere', effects: ['database'], processes: ['api-1'] })
    judge()
    expect(found()).to.have.length(2)
    run.timeline.begin({ name: 'explains', effects: ['database'], processes: ['api-0'] })
    expect(judge()).to.equal('unknown')
    expect(found()).to.have.length(2)
  })

  it('finds a revoked key that is accepted, and a valid one that is not', () => {
    call(answer(401, { error: 'UNAUTHENTICATED_TENANT' }))
    expect(found()).to.deep.equal(['A valid key is accepted'])
    tenant.apiKey.revoked = { sentAt: 1, doneAt: 5 }
    call(answer(401, { error: 'UNAUTHENTICATED_TENANT' }))
    call({ ...answer(200, {}), sentAt: 4 })
    expect(found()).to.have.length(1)
    call(answer(200, {}))
    expect(found()).to.include('A revoked key is not accepted')
  })

  it('finds a result that was acknowledged and is not in the status', () => {
    const undecided = { status: 'submitted', confidence: null, completedAt: null, token: null }
    const open = answer(200, { ...completed, ...undecided })
    entry.decisions.push({ outcome: 'approve-adult', sentAt: 1, acknowledgedAt: undefined })
    judgeStatus(run, open, entry)
    expect(found()).to.deep.equal([])
    entry.decisions[0]!.acknowledgedAt = 2
    judgeStatus(run, open, entry)
    expect(found()).to.deep.equal(['An acknowledged result is in every later status'])
  })

  it('finds a completion that changes, that nobody decided, or that has the wrong age', () => {
    judgeStatus(run, answer(200, completed), entry)
    expect(found()).to.deep.equal(['A verification is completed by a decision only'])
    entry.completion = undefined
    entry.decisions.push({ outcome: 'approve-minor', sentAt: 1, acknowledgedAt: 2 })
    judgeStatus(run, answer(200, completed), entry)
    expect(found()).to.include("The age is the decision's")
    judgeStatus(run, { ...answer(200, { ...completed, confidence: 0.5 }), sentAt: 20 }, entry)
    expect(found()).to.include('A completed verification never changes')
  })

  it('finds a revoked token that a status still admits on, and a status without a token that nobody revoked', () => {
    entry.decisions.push({ outcome: 'approve-adult', sentAt: 1, acknowledgedAt: 2 })
    entry.completion = { receivedAt: 1, body: answer(200, completed).body }
    const { token: _, ...result } = completed
    const revoked = { ...result, over18: null, tokenRevokedAt: '2026-01-01T00:00:00.000Z' }
    judgeStatus(run, answer(200, revoked), entry)
    expect(found()).to.deep.equal(['Only a revoked token leaves the status'])
    entry.tokenRevoked = { sentAt: 2, doneAt: 3 }
    judgeStatus(run, answer(200, revoked), entry)
    expect(found()).to.deep.equal(['Only a revoked token leaves the status'])
    judgeStatus(run, answer(200, completed), entry)
    expect(found()).to.include('A revoked token is in no later status')
    judgeStatus(run, answer(200, { ...revoked, over18: true }), entry)
    expect(found()).to.include('After a revocation, a status admits nobody')
  })

  it('finds a revoked token that is accepted', () => {
    entry.completion = { receivedAt: 1, body: completed }
    const valid = answer(200, { valid: true, over18: true, reason: 'OK' })
    judgeToken(run, valid, entry)
    expect(found()).to.deep.equal([])
    entry.tokenRevoked = { sentAt: 2, doneAt: 3 }
    judgeToken(run, valid, entry)
    expect(found()).to.deep.equal(['A revoked token is not accepted'])
  })

  it('finds starts that are lost, doubled, or stored without having been wanted, and a wrong quota', () => {
    const row = { tenantId: tenant.tenantId, verificationId, keyDigest: null, completed: false }
    checkRows(run, rows({ verifications: [row], used: { [tenant.tenantId]: 1 } }))
    expect(found()).to.deep.equal([])
    checkRows(run, rows({}))
    const other = { ...row, verificationId: 'other' }
    checkRows(run, rows({ verifications: [row, other] }))
    entry.idempotencyKey = 'key'
    const ofKey = { ...other, keyDigest: toDigest('key') }
    checkRows(run, rows({ verifications: [row, ofKey] }))
    Object.assign(entry, { outcome: 'rejected', verificationId: undefined })
    checkRows(run, rows({ verifications: [ofKey], used: { [tenant.tenantId]: 1 } }))
    expect(found().filter(promise => !promise.includes('quota'))).to.deep.equal([
      'No acknowledged start is lost',
      'Every verification was started by a client',
      'A start makes one verification',
      'A rejected start stores nothing',
    ])
    expect(found().filter(promise => promise.includes('quota'))).to.have.length(2)
  })

  it('finds events that are missing, differ, are signed wrongly, come too often or for no reason', () => {
    const secret = 'whsec_test'
    const body = JSON.stringify({ data: { verificationId } })
    const sent = { path: tenant.receiverPath!, body, behaviour: 'accept' as const, at: performance.now() }
    const attempt = { ...sent, signature: signature(body, secret) }
    const row = { tenantId: tenant.tenantId, verificationId, keyDigest: null, completed: true }
    const compare = (attempts: (typeof attempt)[], verifications = [row], counted = attempts.length) => {
      const deliveries = [{ verificationId, state: 'delivered', attempts: counted }]
      compareEvents(run, rows({ received: attempts, verifications, deliveries }), tenant, [secret])
    }
    compare([attempt, attempt, attempt])
    expect(found()).to.deep.equal([])
    compare([])
    compare([attempt, attempt, attempt, attempt])
    compare([{ ...attempt, signature: signature(body, 'other') }])
    const other = `${body} `
    compare([attempt, { ...attempt, body: other, signature: signature(other, secret) }])
    compare([attempt, attempt], [row], 1)
    compare([attempt], [])
    entry.erased = { sentAt: 1, doneAt: 2 }
    compare([attempt], [])
    entry.decisions.push({ outcome: 'decline', sentAt: 0, acknowledgedAt: 1 })
    compare([attempt], [])
    compare([{ ...attempt, at: performance.now() + 60_000 }], [])
    expect(found()).to.deep.equal([
      'Every completed verification has an event',
      'An event has three attempts at most',
      'Every attempt has a valid signature',
      'All attempts of an event have the same body',
      'An attempt is counted before it is sent',
      ...Array(3).fill('Only completed verifications have an event'),
    ])
  })

  it('finds what is erased and still there, and what is gone without having been erased', () => {
    const gone = answer(404, { error: 'VERIFICATION_NOT_FOUND' })
    judgeStatus(run, gone, entry)
    entry.erased = { sentAt: 1, doneAt: 2 }
    judgeStatus(run, gone, entry)
    judgeStatus(run, answer(200, { ...completed, completedAt: null, confidence: null, token: null }), entry)
    const row = { tenantId: tenant.tenantId, verificationId, keyDigest: null, completed: false }
    const used = { [tenant.tenantId]: 1 }
    checkRows(run, rows({ used }))
    checkRows(run, rows({ verifications: [row], used }))
    expect(found()).to.deep.equal([
      'An acknowledged verification has a status',
      'An erased verification is not found',
      'An erased verification has no row',
    ])
  })
})

function answer(status: number, body: object): Exchange {
  const headers = { 'x-request-id': requestId, 'x-ratelimit-reset': '60', 'x-ratelimit-limit': '1000' }
  const sent = { process: 'api-0', request: 'GET /', sentAt: 10, answeredAt: 12 }
  return { ...sent, status, headers, text: '', body: { requestId, ...body }, failure: undefined }
}

function rows(fields: Partial<StoredRows>): StoredRows {
  return { received: [], verifications: [], reservations: 0, used: {}, deliveries: [], ...fields }
}

function tenantEntry(): TenantEntry {
  return {
    name: 'tenant',
    tenantId: '01a1faf4-2ed2-713d-8cb8-aef497facd61',
    owner: 'owner',
    apiKey: { apiKeyId: 'key', value: 'avk_', revoked: noChange() },
    furtherKeys: [],
    receiverPath: '/tenant',
    rotations: 0,
    startsMax: undefined,
    enabledChanges: [],
    starts: [],
    changes: { after: undefined, listed: new Map() },
  }
}

function startEntry(tenant: TenantEntry): StartEntry {
  return {
    tenant,
    idempotencyKey: undefined,
    outcome: 'acknowledged',
    mayUseQuota: true,
    response: '{}',
    verificationId,
    decisions: [],
    completion: undefined,
    tokenRevoked: noChange(),
    erased: noChange(),
  }
}
