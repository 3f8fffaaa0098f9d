import { globSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { image } from '../../architecture/deployed-processes.ts'
import { fatalMessages } from '../../harness/processes/service-process.ts'
import { sharedResource } from '../../harness/run/shared-resources.ts'
import { outcomeOf } from '../../harness/system-program.ts'

interface Package {
  name: string
  version: string
}

describe('The image', function () {
  this.timeout(180_000)
  let app: string
  let files: string[]
  before('run the steps of the Dockerfile', async () => {
    app = join(await sharedResource<string>('image'), 'app')
    files = readdirSync(app, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(app.length + 1))
  })

  it('has what the service runs, and nothing of development or of tests', () => {
    expect(readdirSync(app).toSorted()).to.deep.equal([
      '.commit',
      'CHANGELOG.md',
      'LICENSE',
      'clients',
      'console-api',
      'dashboard',
      'docs',
      'domain',
      'node_modules',
      'operator',
      'package.json',
      'rest',
      'sbom.cdx.json',
      'server',
    ])
    expect(readdirSync(join(app, 'dashboard'))).to.deep.equal(['dist'])
    const list = (pattern: string) => globSync(pattern, { cwd: app }).toSorted()
    expect(list('clients/**/*.*')).to.deep.equal(
      globSync(['clients/{released,test-vectors}/*', 'clients/*/README.md']).toSorted(),
    )
    const ownFiles = files.filter(file => !file.startsWith('node_modules/'))
    expect(ownFiles.filter(file => /(^|\/)(test|development)\/|\.test\.ts$/.test(file))).to.deep.equal([])
  })

  it('has production packages only, without a compiler, type declarations or source maps', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
    const installed = installedPackages().map(({ name }) => name)
    expect(installed).to.include.members(Object.keys(dependencies))
    // Of koa-body, for its types.
    const shared = ['@types/koa', '@types/node']
    const development = Object.keys(devDependencies).filter(name => !shared.includes(name))
    expect(installed.filter(name => development.includes(name))).to.deep.equal([])
    expect(files.filter(file => /\.map$|(?<!console-api)\.d\.[cm]?ts$/.test(file))).to.deep.equal([])
  })

  it('lists its packages with version, license and checksum (CycloneDX)', async () => {
    const { bomFormat, metadata, components } = JSON.parse(await readFile(join(app, 'sbom.cdx.json'), 'utf8'))
    const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect({ bomFormat, ...metadata.component }).to.include({ bomFormat: 'CycloneDX', name, version })
    const listed = components.map(({ name, version }: Package) => `${name} ${version}`)
    const installed = installedPackages().map(({ name, version }) => `${name} ${version}`)
    expect(listed).to.have.members([...new Set(installed)])
    for (const { name, licenses, hashes } of components) {
      expect({ licenses: licenses.length, hashes: hashes.length }, name).to.deep.equal({
        licenses: 1,
        hashes: 1,
      })
    }
  })

  it('has what each command of the operator loads', async () => {
    const load = `for (const file of fs.readdirSync('operator/commands')) await import('./operator/commands/' + file)`
    expect(await run(['--input-type=module', '--eval', load])).to.include({ code: 0, stderr: '' })
  })

  it('names what is missing in place of starting a simulator, also with ALLOW_SIMULATORS', async () => {
    const { env, command } = image()
    const { code, stdout } = await run(command.slice(1), {
      ...env,
      ALLOW_SIMULATORS: 'true',
      PORT: '0',
      METRICS_PORT: '',
    })
    expect(code).to.equal(1)
    expect(fatalMessages(stdout)).to.include(
      'VERIFF_API_KEY is required: the packages of the embedded parts are not installed',
    )
  })

  /** Also those that are installed twice, in two versions. */
  function installedPackages(): Package[] {
    return files
      .filter(file => /node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(file))
      .map(file => JSON.parse(readFileSync(join(app, file), 'utf8')))
  }

  const run = (args: string[], env: Record<string, string> = {}) =>
    outcomeOf(process.execPath, args, { cwd: app, env })
})
