import { expect } from 'chai'
import { consoleRouter } from '#console-api/router.ts'
import type { ErrorCode } from '#domain/error-codes.ts'
import type { ErrorDetails } from '#domain/error-details.ts'
import { addMember } from '#domain/member/add-member.ts'
import { type Role, roles } from '#domain/permissions.ts'
import { statusOf } from '#rest/errors.ts'
import { type Call, call } from './call.ts'
import { type ConsoleServer, clientIp, useConsoleServer } from './console-server.ts'
import { addTestTenant, type TestTenant } from './tenants.ts'

interface Expected {
  kind: 'query' | 'mutation'
  /** The lowest role with access; `anyone` is any signed-in user, with or without a tenant. */
  least: Role | 'anyone'
  /** Whether a call is recorded in the audit log of the tenant. Other mutations only keep their input out of the URL. */
  isAudited: boolean
}

/** The public contract, written independently of the router. An audited mutation has an exclamation mark. */
const contract = `
  session.me                    query      anyone
  session.memberships           query      anyone
  session.invitation            mutation   anyone
  session.acceptInvitation      mutation!  anyone
  session.saveProfile           mutation!  anyone
  tenant.provision              mutation!  anyone
  tenant.get                    query      viewer
  tenant.onboarding             query      viewer
  tenant.update                 mutation!  owner
  members.list                  query      viewer
  members.setRole               mutation!  owner
  members.remove                mutation!  owner
  members.leave                 mutation!  viewer
  members.invite                mutation!  owner
  members.listInvitations       query      viewer
  members.revokeInvitation      mutation!  owner
  apiKeys.list                  query      viewer
  apiKeys.get                   query      viewer
  apiKeys.create                mutation!  developer
  apiKeys.replace               mutation!  developer
  apiKeys.revoke                mutation!  developer
  settings.get                  query      viewer
  settings.deliveries           query      viewer
  settings.setWebhookUrl        mutation!  developer
  settings.setReturnUrl         mutation!  developer
  settings.sampleEvent          query      viewer
  settings.revealWebhookSecret  mutation!  developer
  settings.rotateWebhookSecret  mutation!  developer
  verifications.list            query      viewer
  verifications.get             query      viewer
  verifications.erase           mutation!  owner
  verifications.receipt         query      owner
  verifications.reasons         query      viewer
  tokens.revoke                 mutation!  developer
  usage.current                 query      viewer
  usage.daily                   query      viewer
  usage.summary                 query      viewer
  usage.unusual                 query      viewer
  usage.denials                 query      viewer
  usage.evidence                query      viewer
  billing.get                   query      viewer
  audit.list                    query      viewer
  audit.get                     query      viewer
  audit.actions                 query      viewer
`
const expected = Object.fromEntries(
  contract
    .trim()
    .split('\n')
    .map(line => {
      const [path, kind, least] = line.trim().split(/\s+/) as [string, string, Expected['least']]
      return [path, { kind: kind.replace('!', '') as Expected['kind'], least, isAudited: kind.endsWith('!') }]
    }),
) as Record<string, Expected>

const url = () => ({ url: 'https://new.example.com/' })
const invitation = ({ invitationCode: code }: TestTenant) => ({ code })
const apiKey = ({ apiKeyId }: TestTenant) => ({ apiKeyId })
const verification = ({ verificationId }: TestTenant) => ({ verificationId })
const member = ({ viewer: subject }: TestTenant) => ({ subject })

/** Valid input that names objects of the tenant. In another tenant, these are not found. */
const namingObjects: Record<string, (tenant: TestTenant) => object> = {
  'members.setRole': tenant => ({ ...member(tenant), role: 'developer' }),
  'members.remove': member,
  'members.revokeInvitation': ({ invitationId }) => ({ invitationId }),
  'apiKeys.get': apiKey,
  'apiKeys.replace': apiKey,
  'apiKeys.revoke': apiKey,
  'verifications.get': verification,
  'verifications.erase': verification,
  // As the one that was erased.
  'verifications.receipt': ({ tenantId: verificationId }) => ({ verificationId }),
  'tokens.revoke': verification,
  'audit.get': ({ auditEventId }) => ({ auditEventId }),
}

