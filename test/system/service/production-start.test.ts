import { statSync } from 'node:fs'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { processesOf } from '#test/harness/processes/process-tree.ts'
import { type FixtureOptions, serviceFixture } from '#test/harness/processes/service-fixture.ts'
import { fatalMessages } from '#test/harness/processes/service-process.ts'
import { createTestDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { outcomeOf } from '../../harness/system-program.ts'
import { type ApiResponse, call } from '../../harness/tenant-client.ts'
import { useOpened } from '../../harness/use-opened.ts'
import { queryIn } from '../../server/query-in.ts'
import { realDependencies } from '../../server/real-dependencies.ts'
import { makePrunedRelease } from '../make-release.ts'

describe('A production configuration', () => {
  const fixture = serviceFixture()
  const database = useOpened(createTestDatabase)
  let real: typeof realDependencies & { BASE_URL: string; DATABASE_URL: string }
  before(() => {
    real = { ...realDependencies, BASE_URL: 'https://verify.example', DATABASE_URL: database.url }
  })

  async function rejectedLines(options: FixtureOptions): Promise<string[]> {
    const { ended, env } = await fixture.launch({ name: 'rejected', ...options })
    const { code, out, err } = await ended
    expect({ code, err }, out).to.deep.equal({ code: 1, err: '' })
    expect(processesOf(env.DATA_DIR!)).to.deep.equal([])
    const lines = fatalMessages(out)
    expect(out.trimEnd().split('\n')).to.have.length(lines.length)
    return lines
  }
  const tenants = () => queryIn(database.url, 'select name from tenant')
  const because = 'BASE_URL https://verify.example is not an http URL of a loopback address'

  it('does not start with empty variables, names them, and writes nothing to the database', async () => {
    const env = { ...real, VERIFF_API_KEY: '', VERIFF_SHARED_SECRET: '', OIDC_ISSUER: '' }
    expect(await rejectedLines({ env })).to.deep.equal([
      `VERIFF_API_KEY is required: ${because}`,
      `VERIFF_SHARED_SECRET is required: ${because}`,
      `OIDC_ISSUER is required: ${because}`,
    ])
    expect(await tenants()).to.deep.equal([])
  })

  it('starts with all real dependencies, without simulators or a demo tenant', async () => {
    const env = { ...real, HOST: '0.0.0.0' }
    const service = await fixture.start({ name: 'real', env })
    const signIn = await service.says(/Waiting for the sign-in provider: getaddrinfo \w+ sign-in\.example/)
    const lines = service
      .out()
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines.filter(({ level }) => level === 'warn').map(({ msg }) => msg)).to.deep.equal([
      'REDIS_URL is not set: rate limits are kept in this process, the only API process',
      signIn[0],
    ])
    const readiness = () => call(`${service.baseUrl}/health/ready`)
    const isReady = ({ status, body }: ApiResponse) => status === 200 && body.dependencies.worker === 'up'
    const ready = await eventually(readiness, { until: isReady })
    const dependencies = { database: 'up', signInProvider: 'down', worker: 'up' }
    expect(ready.body).to.deep.equal({ status: 'ok', dependencies })
    expect(await tenants()).to.deep.equal([])
    expect(service.out()).to.not.match(/avk_|whsec_/)
    service.signal('SIGTERM')
    expect((await service.ended).code).to.equal(0)
  })

  it('starts simulators with ALLOW_SIMULATORS=true, with a warning, and names them in /health/ready', async () => {
    const { VERIFF_BASE_URL: _, VERIFF_API_KEY: __, VERIFF_SHARED_SECRET: ___, ...rest } = real
    const service = await fixture.start({ name: 'allowed', env: { ...rest, ALLOW_SIMULATORS: 'true' } })
    await service.says(/"level":"warn".*ALLOW_SIMULATORS is set/)
    await service.says(
      /"level":"warn".*"simulators":\["identity_provider"\].*Simulators are on: anyone can pass/,
    )
    const readiness = () => call(`${service.baseUrl}/health/ready`)
    const ready = await eventually(readiness, { until: ({ status }) => status === 200 })
    expect(ready.body).to.deep.include({ status: 'ok', simulators: ['identity_provider'] })
    expect(await tenants()).to.deep.equal([])
    expect(service.out()).not.to.contain('avk_')
  })

  describe('of a release without development packages', () => {
    let program: string
    before(async () => {
      program = join(fixture.folder, 'release')
      await makePrunedRelease(program)
    })

    it('says the same at a start and to the doctor where a setting is missing, as it has no embedded parts', async () => {
      const { OIDC_ISSUER: _, BASE_URL: __, ...local } = real
      const lines = await rejectedLines({ program, env: local })
      expect(lines).to.deep.equal([
        'OIDC_ISSUER is required: the packages of the embedded parts are not installed',
      ])
      const args = ['operator/main.ts', 'doctor', '--json']
      const { code, stdout } = await outcomeOf(process.execPath, args, { cwd: program, env: local })
      const checks = [{ name: 'configuration', ok: false, message: lines[0] }]
      expect([code, JSON.parse(stdout)]).to.deep.equal([1, { checks }])
    })

    it('starts after it was copied without the times of its files, and builds nothing', async () => {
      const later = new Date(Date.now() + 60_000)
      for (const file of [
        'package.json',
        'package-lock.json',
        'dashboard/index.html',
        'console-api/router.ts',
      ]) {
        await utimes(join(program, file), later, later)
      }
      const builtAt = () => statSync(join(program, 'dashboard/dist/index.html')).mtimeMs
      const before = builtAt()
      const service = await fixture.start({ name: 'copied', program, env: real })
      expect((await call(`${service.baseUrl}/dashboard`)).status).to.equal(200)
      expect((await call(`${service.baseUrl}/docs/downloads/SHA256SUMS`)).status).to.equal(200)
      service.signal('SIGTERM')
      const { code, out, err } = await service.ended
      expect({ code, err }).to.deep.equal({ code: 0, err: '' })
      expect(out).not.to.match(/building|packing/i)
      expect(builtAt()).to.equal(before)
    })
  })
})
