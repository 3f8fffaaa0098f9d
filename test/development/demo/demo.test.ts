import { spawn } from 'node:child_process'
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { freePort } from '#server/http/free-port.ts'
import { serviceFixture } from '#test/harness/processes/service-fixture.ts'
import { root } from '#test/harness/processes/service-process.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** The settings of a production database, which the demo must not use. */
const production = {
  DATABASE_URL: 'postgres://127.0.0.1:9/none',
  ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
}

describe('the demo', function () {
  this.timeout(180_000)
  const folder = temporaryFolder()
  const services = serviceFixture()

  async function emptyFolder(name: string): Promise<string> {
    const path = join(folder.path, name)
    await mkdir(path)
    // If the tests run as root, PostgreSQL runs as another user.
    for (const traversed of [folder.path, path]) await chmod(traversed, 0o711)
    return path
  }

  it('runs the complete flow on a temporary service, prints no secret and leaves nothing behind', async () => {
    const TMPDIR = await emptyFolder('complete')
    const PORT = String(await freePort())
    const { child, exited } = startDemo({ PORT, DATA_DIR: join(folder.path, 'none'), ...production, TMPDIR })
    const [out, err, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), exited])
    expect(err).to.equal('')
    expect(out, out).to.match(/All checks passed in [\d.]+ s/)
    expect(exitCode).to.equal(0)
    const steps = ['POST /verify/start', '201 Created', 'x-webhook-signature', '"approved"', 'TOKEN_REVOKED']
    for (const shown of steps) expect(out).to.contain(shown)
    expect(out).to.not.match(/avk_\w{20}|whsec_[\w-]{20}|[\w-]{60}\.[\w-]{20}/)
    expect(out.includes('\u001b'), 'contains colour codes').to.equal(false)
    expect(await readdir(TMPDIR)).to.deep.equal([])
  })

  it('leaves nothing behind if its output is closed, or if it is stopped', async () => {
    const ends = {
      1: ({ child }: Demo) => child.stdout.destroy(),
      143: ({ child }: Demo) => child.kill('SIGTERM'),
    }
    for (const [exitCode, end] of Object.entries(ends)) {
      const TMPDIR = await emptyFolder(exitCode)
      const demo = startDemo({ PORT: String(await freePort()), ...production, TMPDIR })
      let out = ''
      demo.child.stderr.resume()
      demo.child.stdout.on('data', chunk => {
        out += chunk
        if (out.includes('Started at')) end(demo)
      })
      expect(await demo.exited).to.equal(Number(exitCode))
      expect(await readdir(TMPDIR)).to.deep.equal([])
    }
  })

  it('uses a running service, with a new tenant that it disables at the end', async () => {
    const { port, dataFolder } = await services.start()
    const { exitCode, out } = await runDemo({ PORT: String(port), DATA_DIR: dataFolder })
    expect(out)
      .to.match(/Using the service that runs at/)
      .and.match(/All checks passed/)
    expect(out).to.match(/The demo’s tenant [\w-]{36} was disabled/)
    expect(exitCode).to.equal(0)
  })

  describe('with a service that it cannot use', () => {
    let server: Server
    let PORT: string
    before(done => {
      server = createServer((_, response) => response.end('{"status":"ok"}'))
      server.listen(0, '127.0.0.1', () => {
        PORT = String((server.address() as { port: number }).port)
        done()
      })
    })
    after(() => server.close())

    it('names the data folder that lacks the addresses of the local parts, or has those of another service', async () => {
      const DATA_DIR = await emptyFolder('other')
      const file = join(DATA_DIR, 'addresses.json')
      const { exitCode, out } = await runDemo({ PORT, DATA_DIR })
      expect(out).to.contain(`✗ ${file} does not contain the addresses of all local parts`)
      expect(exitCode).to.equal(1)

      const url = 'http://127.0.0.1:9/'
      await writeFile(file, JSON.stringify({ baseUrl: url, veriffUrl: url, eventsUrl: url, webhookUrl: url }))
      const other = await runDemo({ PORT, DATA_DIR })
      expect(other.out).to.contain(`belongs to the service at ${url}, not to http://127.0.0.1:${PORT}`)
      expect(other.exitCode).to.equal(1)
    })

    it('names an invalid environment variable', async () => {
      const { exitCode, out } = await runDemo({ PORT: 'many' })
      expect(out).to.contain('✗ PORT must be a whole number')
      expect(exitCode).to.equal(1)
    })
  })
})

type Demo = ReturnType<typeof startDemo>

async function runDemo(env: Record<string, string>): Promise<{ exitCode: number | null; out: string }> {
  const { child, exited } = startDemo(env)
  const [out, exitCode] = await Promise.all([text(child.stdout), exited])
  return { exitCode, out }
}

function startDemo(env: Record<string, string>) {
  const child = spawn(process.execPath, ['development/demo/main.ts'], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = new Promise<number | null>(resolve => child.once('close', resolve))
  return { child, exited }
}
