import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import Koa from 'koa'
import { createApp } from '#server/app.ts'
import { type Listening, listen, type ServerLimits } from '#server/http/listen.ts'
import { eventually } from '../harness/eventually.ts'
import { expectError } from '../harness/expect-error.ts'
import { pendingTitle } from '../harness/pending.ts'
import { connectTo, readResponse } from '../harness/raw-http.ts'
import { useService } from '../harness/use-service.ts'

const serveOk: Koa.Middleware = ctx => {
  ctx.body = 'ok'
}

const readBody: Koa.Middleware = async ctx => {
  for await (const _ of ctx.req);
}

/** More than the buffers of the operating system take. */
const largeBytes = 16 * 1024 * 1024
const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

describe('The limits of the HTTP server', () => {
  let listening: Listening | undefined
  const clients: Socket[] = []
  /** The connections that are open. */
  const accepted = new Set<Socket>()
  /** How many connections were opened, also those that are closed again. */
  let opened = 0
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy()
    await listening?.drain()
    listening = undefined
  })

  async function serve(handle: Koa.Middleware, limits: Partial<ServerLimits>): Promise<void> {
    listening = await listen(new Koa().use(handle).callback(), { host: '127.0.0.1', port: 0 }, limits)
    opened = 0
    listening.server.on('connection', socket => {
      opened += 1
      accepted.add(socket)
      socket.once('close', () => accepted.delete(socket))
    })
  }

  /** A connection, which can come from another address of the loopback interface. */
  async function open(localAddress = '127.0.0.1'): Promise<Socket> {
    const client = connect({ host: '127.0.0.1', port: listening!.port, localAddress })
    clients.push(client)
    await once(client, 'connect')
    // The server may reset a connection whose bytes it has not read.
    client.on('error', () => undefined)
    return client
  }

  const serveLarge: Koa.Middleware = ctx => {
    ctx.body = Buffer.alloc(largeBytes)
  }
  const serveEndless: Koa.Middleware = ctx => {
    ctx.respond = false
    const chunk = Buffer.alloc(64 * 1024)
    const write = () => {
      while (ctx.res.write(chunk));
    }
    ctx.res.on('drain', write)
    write()
  }
  for (const [kind, handle, bytes] of [
    ['large', serveLarge, request],
    ['streamed', serveEndless, request],
    ['followed by another request', serveEndless, request.repeat(3)],
  ] as const) {
    it(`close connections whose response nobody reads: ${kind}`, async () => {
      await serve(handle, { unreadResponseMs: 500 })
      for (let count = 0; count < 10; count++) (await open()).write(bytes)
      await eventually(() => opened === 10)
      await eventually(() => accepted.size === 0)
    })
  }

  it('leave a slow client connected that makes progress', async () => {
    await serve(
      ctx => {
        ctx.body = Buffer.alloc(largeBytes / 2)
      },
      { unreadResponseMs: 1_000 },
    )
    const client = await open()
    let received = 0
    client.on('data', async chunk => {
      received += chunk.length
      client.pause()
      await wait(10)
      client.resume()
    })
    const startedAt = performance.now()
    client.write(request)
    await eventually(() => received > largeBytes / 2, { timeoutMs: 18_000 })
    expect(performance.now() - startedAt).to.be.above(1_000)
  })

  it('close connections beyond the maximum when they are opened', async () => {
    await serve(serveOk, { connectionsMax: 2 })
    const [first] = [await open(), await open()]
    const third = await open()
    await once(third.resume(), 'end')
    first.write(request)
    expect((await readResponse(first)).body).to.equal('ok')
  })

  const fromOthers = 'close those of one address beyond its maximum, and none of another address'
  if (process.platform !== 'linux') it(pendingTitle(fromOthers, 'only Linux has 127.0.0.2'))
  else
    it(fromOthers, async () => {
      await serve(serveOk, { connectionsPerAddressMax: 2 })
      const first = await open()
      await open()
      await once((await open()).resume(), 'end')
      const other = await open('127.0.0.2')
      other.write(request)
      expect((await readResponse(other)).body).to.equal('ok')
      first.destroy()
      await eventually(() => accepted.size === 2)
      const next = await open()
      next.write(request)
      expect((await readResponse(next)).body).to.equal('ok')
    })

  const neverClosing: [string, string][] = [
    ['half-sent headers', 'GET / HTTP/1.1\r\nHost: a\r\nx-a: '],
    ['a withheld body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{'],
    ['a malformed request', 'X\r\n\r\n'],
    ['the method CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ]
  for (const [name, bytes] of neverClosing) {
    it(`close a connection after ${name}, whatever its client does`, async () => {
      await serve(readBody, { headersMs: 200, requestMs: 300 })
      const client = await open()
      client.write(bytes)
      await eventually(() => opened === 1)
      await eventually(() => accepted.size === 0)
      expect(client.writable).to.equal(true)
    })
  }

  for (const when of ['before', 'after']) {
    it(`close a connection after a thousand parts of a body, ${when} the response`, async () => {
      let parts = 0
      await serve(ctx => {
        const push = ctx.req.push.bind(ctx.req)
        ctx.req.push = (...part) => {
          parts += 1
          return push(...part)
        }
        ctx.body = 'ok'
      }, {})
      const client = await open()
      client.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n')
      if (when === 'after') expect(await readResponse(client)).to.include({ status: 200 })
      client.write('1\r\na\r\n'.repeat(50_000))
      await eventually(() => opened === 1 && accepted.size === 0)
      expect(parts).to.be.within(1_001, 1_100)
    })
  }

  const neverMs = 600_000
  for (const [part, limits, bytes] of [
    ['headers', { headersMs: 200, requestMs: neverMs }, 'GET / HTTP/1.1\r\nHost: a\r\n'],
    ['bodies', { headersMs: neverMs, requestMs: 200 }, neverClosing[1]![1]],
  ] as const) {
    it(`reject ${part} that arrive slowly, by a limit of their own`, async () => {
      await serve(readBody, limits)
      const client = await open()
      client.write(bytes)
      const response = await readResponse(client, true)
      expectError(response, 'INVALID_PARAMETERS')
      expect(response.body.message).to.include('not sent in time')
    })
  }
})

