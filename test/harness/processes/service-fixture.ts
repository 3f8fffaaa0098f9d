import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '#server/http/free-port.ts'
import { sharedResource } from '../run/shared-resources.ts'
import { killAll, type Launch, launchService, type ServiceProcess } from './service-process.ts'

export interface FixtureOptions extends Partial<Launch> {
  /** Name of the data folder, below the fixture's folder. */
  name?: string
  /** Whether the first start has to create its database. By default it finds a migrated, empty one in its data folder. */
  runsInitdb?: boolean
}

export interface ServiceFixture {
  /** The parent of all data folders. */
  folder: string
  /** Starts a service. The same name means the same data folder and, where no port is given, the same port. */
  launch(options?: FixtureOptions): Promise<ServiceProcess>
  /** Starts it and waits until it serves. */
  start(options?: FixtureOptions): Promise<ServiceProcess>
}

/** A folder for real services. Those that a test leaves running are ended after the surrounding `describe`. */
export function serviceFixture(): ServiceFixture {
  const ports = new Map<string, number>()
  const fixture: ServiceFixture = {
    folder: '',
    async launch({ name = 'data', runsInitdb = false, ...options } = {}) {
      const port = options.port ?? ports.get(name) ?? (await freePort())
      ports.set(name, port)
      const launch = {
        cwd: join(fixture.folder, 'empty'),
        port,
        dataFolder: join(fixture.folder, name),
        ...options,
      }
      if (!runsInitdb && !launch.env?.DATABASE_URL && !launch.account) await copyDataFolder(launch.dataFolder)
      return launchService(launch)
    },
    async start(options) {
      const service = await fixture.launch(options)
      await service.up()
      return service
    },
  }
  before(async function () {
    this.timeout(180_000)
    // The first start would build it, which these tests don't test.
    await sharedResource('built')
    fixture.folder = await realpath(await mkdtemp(join(tmpdir(), 'age-verification-start-')))
    // Where the test runs as root, PostgreSQL runs as another user, who must be able to reach its data.
    await chmod(fixture.folder, 0o711)
    await mkdir(join(fixture.folder, 'empty'))
  })
  after(async () => {
    await killAll(fixture.folder)
    await rm(fixture.folder, { recursive: true, force: true })
  })
  return fixture
}

/** Copies the prepared data folder, with its owners, to one that doesn't exist yet. */
export async function copyDataFolder(dataFolder: string): Promise<void> {
  if (existsSync(dataFolder)) return
  const prepared = await sharedResource<string>('dataFolder')
  await promisify(execFile)('cp', ['-a', prepared, dataFolder])
}

/** The variables of a service on an external database, with an external provider. */
export function externalVariables(
  databaseUrl: string,
  veriff: { baseUrl: string; apiKey: string; sharedSecret: string },
): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    VERIFF_BASE_URL: veriff.baseUrl,
    VERIFF_API_KEY: veriff.apiKey,
    VERIFF_SHARED_SECRET: veriff.sharedSecret,
    OIDC_ISSUER: 'https://sign-in.example',
    OIDC_AUDIENCE: 'console',
  }
}