/** Valid input of the procedures that require one. */
const inputs: Record<string, (tenant: TestTenant) => object> = {
  ...namingObjects,
  'session.invitation': invitation,
  'session.acceptInvitation': invitation,
  'session.saveProfile': ({ strangerIdToken: idToken }) => ({ idToken }),
  'tenant.provision': () => ({ name: 'Mine' }),
  'tenant.update': () => ({ name: 'Renamed' }),
  'members.invite': () => ({ role: 'viewer' }),
  'apiKeys.create': () => ({ name: 'Web shop' }),
  'settings.setWebhookUrl': url,
  'settings.setReturnUrl': url,
  'usage.evidence': () => ({ month: '2026-11' }),
}

describe('every procedure of the console', () => {
  const server = useConsoleServer()

  /** Two that no test changes, and one that is disabled. */
  let [tenant, other, disabled] = [] as unknown as [TestTenant, TestTenant, TestTenant]
  before(async () => {
    tenant = await addTestTenant(server)
    other = await addTestTenant(server)
    disabled = await addTestTenant(server)
    const { orm } = server.database
    await orm.em.fork().execute('update tenant set disabled_at = now() where id = ?', [disabled.tenantId])
    const erased = { verifications: 1, tokens: 0, deliveries: 0, idempotencyKeys: 0, session: 'not_asked' }
    await orm.em.fork().execute(
      `insert into audit_event (tenant_id, id, at, actor_kind, action, target, changes)
       select tenant_id, overlay(id::text placing substr(gen_random_uuid()::text, 20) from 20)::uuid, at, 'operator', 'verification.erase', tenant_id, ?
       from audit_event where action = 'tenant.create'`,
      [JSON.stringify(erased)],
    )
  })

  /** Signing one for each call would take longer than the calls. */
  const tokens = new Map<string, string>()
  async function callAs(subject: string | undefined, request: Call) {
    if (subject === undefined) return await call(server, request)
    const token = tokens.get(subject) ?? (await server.signIn.sign({ sub: subject }))
    tokens.set(subject, token)
    return await call(server, { ...request, token })
  }

  /** Audit events of the tenant's members, without those of the operator that created it. */
  async function memberEventsOf({ tenantId }: TestTenant): Promise<object[]> {
    const text = `select actor_subject, actor_ip, at::text from audit_event where tenant_id = $1 and actor_kind = 'member'`
    return (await server.database.pool.query({ name: '', text, values: [tenantId] })).rows as object[]
  }

  it('is listed in this contract with its kind and access', () => {
    const procedures = Object.entries(
      consoleRouter._def.procedures as unknown as Record<string, ProcedureDefinition>,
    )
    expect(procedures.map(([path]) => path)).to.have.members(Object.keys(expected))
    for (const [path, { _def }] of procedures) {
      expect(_def.type, path).to.equal(expected[path]?.kind)
      expect(_def.meta?.right === 'signed-in', path).to.equal(expected[path]?.least === 'anyone')
    }
  })

  it('names its method where it is called with another one', async () => {
    for (const [path, { kind }] of Object.entries(expected)) {
      const [other, method] = kind === 'query' ? (['mutation', 'GET'] as const) : (['query', 'POST'] as const)
      const { status, error } = await callAs('ann', { path, kind: other })
      expect(status, path).to.equal(405)
      expect(error?.message, path).to.equal(`This procedure is a ${kind}; use ${method}.`)
      expect(error?.data.details, path).to.deep.equal({ allowedMethods: [method] })
    }
  })

  for (const [path, { kind, least, isAudited }] of Object.entries(expected)) {
    const invalidInput = kind === 'query' ? 'INVALID_PARAMETERS' : 'INVALID_REQUEST_BODY'
    const requestIn = (tenant: TestTenant): Call => ({ path, kind, input: inputs[path]?.(tenant) })

    describe(path, () => {
      /** Expects the error, without a stack trace. Returns its details. */
      async function expectError(subject: string | undefined, changed: Partial<Call>, code: ErrorCode) {
        const response = await callAs(subject, { ...requestIn(tenant), ...changed })
        const status = statusOf[code]
        expect(response.error?.data, response.text).to.include({ error: code, httpStatus: status })
        expect(response.error?.data.requestId).to.match(/^[0-9a-f-]{36}$/)
        expect(response.status).to.equal(status)
        expect(response.text).not.to.include('stack').and.not.to.include('.ts:')
        return response.error?.data.details as ErrorDetails
      }

      it('requires a sign-in', async () => {
        const headers = { 'x-tenant-api-key': tenant.apiKey }
        for (const credentials of [{}, { token: tenant.apiKey, headers }])
          await expectError(undefined, credentials, 'UNAUTHENTICATED_TENANT')
      })

      it("rejects unknown fields, and a tenantId, the caller's own or another's", async () => {
        for (const { tenantId } of [tenant, other]) {
          const input = { ...inputs[path]?.(tenant), tenantId, unknown: true }
          const { issues } = await expectError(tenant.owner, { input }, invalidInput)
          expect(issues?.map(issue => issue.path)).to.have.members(['tenantId', 'unknown'])
        }
      })

      if (least === 'anyone') {
        it('works without a tenant', async () => {
          const changed = isAudited ? await addTestTenant(server) : tenant
          const response = await callAs(`stranger to ${changed.tenantId}`, requestIn(changed))
          expect(response.status, response.text).to.equal(200)
        })
        return
      }

      it(`${isAudited ? 'works and is audited' : 'works'} for the role ${least}`, async () => {
        const changed = isAudited ? await addTestTenant(server) : tenant
        if (path === 'members.leave') await addSecondOwner(server, changed)
        const before = await memberEventsOf(changed)
        const response = await callAs(changed[least], requestIn(changed))
        expect(response.status, response.text).to.equal(200)
        const event = { actor_subject: changed[least], actor_ip: clientIp, at: '2026-11-20 12:00:00+00' }
        expect(await memberEventsOf(changed)).to.deep.equal(isAudited ? [...before, event] : before)
      })

      // `test/domain/administration/members.test.ts` has the rights of every role.
      const lower = roles[roles.indexOf(least) - 1]
      if (lower) {
        it(`fails for the role ${lower}`, async () => await expectError(tenant[lower], {}, 'FORBIDDEN'))
      }

      it('fails without a tenant, and in one that the user does not belong to as if it did not exist', async () => {
        await expectError(`stranger to ${tenant.tenantId}`, {}, 'TENANT_NOT_PROVISIONED')
        const named = { headers: { 'x-tenant-id': tenant.tenantId } }
        await expectError(other.owner, named, 'TENANT_NOT_PROVISIONED')
      })

      it(`${kind === 'query' ? 'works' : 'fails'} while the tenant is disabled`, async () => {
        const request = requestIn(disabled)
        const { status, error, text } = await callAs(disabled.owner, request)
        expect(status, text).to.equal(kind === 'query' ? 200 : 401)
        expect(error?.data.error).to.equal(kind === 'query' ? undefined : 'TENANT_INACTIVE')
      })

      if (path in namingObjects) {
        it("does not find another tenant's objects", async () => {
          const isVerification = 'verificationId' in namingObjects[path]!(tenant)
          const code = isVerification ? 'VERIFICATION_NOT_FOUND' : 'INVALID_PARAMETERS'
          await expectError(other.owner, {}, code)
        })
      }
    })
  }

  describe('that only reads, or fails', () => {
    it('is recorded in no audit log', async () => {
      const events = await Promise.all([tenant, other, disabled].map(memberEventsOf))
      expect(events.flat()).to.deep.equal([])
    })
  })
})

/** An owner who has signed in, so that the other one isn't the last. */
async function addSecondOwner(server: ConsoleServer, { tenantId }: TestTenant): Promise<void> {
  const subject = `second owner of ${tenantId}`
  await addMember(server.createScope({ kind: 'operator', tenantId }), { subject, role: 'owner' })
  await (await server.client(subject)).session.me.query()
}

interface ProcedureDefinition {
  _def: { type: string; meta?: { right?: string } }
}