describe('The last connections of a process', () => {
  const service = useService()
  const clients: Socket[] = []
  let listening: Listening
  before(async () => {
    const address = { host: '127.0.0.1', port: 0 }
    listening = await listen(createApp(service.services).callback(), address, { connectionsMax: 20 })
    for (let count = 0; count < 19; count++) clients.push(await connectTo(baseUrl()))
  })
  afterEach(() => {
    for (const client of clients.splice(19)) client.destroy()
  })
  after(async () => {
    for (const client of clients) client.destroy()
    await listening.drain()
  })

  const baseUrl = () => `http://127.0.0.1:${listening.port}`
  const get = 'GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n'

  async function openLast(): Promise<Socket> {
    const open = () =>
      new Promise<number>((resolve, reject) => {
        listening.server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
      })
    await eventually(async () => (await open()) === 19)
    const client = await connectTo(baseUrl())
    clients.push(client)
    return client
  }

  it('are those of others that are idle after a request, the oldest first', async () => {
    const [idle, other] = clients
    for (const client of [other!, idle!]) {
      client.write(get)
      expect((await readResponse(client)).status).to.equal(200)
    }
    const ended = once(idle!.resume(), 'end')
    const client = await openLast()
    client.write('GET /verify/status HTTP/1.1\r\nHost: a\r\n\r\n')
    expectError(await readResponse(client), 'UNAUTHENTICATED_TENANT')
    await ended
    other!.write(get)
    expect((await readResponse(other!)).status).to.equal(200)
    for (const each of [client, idle!, other!]) each.destroy()
    for (const index of [0, 1]) clients[index] = await connectTo(baseUrl())
  })

  it('are for the load balancer’s probes and the provider’s callbacks', async () => {
    const probe = await openLast()
    probe.write(get)
    const live = await readResponse(probe, true)
    expect([live.status, live.headers.get('connection')]).to.deep.equal([200, 'close'])
    const provider = await openLast()
    provider.write('POST /verify/callback HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n')
    expectError(await readResponse(provider, true), 'FORBIDDEN')
  })

  it('serve nobody else', async () => {
    const client = await openLast()
    client.write('GET /verify/status HTTP/1.1\r\nHost: a\r\n\r\n')
    const response = await readResponse(client, true)
    expectError(response, 'INTERNAL_ERROR')
    expect(response.body.details.reason).to.equal('overloaded')
    expect(response.headers.get('connection')).to.equal('close')
  })
})
