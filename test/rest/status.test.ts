import { expect } from 'chai'
import { expectError, expectIssueAt } from '../harness/expect-error.ts'
import { control, tenantClient } from '../harness/tenant-client.ts'
import { createTestClock } from '../harness/test-clock.ts'
import { createTestTenant } from '../harness/test-service.ts'
import { useService, useTenant } from '../harness/use-service.ts'

const milliseconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('GET /verify/status', () => {
  const clock = createTestClock(new Date('2026-03-04T05:06:07.089Z'))
  const service = useService({ clock })
  const tenant = useTenant(service)
  const client = tenantClient(service, tenant)

  it('returns each status that the user reaches in the hosted flow', async () => {
    const { verificationId } = (await client.start()).body
    const currentStatus = async () => (await client.status(verificationId)).body.status
    expect(await currentStatus()).to.equal('pending')
    await control(service, verificationId, 'open')
    expect(await currentStatus()).to.equal('started')
    await control(service, verificationId, 'submit')
    expect(await currentStatus()).to.equal('submitted')
    await control(service, verificationId, 'decide', { outcome: 'resubmission' })
    expect(await currentStatus()).to.equal('resubmission')
    await control(service, verificationId, 'open')
    await control(service, verificationId, 'submit')
    await control(service, verificationId, 'decide', { outcome: 'approve-adult' })
    expect(await currentStatus()).to.equal('approved')
  })

  it('returns confidence and completedAt after completion, and null before it', async () => {
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
      over18: null,
      createdAt: '2026-03-04T05:06:07.089Z',
      completedAt: '2026-03-04T05:07:08.090Z',
    })
    expect(done.body.completedAt).to.match(milliseconds)
    clock.set(new Date('2026-03-04T05:06:07.089Z'))
  })

  it('returns the token of an approved verification, and of no other', async () => {
    const approved = await client.status(await client.decided('approve-adult'))
    expect(approved.body).to.have.all.keys(
      'verificationId',
      'status',
      'confidence',
      'over18',
      'createdAt',
      'completedAt',
      'token',
    )
    expect(approved.body.confidence).to.equal(1)
    expect(approved.body.token.split('.')).to.have.length(3)
    for (const outcome of ['decline', 'expire', 'abandon', 'resubmission', 'review']) {
      const { body } = await client.status(await client.decided(outcome))
      expect(body, outcome).not.to.have.property('token')
    }
  })

  for (const [outcome, over18] of [
    ['approve-adult', true],
    ['approve-minor', false],
    ['approve-unknown-age', null],
    ['decline', null],
  ] as const) {
    it(`returns over18 = ${over18} after the provider decided ${outcome}`, async () => {
      const { body } = await client.status(await client.decided(outcome))
      expect(body.over18).to.equal(over18)
    })
  }

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
    it(`returns ${status} after the provider decided ${outcome}`, async () => {
      const { body } = await client.status(await client.decided(outcome))
      expect(body.status).to.equal(status)
      expect(body.completedAt !== null).to.equal(completed)
      expect(body.confidence !== null).to.equal(completed)
    })
  }

  it("returns the provider's score as confidence", async () => {
    const id = await client.decided('approve-adult', { shape: 'full-auto', decisionScore: 0.93 })
    expect((await client.status(id)).body.confidence).to.equal(0.93)
  })

  it('accepts the identifier in upper case', async () => {
    const { verificationId } = (await client.start()).body
    const response = await client.status(verificationId.toUpperCase())
    expect(response.status).to.equal(200)
    expect(response.body.verificationId).to.equal(verificationId)
  })

  it('returns 404 for a verification that was never started', async () => {
    const response = await client.status('019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1')
    expectError(response, 'VERIFICATION_NOT_FOUND')
  })

  it("returns the same 404 for another tenant's verification as for an unknown one", async () => {
    const other = await createTestTenant(service)
    const { verificationId } = (await client.start()).body
    const ofOtherTenant = await tenantClient(service, other).status(verificationId)
    const unknown = await tenantClient(service, other).status('019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1')
    expectError(ofOtherTenant, 'VERIFICATION_NOT_FOUND')
    expect({ ...ofOtherTenant.body, requestId: '' }).to.deep.equal({ ...unknown.body, requestId: '' })
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
    it(`rejects ${title}`, async () => {
      const response = await client.send(`/verify/status${query}`)
      expectIssueAt(response, 'verificationId', 'INVALID_PARAMETERS')
    })
  }

  it('rejects an unknown parameter', async () => {
    const response = await client.send(`/verify/status?verificationId=${someId()}&verbose=1`)
    expectIssueAt(response, 'verbose', 'INVALID_PARAMETERS')
  })
})

function someId(): string {
  return '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1'
}
