import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect } from 'node:net'
import { expect } from 'chai'
import { loadOrCreateCertificate } from '#development/webhook-receiver/certificate.ts'
import { tenantOf } from '#test/harness/processes/demo-tenant.ts'
import { operate, operateByNpm } from '#test/harness/processes/operate.ts'
import { externalVariables, serviceFixture } from '#test/harness/processes/service-fixture.ts'
import type { ServiceProcess } from '#test/harness/processes/service-process.ts'
import { createTestDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { listenLocally } from '../../harness/listen-locally.ts'

const providerSession =
  '{"verification":{"id":"9a1c1b52-0b1e-4a5e-8b1c-3d6f0a9b7c11","url":"https://hosted.example/v/1"}}'

const unknownSession = '{"status":"fail","code":"1004","message":""}'

describe('A network whose only way out is a proxy', () => {
  const fixture = serviceFixture()
  const closing = new AsyncDisposableStack()
  /** What the proxy was asked to connect to. */
  const tunnels = new Set<string>()
  let delivered = 0
  let outside: number
  let service: ServiceProcess
  before(async () => {
    const { keyAndCertificate: pem, authorityFile } = await loadOrCreateCertificate(fixture.folder)
    // The provider, the sign-in provider and a receiver, which differ by the name that they are called by.
    const server = createTlsServer({ key: pem, cert: pem }, (request, response) => {
      const issuer = `https://${request.headers.host}`
      if (request.url === '/v1/sessions') response.writeHead(201).end(providerSession)
      else if (request.url?.startsWith('/v1/')) response.writeHead(404).end(unknownSession)
      else response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys`, keys: [{ kty: 'EC' }] }))
      if (request.url === '/events') delivered += 1
    })
    ;({ port: outside } = await listenLocally(server))
    closing.defer(() => new Promise<void>(closed => void server.close(() => closed()).closeAllConnections()))
    const proxy = createServer().on('connect', ({ url = '' }, client) => {
      tunnels.add(url)
      const target = connect(outside, '127.0.0.1', () => client.write('HTTP/1.1 200 OK\r\n\r\n'))
      client.pipe(target).pipe(client)
      for (const [one, other] of [
        [client, target],
        [target, client],
      ] as const)
        one.on('error', () => other.destroy())
    })
    const { url } = await listenLocally(proxy)
    closing.defer(async () => void proxy.close())
    const database = await createTestDatabase()
    closing.defer(() => database.close())
    const veriff = { baseUrl: `https://localhost:${outside}`, apiKey: 'key', sharedSecret: 'secret' }
    service = await fixture.start({
      env: {
        ...externalVariables(database.url, veriff),
        OIDC_ISSUER: `https://127.0.0.1:${outside}`,
        TEST_TENANTS: 'true',
        WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
        WEBHOOK_CA_FILE: authorityFile,
        NODE_EXTRA_CA_CERTS: authorityFile,
        NODE_USE_ENV_PROXY: '1',
        HTTPS_PROXY: url,
      },
    })
  })
  after(() => closing.disposeAsync())
  beforeEach(() => tunnels.clear())

  async function createTenant(...options: string[]) {
    const { tenantId } = await operate(service, 'tenant', 'create', '--name', 'Shop', ...options)
    const { apiKey } = await operate(service, 'key', 'create', '--tenant', tenantId)
    return { tenantId, client: tenantOf(service, apiKey) }
  }

  it('has the provider called through it', async () => {
    const { client } = await createTenant()
    expect((await client.start()).status).to.equal(201)
    expect([...tunnels]).to.deep.equal([`localhost:${outside}`])
  })

  it('has the doctor call both through it, which finds everything in order', async () => {
    await operateByNpm(service, 'doctor')
    expect([...tunnels]).to.have.members([`localhost:${outside}`, `127.0.0.1:${outside}`])
  })

  it('has receivers called directly, by addresses that the service has checked', async () => {
    const { tenantId, client } = await createTenant('--test')
    const url = `https://localhost:${outside}/events`
    await operate(service, 'tenant', 'set-webhook', '--tenant', tenantId, '--url', url)
    const { body } = await client.start()
    await client.send(`/test/verifications/${body.verificationId}/outcome`, {
      method: 'POST',
      json: { outcome: 'adult' },
    })
    await eventually(() => delivered > 0)
    expect([...tunnels]).to.deep.equal([])
  })
})
