import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { StartError } from '#server/configuration/start-error.ts'
import { type BuildOptions, ensureBuild } from '#server/pages/dashboard/ensure-build.ts'

describe('The build of the dashboard', function () {
  this.timeout(60_000)
  let folder: string
  let lockFile: string
  let progress: string[]
  beforeEach(async () => {
    const project = await mkdtemp(join(tmpdir(), 'dashboard-build-'))
    folder = join(project, 'dashboard')
    lockFile = join(project, 'package-lock.json')
    await mkdir(join(folder, 'src'), { recursive: true })
    await writeFile(lockFile, '{}')
    await writeFile(join(folder, 'index.html'), '<script type="module" src="/src/main.js"></script>')
    await writeFile(join(folder, 'src/main.js'), 'console.log("first version")')
    progress = []
  })
  afterEach(() => rm(join(folder, '..'), { recursive: true }))

  const ensure = (options: Partial<BuildOptions> = {}) =>
    ensureBuild({ folder, lockFile, onProgress: line => progress.push(line), ...options })

  /** Modifies a file minutes from now, so that the resolution of file times does not matter. */
  async function modify(file: string, text: string, minutes = 1): Promise<void> {
    await writeFile(file, text)
    const later = new Date(Date.now() + minutes * 60_000)
    await utimes(file, later, later)
  }

  async function builtScript(): Promise<string> {
    const assets = join(folder, 'dist/assets')
    const [name] = await readdir(assets)
    return await readFile(join(assets, name!), 'utf8')
  }

  it('is repeated only if a source or the lock file is newer than the last build', async () => {
    await ensure()
    await ensure()
    expect(await builtScript()).to.include('first version')
    expect(progress).to.have.length(1)
    await modify(join(folder, 'src/main.js'), 'console.log("second version")')
    await ensure({ findVite: () => undefined })
    expect(await builtScript(), 'without Vite').to.include('first version')
    expect(progress).to.have.length(1)
    await ensure()
    expect(await builtScript()).to.include('second version')
    expect(progress).to.have.length(2)
    await modify(lockFile, '{"packages": {}}', 2)
    await ensure()
    expect(progress).to.have.length(3)
  })

  it('takes place in another process, which two starts at once may both have', async () => {
    await Promise.all([ensure(), ensure()])
    expect(await builtScript()).to.include('first version')
  })

  it('ends the start with what is wrong if it fails', async () => {
    await modify(join(folder, 'src/main.js'), "import './missing.js'")
    const error = await ensure().catch((error: Error) => error)
    expect(error).to.be.instanceOf(StartError)
    expect((error as StartError).message).to.match(/^The dashboard could not be built:\n.*missing\.js/s)
  })

  it('is missing with one line that names the command if Vite is not installed', async () => {
    const error = await ensure({ findVite: () => undefined }).catch((error: Error) => error)
    expect(error).to.be.instanceOf(StartError)
    expect((error as StartError).message).to.match(/^The dashboard is not built: run .*npm run build/)
  })
})
