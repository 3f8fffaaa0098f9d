import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect } from 'chai'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { listenLocally } from '../../harness/listen-locally.ts'
import { describeWith, findProgram, outcomeOf, runProgram } from '../../harness/system-program.ts'

const analyze = findProgram('systemd-analyze')
const requirement = {
  isMissing: analyze === undefined,
  reason: 'no systemd-analyze (apt-get install systemd)',
}
const units = ['migrate.service', 'api@1.service', 'worker.service'].map(unit => `age-verification-${unit}`)

describeWith([requirement], 'The systemd units', () => {
  const folder = temporaryFolder()
  before(async () => {
    await cp('deploy/systemd', folder.path, { recursive: true })
    for (const unit of ['migrate', 'api@', 'worker'])
      await startsThisCheckout(`age-verification-${unit}.service`)
  })

  /** Their programs must exist, or systemd finds fault with that. */
  async function startsThisCheckout(unit: string): Promise<void> {
    const file = join(folder.path, unit)
    const text = await readFile(file, 'utf8')
    const node = '/opt/age-verification-service/node_modules/.bin/node'
    expect(text).to.match(new RegExp(`ExecStart=${node} (server|operator)/main.ts`))
    const untilReady = '/opt/age-verification-service/deploy/systemd/until-ready.sh'
    const programs = text
      .replace(node, process.execPath)
      .replace(untilReady, join(folder.path, 'until-ready.sh'))
    await writeFile(file, programs)
  }

  async function run(...args: string[]): Promise<string> {
    const env = { ...process.env, SYSTEMD_UNIT_PATH: `${folder.path}:`, SYSTEMD_COLORS: '0' }
    const { stdout, stderr } = await runProgram(analyze!, args, { cwd: folder.path, env })
    return stdout + stderr
  }

  it('are accepted by systemd-analyze verify without a warning', async () => {
    expect(await run('verify', 'age-verification.target', ...units)).to.equal('')
  })

  for (const unit of units.filter(name => !name.includes('@'))) {
    it(`${unit} has few rights on its machine`, async () => {
      const report = await run('security', '--offline=true', '--no-pager', unit)
      const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(report)!
      expect(Number(exposure)).to.be.at.most(1.5)
    })
  }
})

describe('until-ready.sh', () => {
  async function wait(mainPid: number, port: number) {
    const script = (await readFile('deploy/systemd/until-ready.sh', 'utf8'))
      .replace('/opt/age-verification-service', process.cwd())
      .replace('node_modules/.bin/node', process.execPath)
    const env = { ...process.env, MAINPID: String(mainPid), METRICS_PORT: String(port) }
    return (await outcomeOf('/bin/sh', ['-c', script], { env })).code
  }

  it('ends when the process is ready, and fails when the process has ended', async () => {
    let asked = 0
    const server = createServer((_, response) => response.writeHead(++asked > 1 ? 200 : 503).end('{}'))
    const { port, close } = await listenLocally(server)
    expect(await wait(process.pid, port)).to.equal(0)
    expect(asked).to.equal(2)
    await close()
    const ended = spawn('/bin/true')
    await once(ended, 'exit')
    expect(await wait(ended.pid!, port)).to.equal(1)
  })
})

describe('operator.sh', () => {
  const folder = temporaryFolder()

  it('has the settings and the secrets of the units', async () => {
    const settings = await readFile('deploy/systemd/service.env.example', 'utf8')
    const secrets = {
      'database-url': 'postgres://verification:secret@127.0.0.1:1/verification',
      'redis-url': 'redis://127.0.0.1:2',
      'encryption-key': Buffer.alloc(32).toString('base64'),
      'veriff-api-key': 'key',
      'veriff-shared-secret': 'secret',
    }
    await mkdir(join(folder.path, 'credentials'))
    await writeFile(
      join(folder.path, 'service.env'),
      settings.replace(
        /https:\/\/(stationapi.veriff.com|sign-in.example|verify.example)$/gm,
        'https://127.0.0.1:3',
      ),
    )
    for (const [name, secret] of Object.entries(secrets)) {
      await writeFile(join(folder.path, 'credentials', name), `${secret}\n`)
    }
    const script = (await readFile('deploy/systemd/operator.sh', 'utf8'))
      .replaceAll('/etc/age-verification', folder.path)
      .replace('/opt/age-verification-service', process.cwd())
      .replace('node_modules/.bin/node', process.execPath)
    // A worker needs no dashboard, which a checkout has not built.
    const env = { ...process.env, ROLE: 'worker' }
    const { stdout, code } = await outcomeOf('/bin/sh', ['-c', script, 'operator.sh', 'doctor'], { env })
    expect(code).to.equal(1)
    expect(stdout).to.match(/^ok +configuration +complete; for production/m)
    expect(stdout).to.match(/^FAULT +database .*ECONNREFUSED 127\.0\.0\.1:1\b/m)
    expect(stdout).to.match(/^FAULT +redis .*ECONNREFUSED 127\.0\.0\.1:2\b/m)
  })
})

const root = { isMissing: process.getuid?.() !== 0, reason: 'only root can try what another user may' }

describeWith([root], 'operator.sh doctor', () => {
  const folder = temporaryFolder()

  it('finds what the units’ user may not read of a release, in it or above it', async () => {
    const release = join(folder.path, 'release')
    const inner = join(release, 'domain')
    await mkdir(inner, { recursive: true })
    const script = await readFile('deploy/systemd/operator.sh', 'utf8')
    const check = async () => {
      const env = { ...process.env, RELEASE: release }
      const settings = script.replaceAll('/etc/age-verification/service.env', '/dev/null')
      return (await outcomeOf('/bin/sh', ['-c', settings, 'operator.sh', 'doctor'], { env })).stderr
    }
    await chmod(folder.path, 0o700)
    expect(await check()).to.match(/^FAULT {2}release .* cannot read all of it .*: chmod -R a\+rX /)
    await chmod(folder.path, 0o711)
    await chmod(inner, 0o750)
    expect(await check()).to.include(`(${inner})`)
    await chmod(inner, 0o755)
    expect(await check()).not.to.include('FAULT')
  })
})
