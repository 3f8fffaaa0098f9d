import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { freePort } from '#server/http/free-port.ts'
import { serviceFixture } from '#test/harness/processes/service-fixture.ts'
import { root } from '#test/harness/processes/service-process.ts'
import { temporaryFolder } from '../../development/temporary-folder.ts'

/** The settings of a production database, which the demo must not use. */
const production = {
  DATABASE_URL: 'postgres://127.0.0.1:9/none',
  ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
}

describe('the demo', () => {
  const folder = temporaryFolder()
  const services = serviceFixture()

  /** Runs it where no service runs. */
  async function startTemporary(name: string) {
    const TMPDIR = join(folder.path, name)
    await mkdir(TMPDIR)
    // If the tests run as root, PostgreSQL runs as another user.
    for (const traversed of [folder.path, TMPDIR]) await chmod(traversed, 0o711)
    const demo = startDemo({ PORT: String(await freePort()), DATA_DIR: TMPDIR, ...production, TMPDIR })
    return { ...demo, leftBehind: () => readdir(TMPDIR) }
  }

  it('runs the complete flow on a temporary service, prints no secret and leaves nothing behind', async () => {
    const { child, out, err, exited, leftBehind } = await startTemporary('complete')
    expect({ code: (await exited)[0], err: await err, signal: child.signalCode }, await out).to.deep.equal({
      code: 0,
      err: '',
      signal: null,
    })
    const steps = ['POST /verify/start', '201 Created', 'outcome=resubmission', 'x-webhook-signature']
    for (const shown of [...steps, '"approved"', 'TOKEN_REVOKED', 'All checks passed.'])
      expect(await out).to.contain(shown)
    expect(await out).to.not.match(/avk_\w{20}|whsec_[\w-]{20}|[\w-]{60}\.[\w-]{20}/)
    expect(await leftBehind()).to.deep.equal([])
  })

  it('uses a running service, with a new tenant that it disables at the end', async () => {
    const { port, dataFolder } = await services.start()
    const { out, exited } = startDemo({ PORT: String(port), DATA_DIR: dataFolder })
    expect((await exited)[0], await out).to.equal(0)
    const lines = /Using the service that runs at.*All checks passed.*tenant [\w-]{36} was disabled/s
    expect(await out).to.match(lines)
    const other = startDemo({ PORT: String(port), DATA_DIR: folder.path })
    expect((await other.exited)[0]).to.equal(1)
    expect(await other.out)
      .to.contain('✗ ')
      .and.contain('does not contain the addresses of')
  })
})

function startDemo(env: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, ['development/demo/main.ts', ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err] = [text(child.stdout).catch(() => ''), text(child.stderr)]
  return { child, out, err, exited: once(child, 'exit') }
}
