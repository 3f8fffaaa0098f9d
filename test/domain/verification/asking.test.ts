import { expect } from 'chai'
import { askProvider } from '#domain/verification/ask-provider.ts'
import { getVerificationStatus } from '#domain/verification/get-verification-status.ts'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import { submitVerification } from '#domain/verification/submit-verification.ts'
import { away } from './scripted-provider.ts'
import { openStage, type Stage } from './stage.ts'
import { type OneVerification, startOne } from './start-one.ts'

describe('asking the provider after POST /verify/submit', () => {
  let stage: Stage
  let tenantId: string
  let one: OneVerification
  before(async () => {
    stage = await openStage()
    tenantId = await stage.addTenant()
  })
  after(() => stage.close())
  beforeEach(async () => {
    stage.provider.before = async () => {}
    await stage.rows('update verification set ask_provider_at = null')
    one = await startOne(stage, tenantId)
    stage.provider.asked.length = 0
    stage.rings.length = 0
  })

  it('is due at once, and workers are woken for it', async () => {
    const report = await submitVerification(stage.tenant(tenantId), one.verificationId)
    expect(report).to.include({ status: 'submitted', completedAt: null, confidence: null, token: null })
    expect(stage.rings).to.deep.equal(['tasks'])
    expect(await askProvider(stage.service())).to.equal(1)
    expect(stage.provider.asked).to.deep.equal([one.providerSessionId])
  })

  it('finds the decision whose callback was lost, and ends', async () => {
    stage.provider.decisions.set(one.providerSessionId, one.result('approved', { over18: true }))
    await submitVerification(stage.tenant(tenantId), one.verificationId)
    await askProvider(stage.service())
    const report = await getVerificationStatus(stage.tenant(tenantId), one.verificationId)
    expect(report.status).to.equal('approved')
    expect(report.token).to.be.a('string')
    expect(await dueAt(one)).to.equal(null)
  })

  it('goes on ever more slowly while there is no decision, and stops some time', async () => {
    await submitVerification(stage.tenant(tenantId), one.verificationId)
    const gaps: number[] = []
    for (let asked = 0; asked < 20; asked++) {
      expect(await askProvider(stage.service())).to.equal(1)
      const due = await dueAt(one)
      if (due === null) break
      const gap = due - stage.clock().getTime()
      gaps.push(gap / 1000)
      stage.clock.advance(gap - 1)
      expect(await askProvider(stage.service())).to.equal(0)
      stage.clock.advance(1)
    }
    expect(gaps).to.deep.equal([5, 10, 20, 60, 300, 900, 3600])
    expect(stage.provider.asked).to.have.length(8)
  })

  it('goes on when the provider is away', async () => {
    stage.provider.before = away
    await submitVerification(stage.tenant(tenantId), one.verificationId)
    await askProvider(stage.service())
    stage.provider.before = async () => {}
    stage.provider.decisions.set(one.providerSessionId, one.result('declined'))
    stage.clock.advance(5_000)
    await askProvider(stage.service())
    const report = await getVerificationStatus(stage.tenant(tenantId), one.verificationId)
    expect(report.status).to.equal('denied')
  })

  it('goes on while the provider only says that it reviews', async () => {
    stage.provider.decisions.set(one.providerSessionId, one.result('review'))
    await submitVerification(stage.tenant(tenantId), one.verificationId)
    await askProvider(stage.service())
    expect(await dueAt(one)).to.equal(stage.clock().getTime() + 5_000)
  })

  it('is started anew by each submit, also by one that comes while an answer is awaited', async () => {
    await submitVerification(stage.tenant(tenantId), one.verificationId)
    for (let asked = 0; asked < 6; asked++) {
      await askProvider(stage.service())
      stage.clock.set(new Date((await dueAt(one))!))
    }
    stage.provider.before = async () => {
      stage.provider.before = async () => {}
      await submitVerification(stage.tenant(tenantId), one.verificationId)
    }
    await askProvider(stage.service())
    stage.provider.asked.length = 0
    stage.clock.advance(30_000)
    await askProvider(stage.service())
    expect(stage.provider.asked).to.deep.equal([one.providerSessionId])
  })

  it('is not forgotten when the tenant submits while a request to repeat is being recorded', async () => {
    const repeat = one.result('resubmission_requested', { attemptId: 'first', decidedAt: stage.clock() })
    stage.provider.decisions.set(one.providerSessionId, repeat)
    await submitVerification(stage.tenant(tenantId), one.verificationId)
    const scope = stage.service()
    const { pool } = scope
    const racing = {
      ...scope,
      em: scope.em,
      pool: {
        async query(statement: Parameters<typeof pool.query>[0]) {
          const answer = await pool.query(statement)
          if (statement.name === 'move-verification') {
            await submitVerification(stage.tenant(tenantId), one.verificationId)
          }
          return answer
        },
      },
    }
    await askProvider(racing)
    stage.clock.advance(30_000)
    expect(await askProvider(stage.service())).to.equal(1)
  })

  it('is done by one worker at a time, and again within 30 s if that one is killed', async () => {
    const answer = Promise.withResolvers<void>()
    await submitVerification(stage.tenant(tenantId), one.verificationId)
    const killed = { ...stage.service(), em: stage.service().em, provider: silentProvider(answer.promise) }
    const asking = askProvider(killed)
    const other = await stage.openProcess()
    expect(await askProvider(other.service())).to.equal(0)
    stage.clock.advance(29_999)
    expect(await askProvider(other.service())).to.equal(0)
    stage.clock.advance(1)
    expect(await askProvider(other.service())).to.equal(1)
    const due = await dueAt(one)
    answer.resolve()
    await asking
    expect(await dueAt(one)).to.equal(due)
  })

  it('concerns no verification that was completed meanwhile', async () => {
    await submitVerification(stage.tenant(tenantId), one.verificationId)
    stage.provider.before = async () => {
      stage.provider.before = async () => {}
      await recordProviderResult(stage.service(), one.result('approved'))
    }
    await askProvider(stage.service())
    expect(await dueAt(one)).to.equal(null)
    const refusal = await submitVerification(stage.tenant(tenantId), one.verificationId).catch(error => error)
    expect(refusal.code).to.equal('VERIFICATION_ALREADY_COMPLETED')
    expect(await dueAt(one)).to.equal(null)
  })

  it('is refused to other tenants as for an unknown verification', async () => {
    const stranger = await stage.addTenant()
    const refusal = await submitVerification(stage.tenant(stranger), one.verificationId).catch(error => error)
    expect(refusal.code).to.equal('VERIFICATION_NOT_FOUND')
    const { status } = await getVerificationStatus(stage.tenant(tenantId), one.verificationId)
    expect(status).to.equal('pending')
    expect(await dueAt(one)).to.equal(null)
  })

  it('asks about the others though one can’t be recorded, and finishes them before it fails', async () => {
    const healthy = await startOne(stage, tenantId)
    for (const { verificationId } of [one, healthy]) {
      await submitVerification(stage.tenant(tenantId), verificationId)
    }
    stage.provider.decisions.set(healthy.providerSessionId, healthy.result('approved'))
    stage.provider.before = async () => {
      if (stage.provider.asked.at(-1) === one.providerSessionId) throw new TypeError('a defect')
      await new Promise(resolve => setImmediate(resolve))
    }
    const outcome = await askProvider(stage.service()).catch(error => error)
    expect(outcome).to.be.instanceOf(TypeError)
    const { status } = await getVerificationStatus(stage.tenant(tenantId), healthy.verificationId)
    expect(status).to.equal('approved')
    expect(await dueAt(one)).to.equal(stage.clock().getTime() + 30_000)
  })

  async function dueAt({ verificationId }: OneVerification): Promise<number | null> {
    const [row] = await stage.rows<{ due: number | null }>(
      'select (extract(epoch from ask_provider_at) * 1000)::float8 as due from verification where id = $1',
      [verificationId],
    )
    return row!.due
  }
})

function silentProvider(answer: Promise<void>) {
  return {
    createSession: () => Promise.reject(new Error('nothing is started here')),
    fetchDecision: () => answer.then(() => undefined),
  }
}
