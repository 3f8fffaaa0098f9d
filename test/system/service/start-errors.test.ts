import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { readConfig } from '#server/configuration/config.ts'
import { resolveFiles } from '#server/configuration/read-environment.ts'
import { describeStartError } from '#server/configuration/start-error.ts'
import { freePort } from '#server/http/free-port.ts'
import { type RunningService, startService } from '#server/start/start-service.ts'
import { processesOf } from '#test/harness/processes/process-tree.ts'
import { serviceFixture } from '#test/harness/processes/service-fixture.ts'
import { fatalMessages } from '#test/harness/processes/service-process.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { operate } from '../../operator/operate.ts'
import { realDependencies } from '../../server/real-dependencies.ts'

/** A worker with an unreachable provider, so that nothing but the database is started or connected to. */
const workerOnly = { ...realDependencies, ROLE: 'worker', VERIFF_BASE_URL: 'https://127.0.0.1:9' }

/** An invalid value of each variable, with the start of its error message. */
const invalid: Record<string, [value: string, message: string]> = {
  PORT: ['65536', 'must be a whole number from 0 to 65535'],
  BASE_URL: ['example.com', 'must be a URL that starts with http:// or https://'],
  DASHBOARD_URL: ['https://example.com/?a', 'must have no query and no fragment'],
  DATABASE_URL: ['mysql://x', 'must be a URL that starts with postgres:// or postgresql://'],
  DATABASE_POOL_SIZE: ['1', 'must be a whole number from 2 to 500'],
  REDIS_URL: ['localhost:6379', 'must be a URL that starts with redis:// or rediss://'],
  REDIS_ALLOW_PLAINTEXT: ['yes', 'must be true or false'],
  ENCRYPTION_KEY: ['short', 'must be 32 bytes in base64; make one with: openssl rand -base64 32'],
  VERIFF_BASE_URL: ['veriff', 'must be a URL that starts with http:// or https://'],
  VERIFF_API_KEY: ['two words', 'must be visible ASCII characters'],
  VERIFF_SHARED_SECRET: [',', 'must have at least one secret'],
  OIDC_ISSUER: ['ftp://example.com', 'must be a URL that starts with http:// or https://'],
  WEBHOOK_RETRY_DELAYS: ['60', 'must be two numbers of seconds, such as 60,600'],
  WEBHOOK_ALLOWED_NETWORKS: ['10.0.0.0/33', 'is invalid:'],
  WEBHOOK_CA_FILE: ['/nowhere/ca.pem', 'cannot be used:'],
  TOKEN_TTL_DAYS: ['0', 'must be a number of days above 0, at most 3650'],
  SESSION_LIFETIME_DAYS: ['a week', 'must be a number of days above 0, at most 3650'],
  VERIFICATION_RETENTION_DAYS: ['forever', 'must be a number of days above 0, at most 3650'],
  AUDIT_RETENTION_DAYS: ['ever', 'must be a number of days above 0, at most 3650'],
  ROLE: ['server', 'must be all, api or worker'],
  WEB_CONCURRENCY: ['2', 'is not a setting: start several processes instead'],
  TRUST_PROXY: ['true', 'must be a whole number from 0 to 16'],
  LOG_LEVEL: ['loud', 'must be a pino level, such as info'],
  MIGRATE_ON_START: ['no', 'must be true or false'],
  METRICS_PORT: ['metrics', 'must be a whole number from 1 to 65535'],
  ALLOW_SIMULATORS: ['yes', 'must be true or false'],
}

