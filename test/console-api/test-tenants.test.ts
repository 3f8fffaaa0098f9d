import { expect } from 'chai'
import { errorOf } from './call.ts'
import { useConsoleServer } from './console-server.ts'
import { addVerification } from './tenants.ts'

describe('A member of a test tenant', () => {
  const server = useConsoleServer()
  let live: string
  let test: string
  before(async () => {
    const owner = await server.client('olivia')
    live = (await owner.tenant.provision.mutate({ name: 'Inn' })).tenantId
    test = (await owner.tenant.provision.mutate({ name: 'Inn, test', test: true })).tenantId
    const invited = await (await server.client('olivia', test)).members.invite.mutate({ role: 'owner' })
    const accepted = await (await server.client('tess')).session.acceptInvitation.mutate({
      code: invited.code,
    })
    expect(accepted).to.deep.equal({ tenantId: test, role: 'owner' })
  })

  it('is no member of the live tenant of the same owner, who invited them', async () => {
    const { memberships } = await (await server.client('tess')).session.me.query()
    expect(memberships.map(({ tenantId, test }) => ({ tenantId, test }))).to.deep.equal([
      { tenantId: test, test: true },
    ])
    const attacker = await server.client('tess', live)
    for (const attack of [
      () => attacker.verifications.list.query(),
      () => attacker.apiKeys.create.mutate({ name: 'Till' }),
      () => attacker.members.invite.mutate({ role: 'owner' }),
    ]) {
      expect(await errorOf(attack())).to.include({ error: 'TENANT_NOT_PROVISIONED' })
    }
  })

  it('creates keys of test tenants only', async () => {
    const { apiKey } = await (await server.client('tess', test)).apiKeys.create.mutate({ name: 'Till' })
    expect(apiKey).to.match(/^avk_test_/)
  })

  it('exports nothing of the live tenant, whose exports have nothing of the test tenant', async () => {
    const ids = { [live]: '', [test]: '' }
    for (const tenantId of [live, test]) {
      ids[tenantId] = await addVerification(server, tenantId)
    }
    const exportAs = async (subject: string, tenantId: string) => {
      const headers = {
        authorization: `Bearer ${await server.signIn.sign({ sub: subject })}`,
        'x-tenant-id': tenantId,
      }
      const response = await server.fetch('exports/verifications.csv?from=2026-11-01&to=2026-11-30', {
        headers,
      })
      return { status: response.status, text: await response.text() }
    }
    expect(await exportAs('tess', live)).to.include({ status: 403 })
    for (const [mine, theirs] of [
      [live, test],
      [test, live],
    ] as const) {
      const { status, text } = await exportAs('olivia', mine)
      expect(status, text).to.equal(200)
      expect(text).to.include(ids[mine]).and.not.include(ids[theirs])
    }
  })
})
