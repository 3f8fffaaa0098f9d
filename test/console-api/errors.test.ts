import { hash } from 'node:crypto'
import { createTRPCClient, httpBatchLink } from '@trpc/client'
import { TRPCError } from '@trpc/server'
import { expect } from 'chai'
import { callsPerMinute } from '#console-api/calls.ts'
import { formatError } from '#console-api/errors.ts'
import type { ConsoleRouter } from '#console-api/router.ts'
import type { ErrorCode } from '#domain/error-codes.ts'
import { DomainError } from '#domain/errors.ts'
import { statusOf } from '#rest/errors.ts'
import { call } from './call.ts'
import { startConsoleServer, useConsoleServer } from './console-server.ts'
import { addTestTenant, type TestTenant } from './tenants.ts'

describe('console responses', () => {
  const server = useConsoleServer()
  let tenant: TestTenant
  let token: string
  before(async () => {
    tenant = await addTestTenant(server)
    token = await server.signIn.sign({ sub: tenant.owner })
  })
  beforeEach(() => {
    server.counts.clear()
    server.serverErrors.length = 0
  })

  describe('errors', () => {
    it('contain a code, the request id and a public message, and nothing else', async () => {
      const response = await call(server, {
        path: 'verifications.list',
        kind: 'query',
        token,
        input: { limit: 0 },
      })
      expect(response.status).to.equal(400)
      expect(response.error).to.have.all.keys('message', 'code', 'data')
      const { requestId, ...data } = response.error?.data ?? {}
      expect(requestId).to.match(/^[0-9a-f-]{36}$/)
      expect(data).to.deep.equal({
        code: 'BAD_REQUEST',
        httpStatus: 400,
        path: 'verifications.list',
        error: 'INVALID_PARAMETERS',
        details: { issues: [{ path: 'limit', message: 'The limit must be at least 1.' }] },
      })
      expect(server.serverErrors).to.deep.equal([])
    })

    const plain = { body: 'name=Inn', headers: { 'content-type': 'text/plain' } }
    const unreadable: [string, string, RequestInit, ErrorCode, status?: number][] = [
      ['a body that is not JSON', 'tenant.update', { body: '{"name":' }, 'INVALID_REQUEST_BODY'],
      ['a missing body', 'tenant.update', {}, 'INVALID_REQUEST_BODY'],
      ['a body over the limit', 'tenant.update', { body: ' '.repeat(70_000) }, 'INVALID_REQUEST_BODY'],
      ['a body of another content type', 'tenant.update', plain, 'INVALID_REQUEST_BODY'],
      ['an unknown procedure', 'tenant.destroy', { body: '{}' }, 'ROUTE_NOT_FOUND'],
      ['a property of the router object', 'constructor', { body: '{}' }, 'ROUTE_NOT_FOUND'],
      ['no procedure', '', { body: '{}' }, 'ROUTE_NOT_FOUND'],
      ['a mutation by GET', 'tenant.update', { method: 'GET' }, 'ROUTE_NOT_FOUND', 405],
      ['a query by POST', 'tenant.get', { body: '{}' }, 'ROUTE_NOT_FOUND', 405],
      ['a broken input', 'verifications.list?input={', { method: 'GET' }, 'INVALID_PARAMETERS'],
    ]
    for (const [name, path, init, code, status = statusOf[code]] of unreadable) {
      it(`have the same format for ${name}`, async () => {
        const type = { 'content-type': 'application/json' }
        const headers = { authorization: `Bearer ${token}`, ...type, ...init.headers }
        const response = await server.fetch(path, { method: 'POST', ...init, headers })
        const text = await response.text()
        expect(response.status, text).to.equal(status)
        const { data } = JSON.parse(text).error
        expect(data).to.include({ error: code, httpStatus: status })
        expect(data.requestId).to.match(/^[0-9a-f-]{36}$/)
        expect(text).not.to.include('stack').and.not.to.include('.ts:')
        expect(await (await server.client(tenant.owner)).tenant.get.query()).to.include({ name: 'Tavern' })
      })
    }

    it('of the service hide their cause, which is reported', async () => {
      const { orm } = server.database
      await orm.em.fork().execute('alter table audit_event rename to elsewhere')
      const response = await call(server, { path: 'audit.list', kind: 'query', token })
      await orm.em.fork().execute('alter table elsewhere rename to audit_event')
      expect(response.status).to.equal(500)
      expect(response.error?.data).to.include({ error: 'DATABASE_ERROR', httpStatus: 500 })
      expect(response.text).not.to.match(/audit_event|select|stack/)
      expect(server.serverErrors.map(({ code }) => code)).to.deep.equal(['DATABASE_ERROR'])
      expect(String(server.serverErrors[0]?.cause)).to.include('audit_event')
    })
  })

  it('have the statuses of the tenant API', () => {
    const { NOT_ACCEPTABLE: _noneOfTrpc, ...statuses } = statusOf
    for (const [code, status] of Object.entries(statuses)) {
      const error = new TRPCError({
        code: 'INTERNAL_SERVER_ERROR',
        cause: new DomainError(code as ErrorCode),
      })
      const { data } = formatError({ error, type: 'query', path: 'x.y', ctx: { requestId: 'id' } })
      expect(data).to.include({ error: code, httpStatus: status, requestId: 'id' })
    }
  })

  describe('batches', () => {
    const headers = () => ({ authorization: `Bearer ${token}` })

    it("contain several calls, as sent by tRPC's client, with a result each", async () => {
      let requests = 0
      const counting: typeof fetch = (...request) => {
        requests++
        return fetch(...request)
      }
      const link = httpBatchLink({ url: server.url, headers, fetch: counting as never })
      const client = createTRPCClient<ConsoleRouter>({ links: [link] })
      const verificationId = '00000000-0000-7000-8000-000000000000'
      const [me, own, missing] = await Promise.all([
        client.session.me.query(),
        client.tenant.get.query(),
        client.verifications.get.query({ verificationId }).catch(error => error.data),
      ])
      expect(requests).to.equal(1)
      expect(me.subject).to.equal(tenant.owner)
      expect(own.tenantId).to.equal(tenant.tenantId)
      expect(missing).to.include({ error: 'VERIFICATION_NOT_FOUND' })
    })

    it('of who is not signed in fail as a whole, and so does each call of them', async () => {
      const response = await server.fetch('session.me,tenant.get?batch=1&input={}')
      const { data } = ((await response.json()) as { error: { data: Record<string, unknown> } }).error
      expect(data).to.include({ error: 'UNAUTHENTICATED_TENANT', httpStatus: 401, path: 'session.me' })
      const client = createTRPCClient<ConsoleRouter>({ links: [httpBatchLink({ url: server.url })] })
      const calls = [client.session.me.query(), client.tenant.get.query()]
      const codes = calls.map(call => call.catch(error => error.data.error))
      expect(await Promise.all(codes)).to.deep.equal(Array(2).fill('UNAUTHENTICATED_TENANT'))
    })

    it('of more than 20 calls are rejected as a whole', async () => {
      const batchOf = (size: number) =>
        server.fetch(`${Array(size).fill('session.me').join(',')}?batch=1&input={}`, { headers: headers() })
      expect((await batchOf(20)).status).to.equal(200)
      expect(server.counts.size).to.equal(1)
      server.counts.clear()
      const rejected = await batchOf(21)
      expect(rejected.status).to.equal(400)
      const { data } = ((await rejected.json()) as { error: { data: Record<string, unknown> } }).error
      expect(data).to.include({ error: 'INVALID_PARAMETERS' })
      expect(data.requestId).to.match(/^[0-9a-f-]{36}$/)
      expect(server.counts.size).to.equal(0)
    })
  })

  describe('the rate limit', () => {
    const bucket = () => `console:${hash('sha256', `${server.signIn.issuer} ${tenant.owner}`)}`

    it('is 600 calls per minute and user, with the delay before a retry', async () => {
      server.counts.set(bucket(), callsPerMinute - 1)
      const last = await call(server, { path: 'session.me', kind: 'query', token })
      expect(last.status).to.equal(200)
      const limited = await call(server, { path: 'session.me', kind: 'query', token })
      expect(limited.status).to.equal(429)
      expect(limited.error?.data).to.deep.include({
        error: 'RATE_LIMIT_EXCEEDED',
        details: { retryAfterSeconds: 60 },
      })
      expect(limited.headers.get('retry-after')).to.equal('60')
      expect(callsPerMinute).to.equal(600)
      const other = await call(server, {
        path: 'tenant.get',
        kind: 'query',
        token: await server.signIn.sign({ sub: tenant.viewer }),
      })
      expect(other.status).to.equal(200)
    })

    it('counts every call of a batch', async () => {
      server.counts.set(bucket(), callsPerMinute - 1)
      const response = await server.fetch('session.me,session.me?batch=1', {
        headers: { authorization: `Bearer ${token}` },
      })
      expect(response.status).to.equal(207)
      const results = (await response.json()) as { error?: { data: { httpStatus: number } } }[]
      expect(results.map(({ error }) => error?.data.httpStatus ?? 200)).to.have.members([200, 429])
      expect(response.headers.get('retry-after')).to.equal('60')
    })

    it('fails closed while calls cannot be counted', async () => {
      const unavailable = () => Promise.reject(new DomainError('REDIS_ERROR'))
      const uncounted = await startConsoleServer({ counter: { count: unavailable } })
      const response = await call(uncounted, {
        path: 'session.me',
        kind: 'query',
        token: await uncounted.signIn.sign(),
      })
      await uncounted.close()
      expect(response.status).to.equal(503)
      expect(response.error?.data).to.include({ error: 'REDIS_ERROR', httpStatus: 503 })
    })
  })

  it('are never cached, and request a bearer token with status 401', async () => {
    const response = await call(server, { path: 'session.me', kind: 'query' })
    expect(response.headers.get('www-authenticate')).to.equal('Bearer')
    for (const each of [response, await call(server, { path: 'session.me', kind: 'query', token })]) {
      expect(each.headers.get('cache-control')).to.equal('no-store')
      expect(each.headers.get('content-type')).to.include('application/json')
    }
  })
})
