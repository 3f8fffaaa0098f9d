import { expect } from 'chai'
import { consoleRouter } from '#console-api/router.ts'
import { type Role, roles } from '#domain/member/member.policy.ts'
import { type Call, call } from './call.ts'
import { type ConsoleServer, callersIp, startConsoleServer } from './console-server.ts'
import { addTestTenant, type TestTenant } from './tenants.ts'

interface Row {
  kind: 'query' | 'mutation'
  /** The least role that may; `anyone` who is signed in needs no tenant. */
  least: Role | 'anyone'
  /** Right input that speaks of this tenant's things. */
  input?: (tenant: TestTenant) => object
  /** What the input gets in a tenant that its ids are not of. */
  elsewhere?: 'INVALID_PARAMETERS' | 'VERIFICATION_NOT_FOUND'
}

const url = 'https://new.example.com/'

/** Written down once more, as the promise that is kept to customers. */
const promised: Record<string, Row> = {
  'session.me': { kind: 'query', least: 'anyone' },
  'tenant.provision': { kind: 'mutation', least: 'anyone', input: () => ({ name: 'Mine' }) },
  'tenant.get': { kind: 'query', least: 'viewer' },
  'tenant.update': { kind: 'mutation', least: 'owner', input: () => ({ name: 'Renamed' }) },
  'members.list': { kind: 'query', least: 'viewer' },
  'members.add': { kind: 'mutation', least: 'owner', input: () => ({ subject: 'new', role: 'viewer' }) },
  'members.setRole': {
    ...{ kind: 'mutation', least: 'owner', elsewhere: 'INVALID_PARAMETERS' },
    input: ({ viewer }) => ({ subject: viewer, role: 'developer' }),
  },
  'members.remove': {
    ...{ kind: 'mutation', least: 'owner', elsewhere: 'INVALID_PARAMETERS' },
    input: ({ viewer }) => ({ subject: viewer }),
  },
  'apiKeys.list': { kind: 'query', least: 'viewer' },
  'apiKeys.create': { kind: 'mutation', least: 'developer', input: () => ({ name: 'Door' }) },
  'apiKeys.revoke': {
    ...{ kind: 'mutation', least: 'developer', elsewhere: 'INVALID_PARAMETERS' },
    input: ({ apiKeyId }) => ({ apiKeyId }),
  },
  'settings.get': { kind: 'query', least: 'viewer' },
  'settings.checkWebhookUrl': { kind: 'query', least: 'developer', input: () => ({ url }) },
  'settings.checkReturnUrl': { kind: 'query', least: 'developer', input: () => ({ url }) },
  'settings.setWebhookUrl': { kind: 'mutation', least: 'developer', input: () => ({ url }) },
  'settings.setReturnUrl': { kind: 'mutation', least: 'developer', input: () => ({ url }) },
  'settings.revealWebhookSecret': { kind: 'mutation', least: 'developer' },
  'settings.rotateWebhookSecret': { kind: 'mutation', least: 'developer' },
  'verifications.list': { kind: 'query', least: 'viewer' },
  'verifications.get': {
    ...{ kind: 'query', least: 'viewer', elsewhere: 'VERIFICATION_NOT_FOUND' },
    input: ({ verificationId }) => ({ verificationId }),
  },
  'tokens.revoke': {
    ...{ kind: 'mutation', least: 'developer', elsewhere: 'VERIFICATION_NOT_FOUND' },
    input: ({ verificationId }) => ({ verificationId }),
  },
  'usage.current': { kind: 'query', least: 'viewer' },
  'usage.daily': { kind: 'query', least: 'viewer' },
  'billing.get': { kind: 'query', least: 'viewer' },
  'audit.list': { kind: 'query', least: 'viewer' },
}

