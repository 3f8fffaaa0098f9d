import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { resolve } from 'node:path'
import { expect } from 'chai'
import { forTenant } from '#domain/scope.ts'
import { revokeToken } from '#domain/token/revoke-token.ts'
import { webhookVectors as vectors } from '../../clients/test-vectors.ts'
import { listenLocally } from '../../harness/listen-locally.ts'
import { sendRaw } from '../../harness/raw-http.ts'
import { describeWith, findProgram } from '../../harness/system-program.ts'
import { tenantClient } from '../../harness/tenant-client.ts'
import { useService, useTenant } from '../../harness/use-service.ts'
import { type RunningReceiver, runSample, startReceiver } from '../samples/run-sample.ts'

const python = findProgram('python3')
const pythonEnv = { PYTHONPATH: resolve('clients/python'), PYTHONDONTWRITEBYTECODE: '1' }

/** Returns the JSON that the script beside this file prints. */
async function runScript(input: unknown): Promise<never> {
  return await new Promise((resolved, reject) => {
    const env = { PATH: process.env.PATH, ...pythonEnv }
    const child = execFile(python!, ['test/interop/clients/call-client.py'], { env }, (error, stdout) => {
      if (error) reject(error)
      else resolved(JSON.parse(stdout) as never)
    })
    child.stdin!.end(JSON.stringify(input))
  })
}

describeWith([{ isMissing: !python, reason: 'install python3' }], 'The Python module', () => {
  const service = useService()
  const tenant = useTenant(service)
  const client = () => tenantClient(service, tenant)
  const call = (
    calls: [method: string, argument: string][],
    more: object = {},
  ): Promise<Record<string, unknown>[]> =>
    runScript({ baseUrl: service.baseUrl, apiKey: tenant.apiKey, calls, ...more })

  it('gives each test vector its verdict', async () => {
    const outcomes: string[] = await runScript({ vectors })
    expect(vectors.map(({ name }, at) => `${name}: ${outcomes[at]}`)).to.deep.equal(
      vectors.map(({ name, reason }) => `${name}: ${reason}`),
    )
  })

  it('reads statuses and validates tokens, and does not take an approved minor for an adult', async () => {
    const [adult, minor] = [await client().decided('approve-adult'), await client().decided('approve-minor')]
    const { body } = await client().status(adult)
    const { token: tokenOfMinor } = (await client().status(minor)).body
    const { body: pending } = await client().start()
    const results = await call([
      ['status', adult],
      ['status', minor],
      ['status', pending.verificationId],
      ['validate_token', body.token],
      ['validate_token', tokenOfMinor],
      ['validate_token', 'no token'],
    ])
    expect(results[0]).to.deep.equal({
      verification_id: adult,
      status: 'approved',
      over18: true,
      confidence: 1,
      created_at: body.createdAt,
      completed_at: body.completedAt,
      token: body.token,
      token_revoked_at: null,
    })
    expect(results[1]).to.include({ status: 'approved', over18: false })
    expect(results[2]).to.include({ status: 'pending', over18: null, completed_at: null, token: null })
    await revokeToken(forTenant(service.operator(), tenant.tenantId), { verificationId: adult })
    const [revoked] = await call([['status', adult]])
    const { tokenRevokedAt } = (await client().status(adult)).body
    expect(revoked).to.deep.equal({
      ...results[0],
      over18: null,
      token: null,
      token_revoked_at: tokenRevokedAt,
    })
    expect(tokenRevokedAt).to.be.a('string')
    expect(results.slice(3)).to.deep.equal([
      { valid: true, over18: true, reason: 'OK' },
      { valid: false, over18: false, reason: 'UNDERAGE_OR_UNKNOWN' },
      { valid: false, over18: false, reason: 'TOKEN_NOT_FOUND' },
    ])
  })

  it('raises the errors of the service, with their details', async () => {
    const [error] = await call([['status', 'not-an-id']])
    expect(error).to.include({ error: 'AgeVerificationError', code: 'INVALID_PARAMETERS', status: 400 })
    expect(error).to.have.nested.property('details.issues[0].path', 'verificationId')
    expect(error!.request_id).to.match(/^[0-9a-f-]{36}$/)
  })

  it('tells failures of the connection apart, retries what passes, and follows no redirect', async () => {
    const requests: string[] = []
    const server = createServer(({ url = '', headers }, response) => {
      requests.push(`${url.split('=')[1]} ${headers['x-tenant-api-key'] === tenant.apiKey}`)
      if (url.endsWith('hang')) return
      if (url.endsWith('redirect')) response.writeHead(302, { location: `${service.baseUrl}${url}` }).end()
      else response.writeHead(503, { 'retry-after': '0' }).end('<html>')
    })
    const { url: baseUrl, close } = await listenLocally(server)
    const [redirect] = await call([['status', 'redirect']], { baseUrl })
    const [unavailable] = await call([['status', 'unavailable']], { baseUrl })
    const [hang] = await call([['status', 'hang']], { baseUrl, timeout: 0.1, retries: 0 })
    await close()
    const invalid = { error: 'ServiceConnectionError', reason: 'invalid_response' }
    expect(redirect).to.include({ ...invalid, status: 302 })
    expect(unavailable).to.include({ ...invalid, status: 503 })
    expect(hang).to.include({ error: 'ServiceConnectionError', reason: 'timeout' })
    const retried = ['unavailable true', 'unavailable true', 'unavailable true']
    expect(requests).to.deep.equal(['redirect true', ...retried, 'hang true'])
    const [unreachable] = await call([['status', 'x']], { baseUrl, retries: 0 })
    expect(unreachable).to.include({ error: 'ServiceConnectionError', reason: 'network' })
  })

  describe('in the samples of its README', () => {
    const environment = () => ({ SERVICE_URL: service.baseUrl, API_KEY: tenant.apiKey })
    let receiver: RunningReceiver
    before('start the receiver', async () => {
      const command = [python!, 'docs/samples/python/receiver.py']
      receiver = await startReceiver(command, { ...environment(), WEBHOOK_SECRETS: 'whsec_ours' })
    })
    after('stop it', () => receiver?.stop())

    for (const [name, framing] of [
      ['longer than 64 KiB', 'Content-Length: 65537\r\n\r\n'],
      ['shorter than its length', 'Content-Length: 9\r\n\r\n{}'],
      ['of no known length', 'Content-Length: -1\r\n\r\n{}'],
      ['longer than 64 KiB, in chunks', 'Transfer-Encoding: chunked\r\n\r\n10001\r\n'],
      ['with a malformed chunk', 'Transfer-Encoding: chunked\r\n\r\n0x2\r\n{}\r\n0\r\n\r\n'],
      ['with a chunk that is too long', 'Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n'],
      ['with the last chunk missing', 'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n'],
    ]) {
      it(`a body ${name} gets 401`, async () => {
        const request = `POST / HTTP/1.1\r\nHost: receiver\r\n${framing}`
        const { status } = await sendRaw(receiver.url, request, { halfClose: true, untilClosed: true })
        expect(status).to.equal(401)
      })
    }

    it('a token is validated', async () => {
      const { body } = await client().status(await client().decided('approve-adult'))
      for (const [token, expected] of [
        [body.token, 'admit\n'],
        ['no token', 'refuse: TOKEN_NOT_FOUND\n'],
      ]) {
        const env = { ...environment(), TOKEN: token }
        const sample = runSample([python!, 'docs/samples/python/validate.py'], env)
        expect(await sample.ended, sample.output()).to.equal(0)
        expect(sample.output()).to.equal(expected)
      }
    })
  })
})
