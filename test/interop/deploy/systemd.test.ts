import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect } from 'chai'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { listenLocally } from '../../harness/listen-locally.ts'
import { describeWith, findProgram, runProgram } from '../../harness/system-program.ts'

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
    await writeFile(file, text.replace(node, process.execPath))
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

const curl = { isMissing: !findProgram('curl'), reason: 'no curl on the PATH' }

describeWith([curl], 'restart-api.sh', () => {
  const folder = temporaryFolder()
  let close: () => Promise<void>
  let isReady: boolean
  before(async () => {
    const service = createServer((_, response) => response.writeHead(isReady ? 200 : 503).end())
    const { port, ...listening } = await listenLocally(service)
    close = listening.close
    for (const instance of [1, 2])
      await writeFile(join(folder.path, `api-${instance}.env`), `METRICS_PORT=${port}\n`)
    await writeFile(join(folder.path, 'systemctl'), recordingSystemctl, { mode: 0o755 })
  })
  beforeEach(() => rm(join(folder.path, 'record'), { force: true }))
  after(() => close())

  it('restarts the next instance when the one before it is ready', async () => {
    isReady = true
    expect(await restart()).to.deep.equal({ code: 0, restarted: ['1', '2'] })
  })

  it('leaves the next instance as it is if one does not start', async () => {
    isReady = false
    expect(await restart()).to.deep.equal({ code: 1, restarted: ['1'] })
  })

  async function restart() {
    const script = await readFile('deploy/systemd/restart-api.sh', 'utf8')
    const here = script.replace('/etc/age-verification', folder.path).replace('sleep 3', 'sleep 0')
    const env = { PATH: `${folder.path}:${process.env.PATH}`, RECORD: join(folder.path, 'record') }
    const ended = runProgram('/bin/sh', ['-c', here, 'restart-api.sh', '1', '2'], { env })
    const code = await ended.then(
      () => 0,
      (error: { code: number }) => error.code,
    )
    const record = await readFile(env.RECORD, 'utf8')
    return {
      code,
      restarted: [...record.matchAll(/^restart age-verification-api@(.*)$/gm)].map(([, at]) => at),
    }
  }
})

/** Of units that have failed. */
const recordingSystemctl = `#!/bin/sh
echo "$*" >>"$RECORD"
case $1 in is-active) exit 3 ;; esac
`
