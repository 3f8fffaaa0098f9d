import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { expect } from 'chai'
import Koa from 'koa'
import { startSignIn } from '#development/sign-in/start-sign-in.ts'
import { startWebhookReceiver } from '#development/webhook-receiver/start-webhook-receiver.ts'
import { listen } from '#server/http/listen.ts'
import { temporaryFolder } from '../development/temporary-folder.ts'
import { useOpened } from '../harness/use-opened.ts'
import { useService } from '../harness/use-service.ts'

const post = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'

const packets: string[] = [
  '',
  'G',
  'hello\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\nx-a: ',
  'GET / HTTP/9.9\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  `${post}Content-Length: 10\r\n\r\n{`,
  `${post}Transfer-Encoding: chunked\r\n\r\n5\r\n{`,
  `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
  `${post}Expect: 100-continue\r\nContent-Length: 10\r\n\r\n`,
  `${post}Expect: tea\r\nContent-Length: 1\r\n\r\n{`,
  'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nbytes',
  'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\n\r\nCONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\nbytes',
  'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(200),
  'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
  ...['HEAD', 'OPTIONS', 'TRACE', 'M-SEARCH'].map(method => `${method} / HTTP/1.1\r\nHost: a\r\n\r\n`),
]

const endings: Record<string, (socket: Socket) => void> = {
  'a close': socket => socket.destroy(),
  'a reset': socket => socket.resetAndDestroy(),
  'half a close, then a reset': socket => socket.end(() => socket.resetAndDestroy()),
}

const moments: Record<string, (socket: Duplex) => Promise<unknown>> = {
  'at once': async () => {},
  'in the next turns': async () => {
    for (let turns = 0; turns < 5; turns++) await turn()
  },
  'at the first byte of a response': socket => firstOf(socket, 'data'),
  'when the server has closed its side': socket => firstOf(socket, 'end'),
}

/** The event; or the end of the connection, or a fifth of a second without it, as not every packet is answered. */
function firstOf(socket: Duplex, event: string): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, 200)
    for (const each of [event, 'close']) {
      socket.once(each, () => {
        clearTimeout(timer)
        resolve()
      })
    }
    socket.resume()
  })
}

describe('No client ends a process, whatever it sends and whenever it disconnects', () => {
  const service = useService()
  const uncaught: unknown[] = []
  const monitor = (error: unknown) => uncaught.push(error)
  before(() => process.on('uncaughtExceptionMonitor', monitor))
  after(() => process.off('uncaughtExceptionMonitor', monitor))
  const bare = useOpened(async () => {
    const app = new Koa()
    app.silent = true
    const { port, drain } = await listen(app.callback(), { host: '127.0.0.1', port: 0 })
    return { url: `http://127.0.0.1:${port}`, close: () => drain() }
  })
  const signIn = useOpened(() =>
    startSignIn({
      port: 0,
      clientId: 'dashboard',
      audience: 'console',
      redirectUris: ['http://127.0.0.1/dashboard'],
      postLogoutRedirectUris: [],
      dashboardOrigins: [],
      users: [],
      onError: () => {},
    }),
  )
  const folder = temporaryFolder()
  const receiver = useOpened(() =>
    startWebhookReceiver({
      httpsPort: 0,
      viewPort: 0,
      secrets: async () => [],
      onError: () => {},
      folder: folder.path,
    }),
  )

  const urls: Record<string, () => string> = {
    'the service': () => service.baseUrl,
    'a server without routes, as on METRICS_PORT': () => bare.url,
    'the provider’s simulator': () => service.veriffUrl,
    'the sign-in provider': () => signIn.issuer,
    'the local receiver': () => receiver.webhookUrl,
    'the local receiver’s page': () => receiver.viewUrl,
  }

  async function attack(url: URL, packet: string, moment: string, ending: string): Promise<void> {
    const { socket, tcp } = await open(url)
    socket.write(packet, 'latin1')
    await moments[moment]!(socket)
    endings[ending]!(tcp)
  }

  for (const [name, urlOf] of Object.entries(urls)) {
    it(name, async function () {
      this.timeout(60_000)
      const url = new URL(urlOf())
      const plain = new URL(url.href.replace('https:', 'http:'))
      for (const moment of Object.keys(moments)) {
        for (const ending of Object.keys(endings)) {
          await Promise.all(packets.map(packet => attack(url, packet, moment, ending)))
          if (plain.href !== url.href) await attack(plain, packets.at(-1)!, moment, ending)
        }
      }
      expect(uncaught).to.deep.equal([])
      const { socket } = await open(url)
      socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
      const [first] = await once(socket, 'data')
      expect(String(first)).to.match(/^HTTP\/1\.1 [2-4]\d\d /)
      socket.destroy()
    })
  }
})

/** A connection, by TLS where the URL says so, and the TCP connection below it. */
async function open({ protocol, hostname, port }: URL): Promise<{ socket: Duplex; tcp: Socket }> {
  const tcp = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  await once(tcp, 'connect')
  tcp.on('error', () => undefined)
  if (protocol === 'http:') return { socket: tcp, tcp }
  const socket = connectTls({ socket: tcp, rejectUnauthorized: false })
  socket.on('error', () => undefined)
  await once(socket, 'secureConnect')
  return { socket, tcp }
}
