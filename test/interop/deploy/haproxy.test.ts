import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect } from 'chai'
import { generate } from 'selfsigned'
import { Agent, request } from 'undici'
import { freePort } from '#server/http/free-port.ts'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { haproxy, runHaproxy } from '../../harness/engines/haproxy.ts'
import { eventually } from '../../harness/eventually.ts'
import { listenLocally } from '../../harness/listen-locally.ts'
import { describeWith, findProgram, runProgram } from '../../harness/system-program.ts'

describeWith([haproxy], 'The configurations of HAProxy', () => {
  const folder = temporaryFolder()
  before('make a certificate', async () => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }])
    await writeFile(join(folder.path, 'certificate.pem'), key + cert)
  })

  for (const name of ['service.cfg', 'postgresql.cfg']) {
    it(`${name} is accepted without a warning`, async () => {
      const file = join(folder.path, name)
      await writeFile(file, await readConfiguration(name))
      const { stdout, stderr } = await runProgram(findProgram('haproxy')!, ['-c', '-f', file])
      expect(stderr + stdout).to.equal('Configuration file is valid\n')
    })
  }

  describe('service.cfg, in front of a process that is ready for callbacks only', () => {
    const closing = new AsyncDisposableStack()
    const client = new Agent({ connect: { rejectUnauthorized: false } })
    let url: string
    let log: () => string
    before('start it', async () => {
      const [port, service] = [await freePort(), await startService()]
      const configuration = (await readConfiguration('service.cfg'))
        .replace('*:443', `127.0.0.1:${port}`)
        .replaceAll(/10\.0\.0\.[12]:3000/g, `127.0.0.1:${service}`)
      log = await runHaproxy(configuration, closing)
      url = `https://localhost:${port}`
      await eventually(async () => (await send('/verify/callback')).status === 200)
    })
    after(() => closing.disposeAsync())

    it('sends callbacks there, and answers other requests with an error as the service sends it', async () => {
      expect((await send('/verify/callback?from=provider')).status).to.equal(200)
      await eventually(async () => (await send('/verify/status')).status === 500)
      const { headers, body } = await send('/verify/status')
      expect(headers).to.include({ 'content-type': 'application/json', 'retry-after': '2' })
      const { requestId, ...error } = JSON.parse(body)
      const message = 'The service is not available. Try again later.'
      expect(error).to.deep.equal({ error: 'INTERNAL_ERROR', message })
      expect(requestId).to.match(/^[0-9a-f-]{36}$/)
    })

    it('tells the address of the client, whatever the client says', async () => {
      const headers = { 'x-forwarded-for': '203.0.113.1' }
      const { body } = await send('/verify/callback', headers)
      expect(body).to.match(/^(::ffff:)?127\.0\.0\.1$/)
    })

    it('hides metrics, and logs paths without their query strings', async () => {
      expect((await send('/metrics?search=secret')).status).to.equal(404)
      await eventually(() => log().includes('GET /metrics'))
      expect(log()).not.to.contain('secret')
    })

    async function send(path: string, headers: Record<string, string> = {}) {
      const response = await request(url + path, { headers, dispatcher: client })
      return { status: response.statusCode, headers: response.headers, body: await response.body.text() }
    }

    /** Echoes `X-Forwarded-For`. Returns its port. */
    async function startService(): Promise<number> {
      const server = createServer(({ url = '', headers }, response) => {
        response.writeHead(url === '/health/ready' ? 503 : 200).end(headers['x-forwarded-for'])
      })
      const { port, close } = await listenLocally(server)
      closing.defer(close)
      closing.defer(() => client.close())
      return port
    }
  })

  async function readConfiguration(name: string): Promise<string> {
    const text = await readFile(`deploy/haproxy/${name}`, 'utf8')
    return text.replace('/etc/haproxy', folder.path)
  }
})
