import { expect } from 'chai'
import { decodeProtectedHeader } from 'jose'
import { addMember } from '#domain/member/add-member.ts'
import { forTenant } from '#domain/scope.ts'
import { rotateSigningKey } from '#domain/signing-key/rotate-signing-key.ts'
import { revokeToken } from '#domain/token/revoke-token.ts'
import { decisionOn, sendCallback, sessionOf } from '../harness/provider-callback.ts'
import { tenantClient } from '../harness/tenant-client.ts'
import { createTestClock } from '../harness/test-clock.ts'
import { useService, useTenant } from '../harness/use-service.ts'

describe('GET /verify/status once the token is revoked', () => {
  const clock = createTestClock()
  const service = useService({ clock })
  const tenant = useTenant(service)
  const client = tenantClient(service, tenant)

  interface Approved {
    verificationId: string
    token: string
  }

  async function revokeAsMember({ verificationId }: Approved) {
    const { tenantId } = tenant
    const operator = service.operator()
    const member = { issuer: operator.rules.memberIssuer, subject: 'dana', role: 'developer' } as const
    await addMember(forTenant(operator, tenantId), member)
    const actor = { kind: 'member', tenantId, ip: '203.0.113.7', ...member } as const
    await revokeToken({ ...operator, actor }, { verificationId })
  }

  const revocations: Record<string, (approved: Approved) => Promise<unknown>> = {
    'by a member of the tenant': revokeAsMember,
    'by the operator': ({ verificationId }) =>
      revokeToken(forTenant(service.operator(), tenant.tenantId), { verificationId }),
    'because its signing key was compromised': ({ token }) =>
      rotateSigningKey(service.operator(), { compromised: decodeProtectedHeader(token).kid }),
    'because the provider declined after it had approved': async ({ verificationId }) =>
      sendCallback(
        service,
        decisionOn(await sessionOf(service, verificationId), 'declined', { code: 9102, reasonCode: 106 }),
      ),
  }

  for (const [cause, revoke] of Object.entries(revocations)) {
    it(`keeps the result, but neither the age nor the token, ${cause}`, async () => {
      const verificationId = await client.decided('approve-adult')
      const { token, ...result } = (await client.status(verificationId)).body
      expect(result).to.include({ status: 'approved', over18: true }).and.not.have.property('tokenRevokedAt')
      clock.advance(1_000)
      await revoke({ verificationId, token })
      const revoked = { ...result, over18: null, tokenRevokedAt: clock().toISOString() }
      clock.advance(1_000)
      for (const read of [() => client.status(verificationId), () => client.awaitChange(verificationId, 1)]) {
        const { status, body } = await read()
        expect(status).to.equal(200)
        expect(body).to.deep.equal(revoked)
      }
      expect((await client.validate(token)).body).to.deep.equal({
        valid: false,
        over18: false,
        reason: 'TOKEN_REVOKED',
      })
    })
  }

  it('says so of this verification only, also among those that are asked for at the same time', async () => {
    const [kept, revoked] = [await client.decided('approve-adult'), await client.decided('approve-adult')]
    await revokeToken(forTenant(service.operator(), tenant.tenantId), { verificationId: revoked })
    const [ofKept, ofRevoked] = await Promise.all([client.status(kept), client.status(revoked)])
    expect(ofKept.body).to.include({ over18: true }).and.not.have.property('tokenRevokedAt')
    expect(ofRevoked.body).to.include({ over18: null }).and.not.have.property('token')
  })

  it('says nothing of it for those that never had a token', async () => {
    const { body } = await client.status(await client.decided('decline'))
    expect(body).not.to.have.any.keys('token', 'tokenRevokedAt')
  })
})
