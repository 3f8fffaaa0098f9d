import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { expect } from 'chai'
import { runCommand } from '#development/operate.ts'
import { type Check, check, Fault } from '#operator/doctor/check.ts'
import { compareClocks } from '#operator/doctor/check-database.ts'
import { describeBusy, judgeChecks } from '#operator/doctor/judge-checks.ts'
import { startWorker } from '#server/start/start-worker.ts'
import { createTestDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { listenLocally } from '../harness/listen-locally.ts'
import { stored } from '../harness/stored.ts'
import { unavailableRedis } from '../harness/test-service.ts'
import { useService } from '../harness/use-service.ts'
import { queryIn } from '../server/query-in.ts'
import { environmentOf, testEncryptionKey } from './operate.ts'

type Environment = Record<string, string>

/** A sign-in provider's discovery document and keys. */
function createIssuer(keys: object[]) {
  return createServer(({ url, headers }, response) => {
    const issuer = `http://${headers.host}`
    response.end(JSON.stringify(url === '/keys' ? { keys } : { issuer, jwks_uri: `${issuer}/keys` }))
  })
}

/** Repeats it where it says that this machine is too busy to tell. */
const diagnose = (env: Environment, ...options: string[]) =>
  eventually(() => runCommand(env, ['doctor', ...options]), {
    until: ({ out }) => !out.includes('no answer in time; this machine is busy'),
  })

async function doctor(env: Environment): Promise<{ code: number; checks: Check[] }> {
  const { code, out, err } = await diagnose(env, '--json')
  expect(err).to.equal('')
  const { checks, ...rest } = JSON.parse(out)
  expect(rest).to.deep.equal({})
  for (const check of checks) expect(Object.keys(check)).to.deep.equal(['name', 'ok', 'message'])
  return { code, checks }
}

/** Expects that this check alone is not ok. */
async function expectFault(env: Environment, name: string, message: RegExp): Promise<void> {
  const { code, checks } = await doctor(env)
  expect(checks.filter(({ ok }) => !ok).map(check => check.name)).to.deep.equal([name])
  expect(checks.find(check => check.name === name)!.message).to.match(message)
  expect(code).to.equal(1)
}

describe('operator doctor', () => {
  const service = useService()
  const closing = new AsyncDisposableStack()
  let env: Environment
  before(async () => {
    const { close } = startWorker(service.services)
    closing.defer(close)
    await eventually(
      async () => (await stored(service, `select from service_setting where name like 'task: %'`)).length > 0,
    )
    // A worker needs no dashboard, which a checkout has not built.
    const own = { ROLE: 'worker', ENCRYPTION_KEY: testEncryptionKey, BASE_URL: service.baseUrl }
    env = { ...environmentOf(service), ...own, ...(await signIn([{ kty: 'EC' }])) }
  })
  after(() => closing.disposeAsync())

  /** Returns the URL of the server, which is closed after the tests. */
  async function serve(server: ReturnType<typeof createServer>): Promise<string> {
    const { url, close } = await listenLocally(server)
    closing.defer(close)
    return url
  }

  async function signIn(keys: object[]): Promise<Environment> {
    return { OIDC_ISSUER: await serve(createIssuer(keys)), OIDC_AUDIENCE: 'console' }
  }

  /** Nobody listens there. */
  const away = 'http://127.0.0.1:2'

  it('finds everything in order, and exits with 0', async () => {
    // The page counts, which the API's settings make, and not what the doctor has.
    const { code, checks } = await doctor({ ...env, PRACTICE: '{"controller":"Example Ltd"}' })
    expect(checks.filter(({ ok }) => !ok)).to.deep.equal([])
    expect(checks.at(-1)!.message).to.match(
      /as missing at http.*\/practice-statement, .*: PRACTICE\.controller,/,
    )
    expect(checks.map(({ name }) => name)).to.deep.equal([
      'configuration',
      'database',
      'database-schema',
      'database-settings',
      'database-rights',
      'database-transactions',
      'database-clock',
      'encryption-key',
      'worker',
      'ages',
      'session-deletions',
      'redis',
      'identity-provider',
      'sign-in-provider',
      'base-url',
      'practice-statement',
    ])
    expect(code).to.equal(0)
  })

  it('prints a line for each check, and no secret', async () => {
    const { code, out } = await diagnose(env)
    expect(code).to.equal(0)
    const lines = out.trimEnd().split('\n')
    expect(lines[0]).to.match(/^ok +configuration +/)
    expect(lines[1]).to.match(/^ok +database +PostgreSQL \d+/)
    expect(lines).to.have.length(16)
    const password = new URL(service.databaseUrl).password
    for (const secret of [password, testEncryptionKey, service.veriff.apiKey, service.veriff.sharedSecret]) {
      expect(out).not.to.include(secret)
    }
  })

  it('names each wrong setting, and checks nothing else then', async () => {
    const { code, checks } = await doctor({ ...env, PORT: 'x', LOG_LEVEL: 'y' })
    expect(checks.map(({ name, ok }) => [name, ok])).to.deep.equal([['configuration', false]])
    expect(checks[0]!.message).to.match(/^PORT must be .*; LOG_LEVEL must be /)
    const { checks: incomplete } = await doctor({ BASE_URL: 'https://verify.example' })
    expect(incomplete[0]!.message).to.match(/^DATABASE_URL is required: .*; OIDC_AUDIENCE is required/)
    const { checks: withPath } = await doctor({ ...env, BASE_URL: `${service.baseUrl}/age` })
    expect(withPath.map(({ message }) => message)).to.deep.equal([
      'BASE_URL must have no path: give the service a host name of its own, such as https://age.example.com',
    ])
    const { checks: unreadable } = await doctor({ ...env, REDIS_URL_FILE: '/missing' })
    expect(unreadable[0]!.message).to.match(/^REDIS_URL_FILE cannot be used: ENOENT/)
    expect(code).to.equal(1)
  })

  describe('reports the database', () => {
    const role = 'doctor_role'
    afterEach(async () => {
      await stored(service, `delete from mikro_orm_migrations where name = 'MigrationOfTheFuture'`)
      await storeOldestProgram('1.0.0')
      const [found] = await stored(service, `select from pg_roles where rolname = '${role}'`)
      if (!found) return
      await stored(service, `drop owned by ${role}`)
      await stored(service, `drop role ${role}`)
    })

    async function storeOldestProgram(version: string): Promise<void> {
      await stored(service, `update service_setting set value = '${version}' where name = 'oldest_program'`)
    }

    function asRole(): string {
      const url = new URL(service.databaseUrl)
      url.username = role
      url.password = 'doctor'
      return url.href
    }

    it('that cannot be reached', async () => {
      const url = new URL(service.databaseUrl)
      url.port = '2'
      await expectFault(
        { ...env, DATABASE_URL: url.href },
        'database',
        /^DATABASE_URL: .*ECONNREFUSED.*: check that the server runs/,
      )
    })

    it('whose role lacks rights, or does not own the tables that a start would migrate', async () => {
      await stored(service, `create role ${role} login password 'doctor'`)
      await stored(service, `grant select on all tables in schema public to ${role}`)
      const limited = { ...env, DATABASE_URL: asRole(), MIGRATE_ON_START: 'false' }
      await expectFault(limited, 'database-rights', /lacks .*delete.* on api_key; .*: grant select, insert/)
      await stored(service, `grant select, insert, update, delete on all tables in schema public to ${role}`)
      await expectFault(limited, 'database-rights', /cannot see .*: grant pg_read_all_stats to doctor_role$/)
      await stored(service, `grant pg_read_all_stats to ${role}`)
      expect((await doctor(limited)).code).to.equal(0)
      const migrating = { ...limited, MIGRATE_ON_START: 'true' }
      await expectFault(migrating, 'database-rights', /does not own the tables.*MIGRATE_ON_START=false/)
    })

    it('whose schema is newer or older than the program', async () => {
      await stored(service, `insert into mikro_orm_migrations (name) values ('MigrationOfTheFuture')`)
      const { code, checks } = await doctor(env)
      expect(code).to.equal(0)
      expect(checks.find(({ name }) => name === 'database-schema')!.message).to.equal(
        'newer than this program, by MigrationOfTheFuture; programs from 1.0.0 on can run on it',
      )
      await storeOldestProgram('99.0.0')
      await expectFault(
        env,
        'database-schema',
        /needs at least version 99\.0\.0 .* know MigrationOfTheFuture/,
      )
      const empty = await createTestDatabase()
      try {
        const onEmpty = { ...env, DATABASE_URL: empty.url, MIGRATE_ON_START: 'false' }
        await queryIn(empty.url, 'drop schema public cascade; create schema public')
        await expectFault(onEmpty, 'database-schema', /^pending: Migration\d+.*operator database migrate/)
        const rights = (await doctor(onEmpty)).checks.find(({ name }) => name === 'database-rights')
        expect(rights!.message).to.match(/^there are no tables yet, and the role \w+ can create them$/)
      } finally {
        await empty.close()
      }
    })

    it('whose secrets were encrypted with another key', async () => {
      const key = Buffer.alloc(32, 8).toString('base64')
      await expectFault({ ...env, ENCRYPTION_KEY: key }, 'encryption-key', /^ENCRYPTION_KEY lacks a key/)
    })

    it('whose collation has another version than the system', async () => {
      const alter = (version: string) =>
        stored(
          service,
          `update pg_database set datcollversion = ${version} where datname = current_database()`,
        )
      await alter(`'1.0'`)
      await expectFault(env, 'database-settings', /version 1\.0 of its collation, .*: reindex database /)
      await alter('pg_database_collation_actual_version(oid)')
      expect((await doctor(env)).code).to.equal(0)
    })

    it('whose clock differs', () => {
      expect(() => compareClocks(60_000, 0)).to.throw(/clock is 60 s ahead of .*NTP/)
      expect(compareClocks(0, 5)).to.equal("differs by 5 ms from this machine's")
      expect(compareClocks(0, 5_000, 3_000), 'an answer that took 6 s').to.match(/^differs by 5000 ms/)
    })
  })

  it('reports a provider that rejects the credentials, or is away', async () => {
    const key = '00000000-0000-4000-8000-000000000000'
    await expectFault(
      { ...env, VERIFF_API_KEY: key },
      'identity-provider',
      /401 with code 1803, the API key is unknown: compare VERIFF_BASE_URL, VERIFF_API_KEY, VERIFF_SHARED_SECRET with/,
    )
    await expectFault(
      { ...env, VERIFF_SHARED_SECRET: 'one,two' },
      'identity-provider',
      /code 1818, the signature is refused: compare/,
    )
    const page = await serve(createServer((_, response) => response.writeHead(404).end('<html>')))
    await expectFault(
      { ...env, VERIFF_BASE_URL: page },
      'identity-provider',
      /404, but not in its own form.*: check VERIFF_BASE_URL, DNS, and/,
    )
    const down = await serve(createServer((_, response) => response.writeHead(503).end('{}')))
    const advice = /: (see the provider’s status page|check VERIFF_BASE_URL)/
    await expectFault({ ...env, VERIFF_BASE_URL: down }, 'identity-provider', advice)
    const refused = /ECONNREFUSED: check VERIFF_BASE_URL/
    await expectFault({ ...env, VERIFF_BASE_URL: away }, 'identity-provider', refused)
  })

  it('reports a Redis that is away', async () => {
    const fault = /^REDIS_URL: Redis cannot be used: .*ECONNREFUSED.*: check that it runs and listens there/
    await expectFault({ ...env, REDIS_URL: unavailableRedis }, 'redis', fault)
  })

  it('reports a sign-in provider that is away, another one, or has no public key', async () => {
    await expectFault({ ...env, OIDC_ISSUER: away }, 'sign-in-provider', /ECONNREFUSED/)
    const other = `${env.OIDC_ISSUER}/other`
    await expectFault({ ...env, OIDC_ISSUER: other }, 'sign-in-provider', /is of another issuer/)
    await expectFault({ ...env, ...(await signIn([{ kty: 'oct' }])) }, 'sign-in-provider', /no public key/)
  })

  it('has one line for several names without an address, and accuses nobody of being late on a busy machine', async () => {
    const fails = (name: string, message: string, cause?: Error) =>
      check(name, () => Promise.reject(new Fault(message, { cause })))
    const late = Object.assign(new Error('late'), { code: 'ETIMEDOUT' })
    const examined = [
      await fails('redis', 'getaddrinfo ENOTFOUND a.example'),
      await fails('base-url', 'frozen', late),
      await check('database', () => new Promise(() => {}), 100),
      await fails('worker', 'no worker'),
    ]
    const messages = ['getaddrinfo ENOTFOUND a.example', 'frozen', 'did not finish within 1 s', 'no worker']
    expect(judgeChecks(examined, undefined).map(({ message }) => message)).to.deep.equal(messages)
    const busy = describeBusy(1_200, 25, 2)
    expect(busy).to.match(/^this machine is busy \(load 25 of 2 cores; .* waited for 1200 ms\), .*: repeat$/)
    expect(describeBusy(900, 4, 2)).to.equal(undefined)
    examined.push(await fails('sign-in-provider', 'getaddrinfo EAI_AGAIN b.example'))
    const judged = judgeChecks(examined, busy)
    expect(judged.map(({ name }) => name)).to.deep.equal(['base-url', 'database', 'worker', 'dns'])
    expect(judged.slice(0, 3).map(({ message }) => message)).to.deep.equal([
      ...['frozen', 'did not finish within 1 s'].map(
        fault => `no answer in time; ${busy}. If it stays so: ${fault}`,
      ),
      'no worker',
    ])
    expect(judged.at(-1)!.message).to.match(/have no address: redis, sign-in-provider\. Check the DNS/)
  })

  describe('reports a BASE_URL', () => {
    it('that does not respond', async () => {
      const fault = /ECONNREFUSED.*: check DNS, the proxy, .* that the service runs$/
      await expectFault({ ...env, BASE_URL: away }, 'base-url', fault)
    })

    it('that leads elsewhere', async () => {
      const other = createServer(({ url }, response) => {
        if (url !== '/health/live') return void response.end('{"keys":[{"kid":"other"}]}')
        response.setHeader('x-request-id', randomUUID()).end('{"status":"ok"}')
      })
      const found = { ...env, BASE_URL: await serve(other) }
      await expectFault(found, 'base-url', /leads to a service on another database/)
      for (const [page, message] of [
        [[302, { location: 'https://login.example/?secret' }, ''], /answered with status 302: /],
        [
          [200, { 'content-type': 'text/html' }, '<h1>Welcome to nginx!</h1>'],
          /answered by another program: /,
        ],
        [[200, {}, '{"status":"ok"}'], /answered by another program: /],
        [[502, {}, '<h1>Bad Gateway</h1>'], /answered with status 502: check DNS and the proxy’s routes/],
      ] as const) {
        const [status, headers, body] = page
        const foreign = await serve(
          createServer((_, response) => response.writeHead(status, headers).end(body)),
        )
        await expectFault({ ...env, BASE_URL: foreign }, 'base-url', message)
      }
    })

    it('of a proxy that keeps callbacks from the service', async () => {
      const url = await serve(proxyWithout('/verify/callback'))
      await expectFault({ ...env, BASE_URL: url }, 'base-url', /callback does not reach .*\(status 401\)/)
    })

    it('of a proxy that keeps the practice statement from its readers', async () => {
      const url = await serve(proxyWithout('/practice-statement.json'))
      const fault = /practice-statement\.json is not the statement: check the proxy’s routes/
      await expectFault({ ...env, BASE_URL: url }, 'practice-statement', fault)
    })

    const proxyWithout = (path: string) =>
      createServer(async ({ url, method = '' }, response) => {
        if (url === path) return void response.writeHead(401).end('{}')
        const forwarded = await fetch(`${service.baseUrl}${url}`, { method })
        if (url === '/health/live') response.setHeader('x-request-id', randomUUID())
        response.writeHead(forwarded.status).end(await forwarded.text())
      })
  })
})
