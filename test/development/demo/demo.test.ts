import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import { DemoAssertionError } from '#development/demo/demo-assertion-error.ts'
import { openService } from '#development/demo/open-service.ts'
import { createScreen } from '#development/demo/screen.ts'
import { freePort } from '#server/http/free-port.ts'
import { serviceFixture } from '#test/faults/service/service-fixture.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { runDemo, runDemoUnread } from './run-demo.ts'

/** The settings of a production database, which the demo must not use. */
const production = {
  DATABASE_URL: 'postgres://127.0.0.1:9/none',
  ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
}

describe('the demo', () => {
  const folder = temporaryFolder()
  const services = serviceFixture()

  async function emptyFolder(name: string): Promise<string> {
    const path = join(folder.path, name)
    await mkdir(path)
    // If the tests run as root, PostgreSQL runs as another user.
    for (const traversed of [folder.path, path]) await chmod(traversed, 0o711)
    return path
  }

  it('runs the complete flow on a temporary service, prints no secret and leaves nothing behind', async function () {
    this.timeout(180_000)
    const temporary = await emptyFolder('complete')
    const PORT = String(await freePort())
    const { exitCode, out, err } = await runDemo({
      PORT,
      DATA_DIR: join(folder.path, 'none'),
      ...production,
      TMPDIR: temporary,
    })
    expect(err).to.equal('')
    expect(out, out).to.match(/All checks passed in [\d.]+ s/)
    expect(exitCode).to.equal(0)
    for (const shown of [
      'POST /verify/start',
      '201 Created',
      'x-webhook-signature',
      '"approved"',
      'over18',
      'TOKEN_REVOKED',
    ]) {
      expect(out).to.contain(shown)
    }
    expect(out).to.not.match(/avk_\w{20}|whsec_[\w-]{20}|[\w-]{60}\.[\w-]{20}/)
    expect(out.includes('\u001b'), 'contains colour codes').to.equal(false)
    expect(await readdir(temporary)).to.deep.equal([])
  })

  it('leaves nothing behind if its output is closed', async function () {
    this.timeout(180_000)
    const temporary = await emptyFolder('unread')
    const PORT = String(await freePort())
    const exitCode = await runDemoUnread({ PORT, ...production, TMPDIR: temporary })
    expect(exitCode).to.equal(1)
    expect(await readdir(temporary)).to.deep.equal([])
  })

  it('uses a running service, with a new tenant that it disables at the end', async function () {
    this.timeout(180_000)
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

    async function rejectedBy(env: Record<string, string>): Promise<string> {
      await using closing = new AsyncDisposableStack()
      const nowhere = new PassThrough().resume() as unknown as NodeJS.WriteStream
      const error = await openService(env, createScreen(nowhere), closing).catch((caught: unknown) => caught)
      expect(error).to.be.instanceOf(DemoAssertionError)
      return (error as DemoAssertionError).message
    }

    it('names the data folder that lacks the addresses of the local parts', async () => {
      const empty = join(folder.path, 'empty')
      const { exitCode, out } = await runDemo({ PORT, DATA_DIR: empty })
      expect(out).to.contain(
        `✗ ${join(empty, 'addresses.json')} does not contain the addresses of all local parts`,
      )
      expect(exitCode).to.equal(1)
    })

    it('rejects the data folder of another service', async () => {
      const address = 'http://127.0.0.1:9/'
      const addresses = { baseUrl: address, veriffUrl: address, eventsUrl: address, webhookUrl: address }
      const other = join(folder.path, 'other')
      await mkdir(other)
      await writeFile(join(other, 'addresses.json'), JSON.stringify(addresses))
      expect(await rejectedBy({ PORT, DATA_DIR: other })).to.contain(
        `belongs to the service at ${address}, not to http://127.0.0.1:${PORT}`,
      )
    })

    it('names an invalid environment variable', async () => {
      const { exitCode, out } = await runDemo({ PORT: 'many' })
      expect(out).to.contain('✗ PORT must be a whole number')
      expect(exitCode).to.equal(1)
    })
  })
})
