import { once } from 'node:events'
import type { Socket } from 'node:net'
import { expect } from 'chai'
import Koa from 'koa'
import type { ConsoleHandler } from '#console-api/handler.ts'
import { type Listening, listen, type ServerLimits } from '#server/http/listen.ts'
import { mountConsole } from '#server/http/mount-console.ts'
import { eventually } from '../harness/eventually.ts'
import { connectTo } from '../harness/raw-http.ts'
import { captureLog } from './captured-log.ts'

/** How a client can leave, and what the server then sees of its connection. */
const endings: [string, (client: Socket) => void, 'end' | 'close'][] = [
  ['closes its sending side', client => client.end(), 'end'],
  ['closes the connection', client => client.destroy(), 'close'],
  ['resets the connection', client => client.resetAndDestroy(), 'close'],
]

describe('The body of a response of the console', () => {
  let listening: Listening
  let client: Socket
  let cancelled: number
  beforeEach(() => {
    cancelled = 0
  })
  afterEach(async () => {
    client.destroy()
    await listening.drain()
  })

  /** Sends one request to a console with the handler. Returns the server's side of the connection. */
  async function request(handler: ConsoleHandler, limits: Partial<ServerLimits> = {}): Promise<Socket> {
    const app = new Koa()
    app.silent = true
    app.use(mountConsole(handler, 'http://a', () => captureLog()))
    listening = await listen(app.callback(), { host: '127.0.0.1', port: 0 }, limits)
    const connection = once(listening.server, 'connection')
    client = await connectTo(`http://127.0.0.1:${listening.port}`)
    const [accepted] = (await connection) as [Socket]
    client.write('GET /console/exports/usage.csv HTTP/1.1\r\nHost: a\r\n\r\n')
    return accepted
  }

  function endlessBody(): ReadableStream {
    return new ReadableStream({
      pull: controller => controller.enqueue(new Uint8Array(64 * 1024)),
      cancel() {
        cancelled++
      },
    })
  }

  for (const [title, leave, event] of endings) {
    it(`is cancelled once if the client ${title} before it begins`, async () => {
      const requested = Promise.withResolvers<void>()
      const left = Promise.withResolvers<void>()
      const accepted = await request(async () => {
        requested.resolve()
        await left.promise
        return new Response(endlessBody())
      })
      accepted.once(event, () => left.resolve())
      await requested.promise
      leave(client)
      await eventually(() => cancelled > 0)
      if (!client.destroyed) await once(client.resume(), 'close')
      expect(cancelled).to.equal(1)
    })
  }

  it('is cancelled once if the client stays, and reads nothing', async () => {
    await request(async () => new Response(endlessBody()), { unreadResponseMs: 500 })
    client.pause()
    await eventually(() => cancelled > 0)
    expect(cancelled).to.equal(1)
  })
})
