import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { Registry } from 'prom-client'
import { findFirstExpiry } from '#domain/certificate-expiry.ts'
import type { Dependencies } from '#server/configuration/dependencies.ts'
import { addExpiryMetrics, readCertificates } from '#server/telemetry/expiry-metrics.ts'
import { listServers, watchServerCertificates } from '#server/telemetry/server-certificates.ts'
import { eventually } from '../../harness/eventually.ts'
import { seriesOf } from '../../harness/metrics.ts'
import { startReceiver } from '../webhooks/http/tls-receiver.ts'

const signIn = { issuer: 'http://127.0.0.1:1', audience: 'console', clientId: 'dashboard' }

describe('The metrics of what has to be renewed', () => {
  const database = { certificates: { authorities: undefined, client: undefined, server: () => undefined } }
  const createdAt = new Date('2026-01-02T03:04:05.000Z')

  const noServers = { expiry: () => undefined }
  const unused = readCertificates(database, { receiverAuthorities: undefined }, noServers)

  async function exported(certificates = unused, signingKeyCreatedAt = async () => createdAt) {
    const registry = new Registry()
    addExpiryMetrics(registry, certificates, signingKeyCreatedAt)
    return (await seriesOf(registry)).map(({ name, labels, value }) => ({
      name: name.replace('age_verification_', ''),
      ...labels,
      value,
    }))
  }

  const signingKey = { name: 'signing_key_created_timestamp_seconds', value: createdAt.getTime() / 1_000 }

  it('have the age of the signing key, and no certificate where none is used', async () => {
    expect(await exported()).to.deep.equal([signingKey])
  })

  it('have the first expiry of WEBHOOK_CA_FILE and of each certificate for the database', async () => {
    const server = new Date('2027-01-01T00:00:00.000Z')
    const certificates = readCertificates(
      { certificates: { ...database.certificates, client: createdAt, server: () => server } },
      { receiverAuthorities: 'test/fixtures/tls/ca.pem' },
      { expiry: name => (name === 'redis_server' ? server : undefined) },
    )
    const name = 'certificate_expiry_timestamp_seconds'
    expect(await exported(certificates)).to.deep.equal([
      { name, certificate: 'webhook_authorities', value: Date.UTC(2126, 0, 1) / 1_000 },
      { name, certificate: 'database_client', value: createdAt.getTime() / 1_000 },
      { name, certificate: 'database_server', value: server.getTime() / 1_000 },
      { name, certificate: 'redis_server', value: server.getTime() / 1_000 },
      signingKey,
    ])
  })

  it('read certificates with each label that OpenSSL reads', async () => {
    const pem = await readFile('test/fixtures/tls/ca.pem', 'utf8')
    for (const label of ['CERTIFICATE', 'X509 CERTIFICATE', 'TRUSTED CERTIFICATE']) {
      expect(findFirstExpiry(pem.replaceAll('CERTIFICATE', label)), label).to.deep.equal(
        new Date('2126-01-01'),
      )
    }
  })

  it('know when the first certificate expires that the servers show, trusted or not', async () => {
    await using closing = new AsyncDisposableStack()
    const [valid, expired] = [await startReceiver(), await startReceiver({ certificate: 'expired' })]
    for (const { close } of [valid, expired]) closing.defer(close)
    const watched = watchServerCertificates(
      listServers(
        {
          redisUrl: `rediss://user:private@127.0.0.1:${expired.port}/0`,
          baseUrl: `https://127.0.0.1:${valid.port}`,
        },
        { provider: { baseUrl: 'https://127.0.0.1:1' } as Dependencies['provider'], oidc: signIn },
      ),
    )
    closing.defer(watched.close)
    await eventually(
      () => watched.expiry('redis_server')! < new Date() && watched.expiry('base_url') !== undefined,
    )
    expect(watched.expiry('base_url')!.getTime()).to.be.above(Date.now())
    expect([watched.expiry('identity_provider'), watched.expiry('sign_in_provider')]).to.deep.equal([
      undefined,
      undefined,
    ])
  })

  it('have NaN for the signing key while the database is unavailable', async () => {
    const [key] = await exported(unused, () => Promise.reject(new Error('unavailable')))
    expect(key!.value).to.be.NaN
  })
})
