import { expect } from 'chai'
import { forTenant } from '#domain/scope.ts'
import { revokeToken } from '#domain/token/revoke-token.ts'
import { control, tenantClient } from '../harness/tenant-client.ts'
import { createTestClock } from '../harness/test-clock.ts'
import { useService, useTenant } from '../harness/use-service.ts'

const milliseconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('GET /verify/status', () => {
  const clock = createTestClock(new Date('2026-03-04T05:06:07.089Z'))
  const service = useService({ clock })
  const tenant = useTenant(service)
  const client = tenantClient(service, tenant)

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

  it('returns the token of an approved verification, with the age and confidence', async () => {
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
  })

  for (const [outcome, status, over18, completed] of [
    ['approve-adult', 'approved', true, true],
    ['approve-minor', 'approved', false, true],
    ['approve-unknown-age', 'approved', null, true],
    ['decline', 'denied', null, true],
    ['resubmission', 'resubmission', undefined, false],
    ['review', 'submitted', undefined, false],
    ['abandon', 'rejected', null, true],
    ['expire', 'rejected', null, true],
  ] as const) {
    it(`returns ${status} and over18 = ${over18} after the provider decided ${outcome}`, async () => {
      const { body } = await client.status(await client.decided(outcome))
      expect(body.status).to.equal(status)
      expect(body.over18).to.equal(over18)
      expect(body.completedAt !== null).to.equal(completed)
      expect(body.confidence !== null).to.equal(completed)
      expect('token' in body).to.equal(status === 'approved')
    })
  }

  it('keeps the result, but neither the age nor the token, once the token is revoked', async () => {
    const [verificationId, kept] = [
      await client.decided('approve-adult'),
      await client.decided('approve-adult'),
    ]
    const { token, ...result } = (await client.status(verificationId)).body
    expect(result).to.include({ status: 'approved', over18: true }).and.not.have.property('tokenRevokedAt')
    await revokeToken(forTenant(service.operator(), tenant.tenantId), { verificationId })
    const revoked = { ...result, over18: null, tokenRevokedAt: clock().toISOString() }
    const [first, other] = await Promise.all([client.status(verificationId), client.status(kept)])
    expect(first.body).to.deep.equal(revoked)
    expect(other.body).to.include({ over18: true }).and.not.have.property('tokenRevokedAt')
    expect((await client.awaitChange(verificationId, 1)).body).to.deep.equal(revoked)
    expect((await client.validate(token)).body.reason).to.equal('TOKEN_REVOKED')
  })

  it('accepts the identifier in upper case', async () => {
    const { verificationId } = (await client.start()).body
    const response = await client.status(verificationId.toUpperCase())
    expect(response.status).to.equal(200)
    expect(response.body.verificationId).to.equal(verificationId)
  })
})
