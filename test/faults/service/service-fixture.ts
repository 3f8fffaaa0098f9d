import { chmod, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuild } from '#server/dashboard/ensure-build.ts'
import { freePort } from '#server/http/listen.ts'
import { killAll, type Launch, launchService, type ServiceProcess } from './service-process.ts'

export interface FixtureOptions extends Partial<Launch> {
  /** Of the data folder, below the fixture's own. */
  name?: string
}

export interface ServiceFixture {
  /** Everything that is started works below this folder. */
  folder: string
  /** Starts a service in the empty folder; the same name means the same data, and without a port the same one. */
  launch(options?: FixtureOptions): Promise<ServiceProcess>
  /** Starts it and waits until it serves. */
  start(options?: FixtureOptions): Promise<ServiceProcess>
}

/** A folder for real services; what a test leaves running there ends with the surrounding `describe`. */
export function serviceFixture(): ServiceFixture {
  const ports = new Map<string, number>()
  const fixture: ServiceFixture = {
    folder: '',
    async launch({ name = 'data', ...options } = {}) {
      const port = options.port ?? ports.get(name) ?? (await freePort('127.0.0.1'))
      ports.set(name, port)
      const cwd = join(fixture.folder, 'empty')
      return launchService({ cwd, port, dataFolder: join(fixture.folder, name), ...options })
    },
    async start(options) {
      const service = await fixture.launch(options)
      await service.up()
      return service
    },
  }
  before(async function () {
    this.timeout(180_000)
    // The first start would build it, which is no matter of these tests.
    await ensureBuild({ onProgress: () => undefined })
    fixture.folder = await realpath(await mkdtemp(join(tmpdir(), 'age-verification-start-')))
    // Where the test runs as root, PostgreSQL is another user, who has to get through.
    await chmod(fixture.folder, 0o711)
    await mkdir(join(fixture.folder, 'empty'))
  })
  after(async () => {
    await killAll(fixture.folder)
    await rm(fixture.folder, { recursive: true, force: true })
  })
  return fixture
}
