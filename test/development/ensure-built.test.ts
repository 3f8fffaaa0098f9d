import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { ensureBuilt } from '#development/ensure-built.ts'
import { StartError } from '#server/configuration/start-error.ts'
import { temporaryFolder } from './temporary-folder.ts'

describe('A start of a checkout with embedded parts', function () {
  this.timeout(60_000)
  const folder = temporaryFolder()
  let minutes = 0

  /** Writes a file with a time of its own, so that the resolution of file times does not matter. */
  async function write(file: string, text: string): Promise<void> {
    const path = join(folder.path, file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
    minutes += 1
    const later = new Date(Date.now() + minutes * 60_000)
    await utimes(path, later, later)
  }

  const ensureDashboard = async () => {
    const progress: string[] = []
    await ensureBuilt(line => progress.push(line), folder.path)
    // As if the clock had gone on meanwhile.
    if (progress.length > 0) await write('dashboard/dist/index.html', 'built')
    return progress
  }

  async function builtScripts(): Promise<string> {
    const assets = join(folder.path, 'dashboard/dist/assets')
    const names = await readdir(assets)
    return (await Promise.all(names.map(name => readFile(join(assets, name), 'utf8')))).join()
  }

  it('builds the dashboard again only if a source or the lock file is newer than the last build', async () => {
    await write('package-lock.json', '{}')
    await write('dashboard/index.html', '<script type="module" src="/src/main.js"></script>')
    await write('dashboard/src/main.js', 'console.log("first version")')
    expect(await ensureDashboard()).to.deep.equal(['Building the dashboard (takes some seconds)'])
    expect(await ensureDashboard()).to.deep.equal([])
    expect(await builtScripts()).to.include('first version')
    await write('dashboard/src/main.js', 'console.log("second version")')
    expect(await ensureDashboard()).to.deep.equal(['Building the dashboard (takes some seconds)'])
    expect(await builtScripts())
      .to.include('second version')
      .and.not.to.include('first version')
    await write('package-lock.json', '{"packages": {}}')
    expect(await ensureDashboard()).to.deep.equal(['Building the dashboard (takes some seconds)'])
  })

  it('may build in two processes at once', async () => {
    await write('dashboard/src/main.js', 'console.log("third version")')
    await Promise.all([ensureDashboard(), ensureDashboard()])
    expect(await builtScripts()).to.include('third version')
  })

  it('ends with what is wrong if a build fails', async () => {
    await write('dashboard/src/main.js', "import './missing.js'")
    const error = await ensureDashboard().catch((error: Error) => error)
    expect(error).to.be.instanceOf(StartError)
    expect((error as StartError).message).to.match(/^The dashboard could not be built:\n.*missing\.js/s)
  })
})