describe('every procedure of the console', () => {
  let server: ConsoleServer
  before(async () => {
    server = await startConsoleServer()
  })
  after(() => server.close())

  async function callAs(subject: string | undefined, request: Call) {
    const token = subject === undefined ? {} : { token: await server.signIn.sign({ sub: subject }) }
    return await call(server, { ...request, ...token })
  }

  /** What the tenant's members have done, but not the operator who made it. */
  async function auditedIn({ tenantId }: TestTenant): Promise<object[]> {
    return await server.database.orm.em
      .fork()
      .execute(
        `select actor, actor_ip, at::text from audit_event where tenant_id = ? and actor <> 'operator'`,
        [tenantId],
      )
  }

  it('is in the table of promises, as what it is', () => {
    const procedures = Object.entries(consoleRouter._def.procedures as unknown as Record<string, Procedure>)
    expect(procedures.map(([path]) => path)).to.have.members(Object.keys(promised))
    for (const [path, { _def }] of procedures) {
      expect(_def.type, path).to.equal(promised[path]?.kind)
      expect(_def.meta?.right === 'signed-in', path).to.equal(promised[path]?.least === 'anyone')
    }
  })

  for (const [path, row] of Object.entries(promised)) {
    describe(path, () => {
      let tenant: TestTenant
      let request: Call
      beforeEach(async () => {
        tenant = await addTestTenant(server)
        request = { path, kind: row.kind, input: row.input?.(tenant) }
      })

      /** Refused, without a stack, and without a change to the tenant. */
      async function expectError(
        subject: string | undefined,
        changed: Partial<Call>,
        status: number,
        code: string,
      ) {
        const answer = await callAs(subject, { ...request, ...changed })
        expect(answer.error?.data, answer.text).to.include({ error: code, httpStatus: status })
        expect(answer.error?.data.requestId).to.match(/^[0-9a-f-]{36}$/)
        expect(answer.status).to.equal(status)
        expect(answer.text).not.to.include('stack').and.not.to.include('.ts:')
        expect(await auditedIn(tenant)).to.deep.equal([])
      }

      it('is for the signed-in only', async () => {
        await expectError(undefined, {}, 401, 'UNAUTHENTICATED_TENANT')
        await expectError(undefined, { token: tenant.apiKey }, 401, 'UNAUTHENTICATED_TENANT')
        await expectError(
          undefined,
          { headers: { 'x-tenant-api-key': tenant.apiKey } },
          401,
          'UNAUTHENTICATED_TENANT',
        )
      })

      it('refuses fields that it does not know', async () => {
        const code = row.kind === 'query' ? 'INVALID_PARAMETERS' : 'INVALID_REQUEST_BODY'
        const input = { ...row.input?.(tenant), surprise: true }
        await expectError(tenant.owner, { input }, 400, code)
      })

      if (row.least === 'anyone') {
        it('works without a tenant', async () => {
          const answer = await callAs(`nobody of ${tenant.tenantId}`, request)
          expect(answer.status, answer.text).to.equal(200)
        })
        return
      }

      for (const role of roles) {
        const may = roles.indexOf(role) >= roles.indexOf(row.least)
        const promise = may ? (row.kind === 'query' ? 'works' : 'works, and is audited,') : 'is refused'
        it(`${promise} for the role ${role}`, async () => {
          if (!may) return await expectError(tenant[role], {}, 403, 'FORBIDDEN')
          const answer = await callAs(tenant[role], request)
          expect(answer.status, answer.text).to.equal(200)
          const event = { actor: tenant[role], actor_ip: callersIp, at: '2026-11-20 12:00:00+00' }
          expect(await auditedIn(tenant)).to.deep.equal(row.kind === 'mutation' ? [event] : [])
        })
      }

      it('is refused without a tenant', async () => {
        await expectError(`nobody of ${tenant.tenantId}`, {}, 403, 'TENANT_NOT_PROVISIONED')
      })

      it("is refused in another's tenant, as if there were none", async () => {
        const other = await addTestTenant(server)
        const named = { headers: { 'x-tenant-id': tenant.tenantId } }
        await expectError(other.owner, named, 403, 'TENANT_NOT_PROVISIONED')
      })

      it(`${row.kind === 'query' ? 'can be read' : 'changes nothing'} while the tenant is disabled`, async () => {
        const { orm } = server.database
        await orm.em.fork().execute('update tenant set disabled_at = now() where id = ?', [tenant.tenantId])
        if (row.kind === 'mutation') return await expectError(tenant.owner, {}, 401, 'TENANT_INACTIVE')
        const answer = await callAs(tenant.owner, request)
        expect(answer.status, answer.text).to.equal(200)
      })

      if (row.elsewhere) {
        const code = row.elsewhere
        it("does not find another tenant's things", async () => {
          const other = await addTestTenant(server)
          await expectError(other.owner, {}, code === 'VERIFICATION_NOT_FOUND' ? 404 : 400, code)
        })
      }
    })
  }
})

interface Procedure {
  _def: { type: string; meta?: { right?: string } }
}
