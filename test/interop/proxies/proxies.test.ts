import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { connect } from 'node:tls'
import { expect } from 'chai'
import { ownRedisServer } from '../../harness/engines/redis.ts'
import { eventually } from '../../harness/eventually.ts'
import { curl } from '../../harness/processes/restarted-instances.ts'
import { describeWith } from '../../harness/system-program.ts'
import type { Engine } from './engines.ts'
import { failuresOf, lateOf, type Sent } from './load.ts'
import { type Response, type RunningProxy, useProxiedService } from './proxied-service.ts'

/** Those that the contract lets wait. */
const waitingPaths = Object.entries<PathItem>(JSON.parse(readFileSync('openapi.json', 'utf8')).paths)
  .filter(([, { get }]) => get?.parameters?.some(({ name }) => name === 'wait'))
  .map(([path]) => path)
type PathItem = { get?: { parameters?: { name: string }[] } }
/** RESTART_PAUSE_SECONDS and SHUTDOWN_DELAY: when an instance is back, for how long the next one still serves. */
const restartMs = 6_000

describeWith([curl, ownRedisServer], 'The proxies of deploy/proxies, in front of two instances', function () {
  this.timeout(180_000)
  const site = useProxiedService()
  const { send, sendCallback, untilEach, forEachEngine } = site
  /** In query strings. */
  const secret = `secret${randomUUID()}`

  function expectNoSecretLogged({ log, target }: RunningProxy): void {
    for (const text of [secret, target.apiKey, target.verificationId]) expect(log()).not.to.contain(text)
  }

  /** In the service's envelope. `check-responses.ts` compares the rest with the OpenAPI document. */
  async function expectUnavailable(proxy: RunningProxy): Promise<void> {
    const path = `/verify/status?verificationId=${secret}`
    const post = { method: 'POST', body: '{}' } as const
    for (const [asked, options] of [
      [path, {}],
      [`${path}&wait=9`, {}],
      [path, post],
      ['/verify/start', post],
      ['/verify/start', { ...post, headers: { 'idempotency-key': randomUUID() } }],
    ] as const) {
      const { status, headers, text } = await send(proxy, asked, options)
      const message = 'The service is not available. Try again later.'
      const { requestId, ...error } = JSON.parse(text)
      expect({ status, ...error }).to.deep.equal({ status: 500, error: 'INTERNAL_ERROR', message })
      expect(headers).to.include({ 'retry-after': '2', 'x-request-id': requestId })
      expect(requestId).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    }
  }

  describe('while both run', () => {
    forEachEngine('speaks HTTP/2, and TLS no older than 1.2', async ({ port }) => {
      const alpn = await negotiate(port, { ALPNProtocols: ['h2', 'http/1.1'] })
      expect(alpn).to.equal('h2')
      const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
      expect(await negotiate(port, old)).to.match(/^ERR_SSL_|^ECONNRESET$/)
    })

    forEachEngine('hides metrics, however their path is spelled', async proxy => {
      for (const path of ['/metrics', '/metrics?x', '/metrics/', '//metrics', '/%6detrics', '/METRICS']) {
        expect(await send(proxy, path), path)
          .to.include({ status: 404 })
          .and.not.property('text', 'process_cpu')
      }
    })

    forEachEngine(
      'lets the service, or the like of it, judge large bodies, and passes on large callbacks',
      async proxy => {
        const headers = { 'content-type': 'application/json' }
        // undici loses a response over HTTP/2 that ends its request; curl does not.
        for (const [bytes, version] of [
          [20_000, 1],
          [20_000, 2],
          [70_000, 1],
          [2_000_000, 1],
        ] as const) {
          const options = {
            method: 'POST',
            headers,
            body: JSON.stringify({ userAgent: 'x'.repeat(bytes) }),
          } as const
          const { status, text } = await send(proxy, '/verify/start', options, version)
          expect({ status, ...JSON.parse(text) }).to.include({ status: 400, error: 'INVALID_REQUEST_BODY' })
        }
        const large = { method: 'POST', headers, body: 'x'.repeat(70_000) } as const
        for (const path of waitingPaths) {
          const [waits, other] = await Promise.all([
            send(proxy, `${path}?wait=9`, large),
            send(proxy, path, large),
          ])
          expect(errorOf(waits), path).to.deep.equal(errorOf(other))
        }
        const event = { ...JSON.parse(proxy.target.callback.body), more: 'x'.repeat(1_000_000) }
        expect((await sendCallback(proxy, site.callbackOf(JSON.stringify(event)))).status).to.equal(200)
      },
    )

    forEachEngine('logs no query string and no API key, of whatever request', async proxy => {
      const host = 'Host: localhost\r\n'
      for (const head of [
        `GET /verify/status?verificationId=${secret} HTTP/1.1\r\n${host}Referer: https://localhost/?${secret}\r\n`,
        `GET /a b?${secret} HTTP/1.1\r\n${host}`,
        `GET /%zz?${secret} HTTP/1.1\r\n${host}`,
        `GET /?${secret} HTTP/1.1\r\n`,
        `GET /?${secret} HTTP/1.1\r\n${host}X-Long: ${'x'.repeat(40_000)}\r\n`,
        `GET /?${secret} HTTP/3.9\r\n${host}`,
        `GET /${'x'.repeat(40_000)}?${secret} HTTP/1.1\r\n${host}`,
      ]) {
        await exchange(
          proxy.port,
          `${head}x-tenant-api-key: ${proxy.target.apiKey}\r\nConnection: close\r\n\r\n`,
        )
      }
      await send(proxy, '/verify/submit')
      await eventually(() => proxy.log().includes('/verify/submit'))
      expectNoSecretLogged(proxy)
    })
  })

  describe('while they restart one after the other, and once more', () => {
    let results: Map<Engine, Sent[]>
    before('restart them', async () => {
      results = await site.underLoad(async () => {
        for (let times = 0; times < 2; times++) {
          expect(await site.instances.runScript()).to.deep.equal({ code: 0, err: '' })
        }
      })
    })

    forEachEngine('fails no request', (proxy, engine) => {
      const sent = results.get(engine)!
      expect(new Set(sent.map(({ kind }) => kind))).to.have.lengthOf(5)
      expect(failuresOf(sent), proxy.log()).to.deep.equal([])
    })
  })

  describe('while one hangs, until it is killed and starts again', () => {
    const hangsSeconds = 40
    let results: Map<Engine, Sent[]>
    let hangsFrom: number
    before('freeze and kill it', async () => {
      results = await site.underLoad(async () => {
        site.instances.running.get('1')!.signal('SIGSTOP')
        hangsFrom = performance.now()
        await wait(hangsSeconds * 1_000)
        await site.kill('1')
        expect(await site.instances.restart('1')).to.equal(true)
      })
    })

    forEachEngine('fails nothing that the other one can answer', (proxy, engine) => {
      const { hanging } = engine
      const sent = results.get(engine)!
      const later = ({ startedAt }: Sent) => startedAt - hangsFrom > hanging.noticedSeconds * 1_000
      const failures = failuresOf(sent)
      expect(failures).to.deep.equal([])
      expect(lateOf(sent).filter(later).length).to.be.at.most(hanging.tries)
      expectNoSecretLogged(proxy)
    })
  })

  describe('while none runs', () => {
    before('kill them', async () => {
      for (const name of site.instances.running.keys()) await site.kill(name)
      await untilEach('/health/ready', 500)
    })
    after('start them', async () => {
      for (const name of site.instances.running.keys()) await site.instances.restart(name)
      await untilEach('/health/ready', 200)
    })

    forEachEngine('answers with an error as the service sends it, and callbacks with 503', async proxy => {
      await expectUnavailable(proxy)
      expect((await sendCallback(proxy)).status).to.equal(503)
      expectNoSecretLogged(proxy)
    })
  })

  describe('while another program shows what arrives', () => {
    /** Requests that wait for their responses. */
    const held: (() => void)[] = []
    const mirror = createServer(async (incoming, response) => {
      if (incoming.url === '/held') await new Promise<void>(resolve => held.push(resolve))
      await wait(1_000 * Number(new URL(incoming.url!, 'http://x').searchParams.get('wait')))
      response.end(showRequest(incoming))
    })
    const listen = () => mirror.listen(site.instances.running.get('1')!.port, '127.0.0.1')
    const close = () => mirror.close().closeAllConnections()
    const stopping = new Map<RunningProxy, Promise<number>>()
    const waiting = new Map<RunningProxy, Promise<Response[]>>()
    before('start it in place of the first instance', async () => {
      for (const name of site.instances.running.keys()) await site.kill(name)
      listen()
      await untilEach('/', 200)
      await untilEach('/verify/callback', 200)
      for (const proxy of site.proxies.values()) {
        stopping.set(proxy, stopInTheMiddle(proxy))
        const targets = waitingPaths.flatMap(path => [`${path}?wait=36`, `${path}?w%61it=36`])
        waiting.set(proxy, Promise.all(targets.map(target => send(proxy, target))))
      }
    })
    after('start the instances', async () => {
      close()
      for (const name of site.instances.running.keys()) await site.instances.restart(name)
      await untilEach('/health/ready', 200)
    })

    forEachEngine(
      'tells the address of the client, whatever that says, a host, and the target unchanged',
      async proxy => {
        for (const target of [
          '/verify/status?verificationId=a%2Fb+c',
          '/a%2Fb//c%20d?x',
          '/verify/callback?a=%2F',
        ]) {
          const { text } = await send(proxy, target, { headers: { 'x-forwarded-for': '203.0.113.1' } })
          const { headers, url } = JSON.parse(text)
          expect(headers['x-forwarded-for']).to.match(/^(::ffff:)?127\.0\.0\.1$/)
          expect(headers.host).to.match(/^localhost(:\d+)?$/)
          expect(url).to.equal(target)
        }
      },
    )

    forEachEngine('has 190 requests of one address wait, and rejects beyond 200', async proxy => {
      let rejected = 0
      const sent: Promise<void>[] = []
      const sendOne = async () => {
        const status = await send(proxy, '/held').then(
          response => response.status,
          () => 'closed',
        )
        if (status !== 200) rejected++
      }
      try {
        // Not all at once: the handshakes would keep this process from answering health checks.
        while (sent.length < 220) {
          for (let count = 0; count < 10; count++) sent.push(sendOne())
          await eventually(() => held.length + rejected === sent.length)
        }
        expect(rejected).to.be.within(20, 30)
      } finally {
        for (const release of held.splice(0)) release()
        await Promise.all(sent)
      }
    })

    forEachEngine('closes the connections of clients that stop in the middle', async proxy => {
      expect(await stopping.get(proxy)).to.be.below(30_000)
    })

    forEachEngine('lets every request wait that can, for longer than others take', async proxy => {
      const responses = await waiting.get(proxy)!
      expect(new Set(responses.map(({ status }) => status))).to.deep.equal(new Set([200]))
    })

    forEachEngine(
      'has an instance that is back answer before the next one restarts, though its first requests wait',
      async proxy => {
        close()
        for (let times = 0; times < 3; times++) expect((await send(proxy, '/')).status).to.equal(500)
        listen()
        const waits: Promise<Response>[] = []
        for (let waitedMs = 0; waitedMs < restartMs; waitedMs += 250) {
          waits.push(send(proxy, '/verify/status?wait=3'))
          await wait(250)
        }
        expect((await send(proxy, '/')).status).to.equal(200)
        expect((await Promise.all(waits)).at(-1)!.status).to.equal(200)
      },
      engine => !engine.hasActiveChecks,
    )
  })
})

