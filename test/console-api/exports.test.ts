import { once } from 'node:events'
import { expect } from 'chai'
import type { DomainError } from '#domain/errors.ts'
import { eventually } from '../harness/eventually.ts'
import { connectTo } from '../harness/raw-http.ts'
import { statementsDuring } from '../harness/statements-during.ts'
import { clientIp, useConsoleServer } from './console-server.ts'
import { addTestTenant, addVerification, type TestTenant } from './tenants.ts'

const actions = {
  verifications: 'verification.export',
  usage: 'usage.export',
  denials: 'usage.export',
  audit: 'audit.export',
} as const
type Name = keyof typeof actions
const names = Object.keys(actions) as Name[]

describe('the CSV exports of the console', () => {
  const server = useConsoleServer()
  let tenant: TestTenant
  beforeEach(async () => {
    tenant = await addTestTenant(server)
  })

  async function send(path: string, subject: string | undefined, init: RequestInit = {}): Promise<Response> {
    const token =
      subject === undefined ? {} : { authorization: `Bearer ${await server.signIn.sign({ sub: subject })}` }
    return await server.fetch(`exports/${path}`, { ...init, headers: { ...token, ...init.headers } })
  }

  /** The lines of a file, without the header line. */
  async function linesOf(path: string, subject = tenant.owner): Promise<string[]> {
    const response = await send(path, subject)
    const text = await response.text()
    expect(response.status, text).to.equal(200)
    expect(text.endsWith('\r\n')).to.equal(true)
    return text.split('\r\n').slice(1, -1)
  }

  async function expectError(response: Response, status: number, code: string) {
    const text = await response.text()
    expect(response.status, text).to.equal(status)
    expect(response.headers.get('content-type')).to.equal('application/json')
    expect(text).not.to.include('stack').and.not.to.include('.ts:')
    const error = JSON.parse(text) as Record<string, unknown>
    const { details, ...envelope } = error
    expect(envelope).to.have.all.keys('error', 'message', 'requestId').and.to.include({ error: code })
    expect(error.requestId).to.match(/^[0-9a-f-]{36}$/)
    return error
  }

  async function eventsOf({ tenantId }: TestTenant): Promise<object[]> {
    const select = `select action, actor_subject, actor_ip, changes from audit_event where tenant_id = ? and actor_kind = 'member'`
    return await server.database.orm.em.fork().execute(select, [tenantId])
  }

  for (const name of names) {
    describe(`${name}.csv`, () => {
      it('requires a sign-in, a membership, and the tenant of the membership, and records nothing without', async () => {
        const other = await addTestTenant(server)
        const path = `${name}.csv`
        await expectError(await send(path, undefined), 401, 'UNAUTHENTICATED_TENANT')
        await expectError(
          await send(path, undefined, { headers: { 'x-tenant-api-key': tenant.apiKey } }),
          401,
          'UNAUTHENTICATED_TENANT',
        )
        await expectError(await send(path, `stranger to ${tenant.tenantId}`), 403, 'TENANT_NOT_PROVISIONED')
        const elsewhere = { headers: { 'x-tenant-id': tenant.tenantId } }
        await expectError(await send(path, other.owner, elsewhere), 403, 'TENANT_NOT_PROVISIONED')
        expect(await eventsOf(tenant)).to.deep.equal([])
      })

      it('is recorded in the audit log with its filter, and then sent, to the least role', async () => {
        const response = await send(`${name}.csv?from=2026-11-01`, tenant.viewer)
        expect(response.status, await response.text()).to.equal(200)
        expect(response.headers.get('content-type')).to.equal('text/csv; charset=utf-8; header=present')
        const disposition = `attachment; filename="${name}-2026-11-20.csv"`
        expect(response.headers.get('content-disposition')).to.equal(disposition)
        expect(response.headers.get('cache-control')).to.equal('no-store')
        const [event, ...others] = await eventsOf(tenant)
        expect(others).to.deep.equal([])
        expect(event).to.deep.include({
          action: actions[name],
          actor_subject: tenant.viewer,
          actor_ip: clientIp,
          changes: { from: actions[name] === 'usage.export' ? '2026-11-01' : '2026-11-01T00:00:00.000Z' },
        })
      })

      it('rejects unknown and invalid parameters, and a tenant that is named in one', async () => {
        const named = `tenantId=${tenant.tenantId}`
        for (const query of ['unknown=1', named, 'from=yesterday', 'limit=1', 'from=a&from=b'])
          await expectError(await send(`${name}.csv?${query}`, tenant.owner), 400, 'INVALID_PARAMETERS')
        expect(await eventsOf(tenant)).to.deep.equal([])
      })

      it('has nothing of another tenant', async () => {
        const other = await addTestTenant(server)
        await addVerification(server, other.tenantId)
        const text = (await linesOf(`${name}.csv`)).join()
        expect(text).not.to.include(other.tenantId).and.not.to.include(other.verificationId)
      })

      it('can be read while the tenant is disabled, by GET only', async () => {
        const { orm } = server.database
        await orm.em.fork().execute('update tenant set disabled_at = now() where id = ?', [tenant.tenantId])
        await linesOf(`${name}.csv`)
        const error = await expectError(
          await send(`${name}.csv`, tenant.owner, { method: 'POST' }),
          404,
          'ROUTE_NOT_FOUND',
        )
        expect(error.details).to.deep.equal({ allowedMethods: ['GET'] })
      })
    })
  }

  it('has the verifications that the list has, with the same filter, newest first', async () => {
    const createdAt = new Date('2026-11-19T08:00:00.000Z')
    const denied = await addVerification(server, tenant.tenantId, { status: 'denied', createdAt })
    const pending = await addVerification(server, tenant.tenantId, { createdAt: server.time.now })
    const ids = (lines: string[]) => lines.map(line => line.split(',')[0])
    expect(ids(await linesOf('verifications.csv'))).to.have.members([tenant.verificationId, pending, denied])
    expect(ids(await linesOf('verifications.csv')).at(-1)).to.equal(denied)
    const at = createdAt.toISOString()
    const filtered = await linesOf('verifications.csv?status=denied&status=rejected&to=2026-11-20')
    expect(filtered).to.deep.equal([
      `${denied},denied,,0.9,${at},${at},,,The provider declined the verification,`,
    ])
    const open = await linesOf('verifications.csv?state=open')
    expect(open).to.deep.equal([`${pending},pending,,,2026-11-20T12:00:00.000Z,,,,,`])
    const adult = await linesOf('verifications.csv?over18=yes')
    expect(adult.join()).to.match(/^[-0-9a-f]{36},approved,true,0.9,/)
    const client = await server.client(tenant.owner)
    await client.tokens.revoke.mutate({ verificationId: tenant.verificationId })
    const now = server.time.now.toISOString()
    const revoked = await linesOf('verifications.csv?over18=revoked')
    expect(revoked).to.deep.equal([
      `${tenant.verificationId},approved,,0.9,${now},${now},,,The provider approved the verification,${now}`,
    ])
    expect(await linesOf('verifications.csv?over18=yes')).to.deep.equal([])
  })

  it('quotes fields, and disarms those that a spreadsheet would execute', async () => {
    const client = await server.client(tenant.owner)
    await client.apiKeys.create.mutate({ name: '=cmd|"calc", 1' })
    const lines = await linesOf('audit.csv?action=api_key.create')
    expect(lines).to.have.lengthOf(1)
    expect(lines[0]).to.include(`"{""name"":""=cmd|\\""calc\\"", 1""`)
    const claims = { sub: tenant.owner, aud: 'dashboard', name: '=1+1', email: '@b' }
    const idToken = await server.signIn.sign(claims)
    await client.session.saveProfile.mutate({ idToken })
    expect((await linesOf('audit.csv?action=api_key.create'))[0]).to.include(`,'=1+1,`)
  })

  describe('of a long audit log', () => {
    const eventCount = 4_000
    let long: TestTenant
    before(async () => {
      long = await addTestTenant(server)
      await server.database.orm.em.fork().execute(
        `insert into audit_event (tenant_id, id, at, actor_kind, action, changes)
         select ?, overlay(gen_random_uuid()::text placing '019f0000-0000-7' from 1 for 15)::uuid, now(), 'service',
           'tenant.rename', jsonb_build_object('to', repeat('x', 4000)) from generate_series(1, ?::int)`,
        [long.tenantId, eventCount],
      )
    })

    const path = 'audit.csv?action=tenant.rename'

    it('are complete, in the order of the list', async () => {
      const ids = (await linesOf(path, long.owner)).map(line => line.slice(0, 36))
      expect(ids).to.have.lengthOf(eventCount)
      expect(ids).to.deep.equal(ids.toSorted().toReversed())
    })

    it('are cut off by an error in the middle, which is reported', async () => {
      const headers = { authorization: `Bearer ${await server.signIn.sign({ sub: long.owner })}` }
      const rename = (from: string, to: string) =>
        server.database.orm.em.fork().execute(`alter table ${from} rename to ${to}`)
      const response = await server.handle(new Request(`${server.url}/exports/${path}`, { headers }))
      await rename('audit_event', 'moved')
      try {
        const failure = await response.text().catch((error: DomainError) => error)
        expect(failure).to.be.an.instanceOf(Error)
      } finally {
        await rename('moved', 'audit_event')
      }
      expect(server.serverErrors.splice(0).map(({ code }) => code)).to.deep.equal(['DATABASE_ERROR'])
      // One more than may run at the same time.
      for (let time = 0; time < 3; time++) await linesOf('usage.csv', long.owner)
    })

    it('are read as they are taken, two at a time, until they are cancelled', async () => {
      const headers = { authorization: `Bearer ${await server.signIn.sign({ sub: long.owner })}` }
      const open = () => server.handle(new Request(`${server.url}/exports/${path}`, { headers }))
      const statements = await statementsDuring(async () => {
        const [one, two] = [await open(), await open()]
        const error = await expectError(await open(), 429, 'RATE_LIMIT_EXCEEDED')
        expect(error.details).to.deep.equal({ retryAfterSeconds: 10 })
        const reader = one.body!.getReader()
        for (let chunk = 0; chunk < 3; chunk++) expect((await reader.read()).done).to.equal(false)
        await Promise.all([reader.cancel(), two.body!.cancel()])
        const third = await open()
        expect(third.status).to.equal(200)
        await third.body!.cancel()
      })
      // The id down to which each of the three searches, and its first 500 events.
      expect(statements.filter(each => each.includes('from "audit_event"'))).to.have.length(6)
    })

    it('end when their client disconnects', async () => {
      const authorization = `Bearer ${await server.signIn.sign({ sub: long.owner })}`
      const { origin, pathname } = new URL(`${server.url}/exports/audit.csv`)
      const head = `GET ${pathname}?action=tenant.rename HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\n\r\n`
      const status = async () => {
        const response = await send(path, long.owner)
        await response.body!.cancel()
        return response.status
      }
      const clients = await Promise.all([connectTo(origin), connectTo(origin)])
      for (const client of clients) {
        client.write(head)
        const [begun] = await once(client, 'data')
        expect(String(begun)).to.match(/^HTTP\/1.1 200 /)
        client.pause()
      }
      expect(await status()).to.equal(429)
      for (const client of clients) client.destroy()
      await eventually(status, { until: code => code === 200 })
    })
  })
})