describe('A start that fails', () => {
  const fixture = serviceFixture()

  /** Expects that a process fails to start and leaves no process behind; returns the reasons that it logs. */
  async function expectRejected(settings: Record<string, string>): Promise<string[]> {
    const { ended, env } = await fixture.launch({ name: 'rejected', env: settings })
    const { code, out, err } = await ended
    expect([code, err]).to.deep.equal([1, ''])
    expect(processesOf(env.DATA_DIR!)).to.deep.equal([])
    return fatalMessages(out)
  }

  /** Starts the service in the test's own process, which is cheaper than another one. Returns the lines of the error. */
  async function rejectedBy(settings: Record<string, string>): Promise<string[]> {
    const error = await startInProcess(settings).then(
      service => service.close(),
      (reason: unknown) => reason,
    )
    return describeStartError(error).split('\n')
  }

  async function startInProcess(settings: Record<string, string>): Promise<RunningService> {
    const DATA_DIR = join(fixture.folder, 'in-process')
    const env = {
      HOST: '127.0.0.1',
      PORT: String(await freePort()),
      DATA_DIR,
      LOG_LEVEL: 'silent',
      ...settings,
    }
    return await startService(readConfig(resolveFiles(env)))
  }

  it('names every invalid variable, one per line', async () => {
    const env = Object.fromEntries(Object.entries(invalid).map(([name, [value]]) => [name, value]))
    const lines = await expectRejected(env)
    for (const [name, [, message]] of Object.entries(invalid)) {
      const ofName = lines.filter(line => line.startsWith(`${name} `))
      expect(ofName, lines.join('\n')).to.have.length(1)
      expect(ofName[0]).to.satisfy((line: string) => line.startsWith(`${name} ${message}`))
    }
    expect(lines).to.have.length(Object.keys(invalid).length)
  })

  for (const [title, settings, line] of [
    [
      'the retention of verifications if their tokens would outlive it',
      { VERIFICATION_RETENTION_DAYS: '37.9' },
      'VERIFICATION_RETENTION_DAYS must be at least TOKEN_TTL_DAYS and SESSION_LIFETIME_DAYS together, or valid tokens would be deleted',
    ],
    [
      'a retry delay longer than the day after which a delivery is dropped',
      { WEBHOOK_RETRY_DELAYS: '60,86401' },
      'WEBHOOK_RETRY_DELAYS must be at most 86400 seconds each',
    ],
    [
      'a HOST that is not an address of this machine',
      { HOST: '192.0.2.1' },
      'HOST 192.0.2.1 is not an address of this machine.',
    ],
  ] as const) {
    it(`names ${title}`, async () => {
      expect(await rejectedBy(settings)).to.deep.equal([line])
    })
  }

  describe('with other servers on the machine', () => {
    let http: Server
    let database: TestDatabase
    before(async () => {
      http = createServer().listen(0, '127.0.0.1')
      await once(http, 'listening')
      database = await createTestDatabase()
    })
    after(async () => {
      http.close()
      await database.close()
    })

    it('reports that PORT or METRICS_PORT is taken', async () => {
      const { port } = http.address() as AddressInfo
      for (const name of ['PORT', 'METRICS_PORT'])
        expect(await rejectedBy({ [name]: String(port) })).to.deep.equal([
          `${name} ${port} is taken on 127.0.0.1: set ${name} to a free port.`,
        ])
    })

    it('reports that PostgreSQL at DATABASE_URL rejects the password, or has no such database', async () => {
      const wrongPassword = new URL(database.url)
      wrongPassword.password = 'wrong'
      const [line, ...more] = await rejectedBy({ ...workerOnly, DATABASE_URL: wrongPassword.href })
      expect(line).to.match(/^DATABASE_URL: PostgreSQL cannot be used: password authentication failed/)
      expect(more).to.deep.equal([])
      const wrongName = new URL(database.url)
      wrongName.pathname = '/none'
      expect(await rejectedBy({ ...workerOnly, DATABASE_URL: wrongName.href })).to.deep.equal([
        'DATABASE_URL: PostgreSQL cannot be used: database "none" does not exist',
      ])
    })

    it('reports that ENCRYPTION_KEY is not the one of the database', async () => {
      const env = { ...workerOnly, DATABASE_URL: database.url }
      const first = await startInProcess(env)
      await first.close()
      const ENCRYPTION_KEY = Buffer.alloc(32, 8).toString('base64')
      expect(await rejectedBy({ ...env, ENCRYPTION_KEY })).to.deep.equal([
        'ENCRYPTION_KEY is not the one that the secrets in this database were encrypted with',
      ])
    })

    it('reports that ENCRYPTION_KEY lacks an older key that is still needed, and starts with the whole list', async () => {
      const { url: DATABASE_URL, close } = await createTestDatabase()
      const [older, newer] = [7, 9].map(byte => Buffer.alloc(32, byte).toString('base64')) as [string, string]
      const operateOn = async (ENCRYPTION_KEY: string, ...args: string[]) =>
        expect(await operate({ DATABASE_URL, ENCRYPTION_KEY }, ...args)).to.include({ code: 0, err: '' })
      await operateOn(older, 'signing-key', 'rotate')
      await operateOn(newer, 'signing-key', 'rotate')
      expect(await rejectedBy({ ...workerOnly, DATABASE_URL, ENCRYPTION_KEY: newer })).to.deep.equal([
        'ENCRYPTION_KEY lacks a key that some secrets in this database are encrypted with: append it, then run ' +
          'operator encryption-key rotate',
      ])
      const ENCRYPTION_KEY = `${newer},${older}`
      const service = await startInProcess({ ...workerOnly, DATABASE_URL, ENCRYPTION_KEY })
      await service.close()
      await close()
    })
  })

  it('reports which process uses the data folder, and does not disturb it', async () => {
    const first = await fixture.start({ name: 'taken' })
    const second = await fixture.launch({ name: 'taken', port: 0 })
    const { code, out } = await second.ended
    expect(code).to.equal(1)
    const [message, ...more] = fatalMessages(out)
    expect(message).to.include(`${first.dataFolder} is in use by the process ${first.pid}`)
    expect(more).to.deep.equal([])
    expect((await fetch(`${first.baseUrl}/health/ready`)).status).to.equal(200)
  })
})