/** Sends half of the headers of a request, and a request without its body. Resolves with how long they were open. */
async function stopInTheMiddle({ port }: RunningProxy): Promise<number> {
  const startedAt = performance.now()
  const head = 'POST /verify/start HTTP/1.1\r\nHost: localhost\r\n'
  await Promise.all([exchange(port, head), exchange(port, `${head}Content-Length: 9\r\n\r\n`)])
  return performance.now() - startedAt
}

/** What it agrees on: the protocol, or the code of the error. */
async function negotiate(port: number, options: object): Promise<string> {
  const socket = connect({
    port,
    host: '127.0.0.1',
    servername: 'localhost',
    rejectUnauthorized: false,
    ...options,
  })
  try {
    return await new Promise((resolve, reject) => {
      socket.once('secureConnect', () => resolve(String(socket.alpnProtocol)))
      socket.once('error', reject)
    })
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code)
  } finally {
    socket.destroy()
  }
}

/** Sends text, and resolves when the connection is closed. */
async function exchange(port: number, text: string): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false })
  socket.write(text)
  socket.resume()
  await new Promise<void>(resolve => {
    socket.once('close', () => resolve())
    socket.on('error', () => socket.destroy())
  })
}

function errorOf({ status, text }: Response): object {
  return { status, error: JSON.parse(text).error }
}

function showRequest({ url, headers }: IncomingMessage): string {
  return JSON.stringify({ url, headers })
}
