import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import Koa from 'koa'
import { type Listening, listen, type ServerLimits } from '#server/http/listen.ts'
import { eventually } from '#test/support/eventually.ts'
import { connectTo, readResponse } from '#test/support/raw-http.ts'

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

  async function open(): Promise<Socket> {
    const client = await connectTo(`http://127.0.0.1:${listening!.port}`)
    clients.push(client)
    return client
  }

  it('close connections whose response nobody reads', async () => {
    const body = Buffer.alloc(largeBytes)
    const sockets = new Set<Socket>()
    const serveLarge: Koa.Middleware = ctx => {
      sockets.add(ctx.socket)
      ctx.body = body
    }
    await serve(serveLarge, { unreadResponseMs: 500 })
    for (let count = 0; count < 40; count++) (await open()).write(request)
    await eventually(() => sockets.size === 40)
    await eventually(() => accepted.size, { until: count => count === 0 })
    expect([...sockets].every(socket => socket.destroyed)).to.equal(true)
  })

  it('close them too if the response is streamed, or another request follows it', async () => {
    const serveEndless: Koa.Middleware = ctx => {
      ctx.respond = false
      const chunk = Buffer.alloc(64 * 1024)
      const write = () => {
        while (ctx.res.write(chunk));
      }
      ctx.res.on('drain', write)
      write()
    }
    await serve(serveEndless, { unreadResponseMs: 500 })
    ;(await open()).write(request)
    ;(await open()).write(request.repeat(3))
    await eventually(() => opened, { until: count => count === 2 })
    await eventually(() => accepted.size, { until: count => count === 0 })
  })

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

  it('leave a client connected that waits for its response', async () => {
    await serve(
      async ctx => {
        await wait(1_000)
        ctx.body = 'late'
      },
      { unreadResponseMs: 100 },
    )
    const client = await open()
    client.write(request)
    expect((await readResponse(client)).body).to.equal('late')
  })

  it('close connections beyond the maximum when they are opened', async () => {
    await serve(
      ctx => {
        ctx.body = 'ok'
      },
      { connectionsMax: 2 },
    )
    const [first] = [await open(), await open()]
    const third = await open()
    await once(third.resume(), 'end')
    first.write(request)
    expect((await readResponse(first)).body).to.equal('ok')
  })

  it('reject headers that arrive slowly sooner than slow bodies', async () => {
    let hasHeaders = false
    await serve(
      async ctx => {
        hasHeaders = true
        for await (const _ of ctx.req);
        ctx.body = 'ok'
      },
      { headersMs: 200, requestMs: 30_000 },
    )
    const slowBody = await open()
    slowBody.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n1')
    await eventually(() => hasHeaders)
    const slowHeaders = await open()
    slowHeaders.write('GET / HTTP/1.1\r\nHost: a\r\n')
    expect((await readResponse(slowHeaders, true)).status).to.equal(400)
    slowBody.write('2')
    expect((await readResponse(slowBody)).body).to.equal('ok')
  })
})
