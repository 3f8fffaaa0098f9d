import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { describeWith, findProgram } from '../../harness/system-program.ts'

const analyze = findProgram('systemd-analyze')
const requirement = {
  isMissing: analyze === undefined,
  reason: 'no systemd-analyze (apt-get install systemd)',
}
const units = ['migrate.service', 'api@1.service', 'worker.service'].map(unit => `age-verification-${unit}`)

describeWith([requirement], 'The systemd units', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'units-'))
    await cp('deploy/systemd', folder, { recursive: true })
    for (const unit of ['migrate', 'api@', 'worker'])
      await startsThisCheckout(`age-verification-${unit}.service`)
  })
  after(() => rm(folder, { recursive: true }))

  /** Their programs must exist, or systemd finds fault with that. */
  async function startsThisCheckout(unit: string): Promise<void> {
    const file = join(folder, unit)
    const text = await readFile(file, 'utf8')
    const node = '/opt/age-verification-service/node_modules/.bin/node'
    expect(text).to.match(new RegExp(`ExecStart=${node} (server|operator)/main.ts`))
    await writeFile(file, text.replace(node, process.execPath).replaceAll('/usr/bin/curl', process.execPath))
  }

  async function run(...args: string[]): Promise<string> {
    const env = { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:`, SYSTEMD_COLORS: '0' }
    const { stdout, stderr } = await promisify(execFile)(analyze!, args, { cwd: folder, env })
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
