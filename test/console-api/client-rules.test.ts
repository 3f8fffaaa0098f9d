import { expect } from 'chai'
import { hasRight, rights, roles } from '#domain/permissions.ts'
import { useConsoleServer } from './console-server.ts'
import { addTestTenant, type TestTenant } from './tenants.ts'

/** Rules that clients ask the console for, so that they need no copies. */
describe('the rules that the console reports to its clients', () => {
  const server = useConsoleServer()
  let tenant: TestTenant
  before(async () => {
    tenant = await addTestTenant(server)
  })

  for (const role of roles) {
    it(`lists exactly the rights that the console enforces for the ${role} role`, async () => {
      const { memberships } = await (await server.client(tenant[role])).session.me.query()
      expect(memberships).to.have.lengthOf(1)
      expect(memberships[0]?.rights).to.deep.equal(rights.filter(right => hasRight(role, right)))
    })
  }
})
