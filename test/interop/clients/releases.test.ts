import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { makeRelease, replaceIn } from '../../faults/make-release.ts'
import { demoTenant } from '../../harness/processes/demo-tenant.ts'
import { serviceFixture } from '../../harness/processes/service-fixture.ts'
import type { ServiceProcess } from '../../harness/processes/service-process.ts'
import { describeWith, outcomeOf, runProgram } from '../../harness/system-program.ts'
import { type PackageManager, packageManagers } from './package-managers.ts'
import { clientModules, clientVersion, findPython } from './python-program.ts'

const python = findPython(...clientModules, 'pip')

/** What a tenant's program does with the client of 1.0. */
const program = `import { AgeVerificationClient } from '@age-verification/client'
const [baseUrl, apiKey] = (globalThis.Deno?.args ?? process.argv).slice(-2)
const client = new AgeVerificationClient({ baseUrl, apiKey })
const { verificationId } = await client.start()
const decided = await fetch(baseUrl + '/test/verifications/' + verificationId + '/outcome', {
  method: 'POST',
  headers: { 'x-tenant-api-key': apiKey, 'content-type': 'application/json' },
  body: JSON.stringify({ outcome: 'adult' }),
})
if (!decided.ok) throw new Error(await decided.text())
const { over18, token } = await client.waitForCompletion(verificationId, { timeoutMs: 30_000 })
const { valid } = await client.validateToken(token)
console.log('over18', over18, 'valid', valid)
`
const pythonProgram = `import sys, urllib.request
from age_verification import Client
base_url, api_key = sys.argv[1:]
with Client(base_url, api_key) as client:
    id = client.start().verification_id
    url = base_url + "/test/verifications/" + id + "/outcome"
    headers = {"x-tenant-api-key": api_key, "content-type": "application/json"}
    urllib.request.urlopen(urllib.request.Request(url, b'{"outcome":"adult"}', headers)).close()
    result = client.wait_for_completion(id, timeout=30)
    print("over18", result.over18, "valid", client.validate_token(result.token).valid)
`

