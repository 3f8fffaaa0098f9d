import { chmod, readdir, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { expect } from 'chai'
import { startOwnService } from '#server/development/demo/start-own-service.ts'
import { freePort } from '#server/http/listen.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { runDemo, runDemoUnread } from './run-demo.ts'

/** A production database, which is none of the demo's business. */
const elsewhere = {
  DATABASE_URL: 'postgres://127.0.0.1:9/none',
  ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
}

describe('the demo', () => {
  const folder = temporaryFolder()

  it('plays the whole story by itself, gives no secret away and leaves nothing behind', async function () {
    this.timeout(180_000)
    // PostgreSQL of an administrator runs as another user.
    await chmod(folder.path, 0o711)
    const PORT = String(await freePort('127.0.0.1'))
    const { exitCode, out, err } = await runDemo({
      PORT,
      DATA_DIR: join(folder.path, 'none'),
      ...elsewhere,
      TMPDIR: folder.path,
    })
    expect(err).to.equal('')
    expect(out).to.match(/All as expected in [\d.]+ s/)
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
    expect(out.includes('\u001b'), 'colours for nobody').to.equal(false)
    expect(await readdir(folder.path)).to.deep.equal([])
  })

  it('leaves nothing behind either when nobody reads on', async function () {
    this.timeout(180_000)
    await chmod(folder.path, 0o711)
    const PORT = String(await freePort('127.0.0.1'))
    const exitCode = await runDemoUnread({ PORT, ...elsewhere, TMPDIR: folder.path })
    expect(exitCode).to.equal(1)
    expect(await readdir(folder.path)).to.deep.equal([])
  })

  it('uses a running service, with a tenant of its own that is disabled afterwards', async function () {
    this.timeout(180_000)
    await using closing = new AsyncDisposableStack()
    const isAlive = async (url: string) =>
      (await fetch(`${url}/health/ready`).catch(() => undefined))?.ok ?? false
    const own = await startOwnService({ env: process.env, tell: () => {}, isAlive }, closing)
    const { exitCode, out } = await runDemo({ PORT: own.env.PORT ?? '', DATA_DIR: own.folder })
    expect(out)
      .to.match(/is running: the demo uses it/)
      .and.match(/All as expected/)
    expect(out).to.match(/The demo's tenant [\w-]{36} was disabled again/)
    expect(exitCode).to.equal(0)
  })

  describe('with a service that it cannot play with', () => {
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

    it('says which data folder it needs when the local parts are not known', async () => {
      const { exitCode, out } = await runDemo({ PORT, DATA_DIR: folder.path })
      expect(out).to.contain(`✗ ${join(folder.path, 'addresses.json')} does not name all local parts`)
      expect(exitCode).to.equal(1)
    })

    it('does not mix up two services', async () => {
      const address = 'http://127.0.0.1:9/'
      const addresses = { baseUrl: address, veriffUrl: address, eventsUrl: address, webhookUrl: address }
      await writeFile(join(folder.path, 'addresses.json'), JSON.stringify(addresses))
      const { exitCode, out } = await runDemo({ PORT, DATA_DIR: folder.path })
      expect(out).to.contain(`belongs to the service at ${address}, not to http://127.0.0.1:${PORT}`)
      expect(exitCode).to.equal(1)
    })

    it('names a setting that is wrong', async () => {
      const { exitCode, out } = await runDemo({ PORT: 'many' })
      expect(out).to.contain('✗ PORT must be a whole number')
      expect(exitCode).to.equal(1)
    })
  })
})
