import { expect } from 'chai'
import { addMember } from '#domain/member/add-member.ts'
import { forTenant } from '#domain/scope.ts'
import { hashSignIn } from '#server/services.ts'
import { startSignInProvider } from '../../console-api/sign-in-provider.ts'
import { call } from '../../harness/tenant-client.ts'
import { useOpened } from '../../harness/use-opened.ts'
import { useService, useTenant } from '../../harness/use-service.ts'

describe('The sign-ins that a process knows', () => {
  const signIn = useOpened(() => startSignInProvider(() => new Date()))
  const service = useService(() => ({ issuer: signIn.issuer }))
  const tenant = useTenant(service)

  async function get(path: string, authorization: string): Promise<number> {
    return (await call(`${service.baseUrl}/console/${path}`, { headers: { authorization } })).status
  }

  it('are those of members that it has served, with their tenant, and no other ones', async () => {
    const tenantOf = (header: string) => service.services.knownSignIns.tenantOf(hashSignIn(header))
    const [member, stranger] = [
      `Bearer ${await signIn.sign({ sub: 'member' })}`,
      `Bearer ${await signIn.sign({ sub: 'stranger' })}`,
    ]
    const scope = forTenant(service.operator(), tenant.tenantId)
    await addMember(scope, { subject: 'member', role: 'viewer' })
    expect([member, stranger, ''].map(tenantOf)).to.deep.equal([undefined, undefined, undefined])
    expect(await get('tenant.get', member)).to.equal(200)
    expect(await get('tenant.get', stranger)).to.equal(403)
    expect(await get('tenant.get', 'Bearer x')).to.equal(401)
    expect([member, stranger, 'Bearer x'].map(tenantOf)).to.deep.equal([
      tenant.tenantId,
      undefined,
      undefined,
    ])
  })
})