describe('Two years of releases, of the service and of its clients', function () {
  this.timeout(300_000)
  const services = serviceFixture()
  const inFolder = (...path: string[]) => join(services.folder, ...path)
  const managers = packageManagers.filter(({ program }) => program)
  let service: ServiceProcess
  let apiKey: string

  before('projects lock their versions, then three releases follow', async () => {
    service = await services.start()
    ;({ apiKey } = await demoTenant(service))
    for (const manager of managers) await lockProject(manager)
    if (python) await lockRequirements()
    service.signal('SIGTERM')
    await service.ended
    const program = inFolder('release')
    for (const year of [1, 2, 3]) await makeNextRelease(program, year)
    service = await services.start({ program })
  })

  /** A project with the first version, and without what its manager has in store. */
  async function lockProject(manager: PackageManager): Promise<void> {
    const folder = inFolder(manager.name)
    await mkdir(folder)
    const settings = {
      'package.json': '{ "name": "shop", "version": "0.0.0", "type": "module" }',
      'program.js': program,
    }
    for (const [file, text] of Object.entries({ ...settings, ...manager.settings(service.baseUrl) }))
      await writeFile(join(folder, file), text)
    await addClient(manager, '1.0.0')
    await rm(join(folder, 'node_modules'), { recursive: true, force: true })
    await rm(inFolder('home'), { recursive: true })
  }

  async function addClient(manager: PackageManager, range: string): Promise<void> {
    const prefix = manager.name === 'Deno' ? 'npm:' : ''
    await runIn(manager, [...manager.add, `${prefix}@age-verification/client@${range}`])
  }

  async function lockRequirements(): Promise<void> {
    const page = await (await fetch(`${service.baseUrl}/simple/age-verification/`)).text()
    const checksums = [...page.matchAll(/#sha256=(\w+)"[^>]*>age_verification-([\d.]+?)(?:-|\.tar)/g)]
    const hashes = checksums
      .filter(([, , version]) => version === clientVersion)
      .map(([, sha256]) => ` --hash=sha256:${sha256}`)
    expect(hashes).to.have.length(2)
    await writeFile(inFolder('requirements.txt'), `age-verification==${clientVersion}${hashes.join('')}\n`)
  }

  /** Every manager has nothing in store in a home of its own, and no settings but the project's. */
  async function runIn({ name, program }: PackageManager, args: string[]): Promise<string> {
    await mkdir(inFolder('home'), { recursive: true })
    const env = {
      PATH: process.env.PATH,
      HOME: inFolder('home'),
      CI: '1',
      NO_COLOR: '1',
      npm_config_fund: 'false',
    }
    const { code, stdout, stderr } = await outcomeOf(program!, args, { cwd: inFolder(name), env })
    if (code !== 0) throw new Error(`${name} ${args.join(' ')}: ${stdout}${stderr}`)
    return stdout
  }

  /** In a copy of the project, as its maintainers make a release. */
  async function makeNextRelease(folder: string, year: number): Promise<void> {
    const version = `1.${year + 10}.0`
    if (!existsSync(folder)) await makeRelease({ version, folder, migrations: [] })
    await replaceIn(join(folder, 'package.json'), /"version": ".*?"/, `"version": "${version}"`)
    const client = join(folder, 'clients/typescript')
    await replaceIn(join(client, 'package.json'), /"version": ".*?"/, `"version": "${version}"`)
    await replaceIn(join(client, 'src/version.ts'), /'[\d.]+'/, `'${version}'`)
    await replaceIn(join(folder, 'clients/python/age_verification/version.py'), /"[\d.]+"/, `"${version}"`)
    await runProgram(process.execPath, [join(folder, 'development/clients/release-clients.ts')], {
      cwd: folder,
    })
  }

  it('have left every version at its address', async () => {
    const { versions } = JSON.parse(
      await (await fetch(`${service.baseUrl}/npm/@age-verification%2fclient`)).text(),
    )
    expect(Object.keys(versions)).to.include.members(['1.0.0', '1.11.0', '1.12.0', '1.13.0'])
    const kept = await readdir('clients/released')
    for (const name of kept.filter(name => !name.endsWith('.json'))) {
      const response = await fetch(`${service.baseUrl}/docs/downloads/${name}`)
      expect(
        Buffer.from(await response.arrayBuffer()).equals(await readFile(`clients/released/${name}`)),
        name,
      ).to.equal(true)
    }
  })

  it('refuse a release of changed sources under a released version', async () => {
    const folder = inFolder('release')
    await writeFile(join(folder, 'clients/python/age_verification/hooks.py'), '# Other\n')
    const args = [join(folder, 'development/clients/release-clients.ts')]
    const { code, stderr } = await outcomeOf(process.execPath, args, { cwd: folder })
    expect(code).to.equal(1)
    expect(stderr).to.contain(
      'age_verification-1.13.0.tar.gz is released with other contents. Raise the version in',
    )
    expect(stderr).not.to.contain('client-1.13.0.tgz is released with other')
  })

  for (const manager of packageManagers) {
    const { name, program, installLocked, run = [process.execPath] } = manager

    describeWith([{ isMissing: !program, reason: `install ${name}` }], `With ${name}`, () => {
      const runTenant = async () => {
        const [command, ...args] = [...run, 'program.js', service.baseUrl, apiKey]
        const env = { PATH: process.env.PATH, HOME: inFolder('home'), NO_COLOR: '1' }
        return (await runProgram(command!, args, { cwd: inFolder(name), env })).stdout
      }
      const installed = async () =>
        JSON.parse(
          await readFile(inFolder(name, 'node_modules/@age-verification/client/package.json'), 'utf8'),
        ).version

      it('a lock file of 1.0 installs from an empty cache, and its client works', async () => {
        await runIn(manager, installLocked)
        expect(await installed()).to.equal('1.0.0')
        expect(await runTenant()).to.equal('over18 true valid true\n')
      })

      it('a range has the newest version of it', async () => {
        await addClient(manager, '^1.1.0')
        expect(await installed()).to.equal('1.13.0')
        expect(await runTenant()).to.equal('over18 true valid true\n')
        const command = inFolder(name, 'node_modules/.bin/age-verification')
        expect((await runProgram(command, ['--help'])).stdout).to.contain('listen --forward-to URL')
      })
    })
  }

  describeWith([{ isMissing: !python, reason: 'install pip and httpx' }], 'With pip', () => {
    const pip = (...args: string[]) => {
      const options = [
        '--no-deps',
        '--disable-pip-version-check',
        '--no-cache-dir',
        '--index-url',
        `${service.baseUrl}/simple/`,
      ]
      return runProgram(python!, ['-m', 'pip', 'install', ...options, ...args], {
        cwd: services.folder,
        env: { PATH: process.env.PATH },
      })
    }
    const runTenant = async (folder: string) => {
      const env = { PATH: process.env.PATH, PYTHONPATH: inFolder(folder) }
      return (await runProgram(python!, ['-c', pythonProgram, service.baseUrl, apiKey], { env })).stdout
    }

    it('requirements with checksums install from an empty cache, and their client works', async () => {
      await pip('--require-hashes', '--requirement', 'requirements.txt', '--target', inFolder('locked'))
      expect(await readdir(inFolder('locked'))).to.include(`age_verification-${clientVersion}.dist-info`)
      expect(await runTenant('locked')).to.equal('over18 True valid True\n')
    })

    it('a range has the newest version of it, also under another spelling of the name', async () => {
      await pip('Age_Verification>=1.1,<2', '--target', inFolder('newest'))
      expect(await readdir(inFolder('newest'))).to.include('age_verification-1.13.0.dist-info')
      expect(await runTenant('newest')).to.equal('over18 True valid True\n')
    })
  })
})
