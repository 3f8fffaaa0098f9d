import { expect } from 'chai'
import { expectError, expectIssueAt } from '#test/support/expect-error.ts'
import { control, tenantClient } from '#test/support/tenant-client.ts'
import { createTestClock } from '#test/support/test-clock.ts'
import { createTestTenant } from '#test/support/test-service.ts'
import { useService, useTenant } from '#test/support/use-service.ts'

const milliseconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('GET /verify/status', () => {
  const clock = createTestClock(new Date('2026-03-04T05:06:07.089Z'))
  const service = useService({ clock })
  const tenant = useTenant(service)
  const client = tenantClient(service, tenant)

  it('follows the user through the hosted flow', async () => {
    const { verificationId } = (await client.start()).body
    const stands = async () => (await client.status(verificationId)).body.status
    expect(await stands()).to.equal('pending')
    await control(service, verificationId, 'open')
    expect(await stands()).to.equal('started')
    await control(service, verificationId, 'submit')
    expect(await stands()).to.equal('submitted')
    await control(service, verificationId, 'decide', { outcome: 'resubmission' })
    expect(await stands()).to.equal('resubmission')
    await control(service, verificationId, 'open')
    await control(service, verificationId, 'submit')
    await control(service, verificationId, 'decide', { outcome: 'approve-adult' })
    expect(await stands()).to.equal('approved')
  })

  it('tells no confidence and no end before completion, and both after it', async () => {
    const { verificationId } = (await client.start()).body
    const open = await client.status(verificationId)
    expect(open.body).to.deep.equal({
      verificationId,
      status: 'pending',
      confidence: null,
      createdAt: '2026-03-04T05:06:07.089Z',
      completedAt: null,
    })
    clock.advance(61_001)
    await control(service, verificationId, 'decide', { outcome: 'decline' })
    const done = await client.status(verificationId)
    expect(done.body).to.deep.equal({
      verificationId,
      status: 'denied',
      confidence: 0,
      createdAt: '2026-03-04T05:06:07.089Z',
      completedAt: '2026-03-04T05:07:08.090Z',
    })
    expect(done.body.completedAt).to.match(milliseconds)
    clock.set(new Date('2026-03-04T05:06:07.089Z'))
  })

  it('carries the token once approved, and only then', async () => {
    const approved = await client.status(await client.decided('approve-adult'))
    expect(approved.body).to.have.all.keys(
      ...['verificationId', 'status', 'confidence', 'createdAt', 'completedAt', 'token'],
    )
    expect(approved.body.confidence).to.equal(1)
    expect(approved.body.token.split('.')).to.have.length(3)
    for (const outcome of ['decline', 'expire', 'abandon', 'resubmission', 'review']) {
      const { body } = await client.status(await client.decided(outcome))
      expect(body, outcome).not.to.have.property('token')
    }
  })

  for (const [outcome, status, completed] of [
    ['approve-adult', 'approved', true],
    ['approve-minor', 'approved', true],
    ['approve-unknown-age', 'approved', true],
    ['decline', 'denied', true],
    ['resubmission', 'resubmission', false],
    ['review', 'submitted', false],
    ['abandon', 'rejected', true],
    ['expire', 'rejected', true],
  ] as const) {
    it(`is ${status} when the provider says ${outcome}`, async () => {
      const { body } = await client.status(await client.decided(outcome))
      expect(body.status).to.equal(status)
      expect(body.completedAt !== null).to.equal(completed)
      expect(body.confidence !== null).to.equal(completed)
    })
  }

  it("passes the provider's score on as confidence", async () => {
    const id = await client.decided('approve-adult', { shape: 'full-auto', decisionScore: 0.93 })
    expect((await client.status(id)).body.confidence).to.equal(0.93)
  })

  it('takes the identifier in upper case too', async () => {
    const { verificationId } = (await client.start()).body
    const answer = await client.status(verificationId.toUpperCase())
    expect(answer.status).to.equal(200)
    expect(answer.body.verificationId).to.equal(verificationId)
  })

  it('knows no verification that was never started', async () => {
    const answer = await client.status('019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1')
    expectError(answer, 'VERIFICATION_NOT_FOUND')
  })

  it("tells another tenant's verification from an unknown one in nothing", async () => {
    const other = await createTestTenant(service)
    const { verificationId } = (await client.start()).body
    const strangers = await tenantClient(service, other).status(verificationId)
    const unknown = await tenantClient(service, other).status('019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1')
    expectError(strangers, 'VERIFICATION_NOT_FOUND')
    expect({ ...strangers.body, requestId: '' }).to.deep.equal({ ...unknown.body, requestId: '' })
  })

  for (const [title, query] of [
    ['no parameter', ''],
    ['an empty identifier', '?verificationId='],
    ['a UUID of version 4', '?verificationId=9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d'],
    ['no UUID', '?verificationId=1'],
    ['a NUL', '?verificationId=%00'],
    ['an SQL text', `?verificationId=${encodeURIComponent("' or 1=1 --")}`],
    ['a repeated identifier', `?verificationId=${someId()}&verificationId=${someId()}`],
    ['a list', `?verificationId[]=${someId()}`],
    ['a wrong case', `?verificationid=${someId()}`],
  ] as const) {
    it(`refuses ${title}`, async () => {
      const answer = await client.send(`/verify/status${query}`)
      expectIssueAt(answer, 'verificationId', 'INVALID_PARAMETERS')
    })
  }

  it('refuses an unknown parameter', async () => {
    const answer = await client.send(`/verify/status?verificationId=${someId()}&verbose=1`)
    expectIssueAt(answer, 'verbose', 'INVALID_PARAMETERS')
  })
})

function someId(): string {
  return '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1'
}
