import { once } from 'node:events'
import type { Socket } from 'node:net'
import { expect } from 'chai'
import Koa from 'koa'
import { type Listening, listen } from '#server/http/listen.ts'
import { mountConsole } from '#server/http/mount-console.ts'
import { eventually } from '#test/support/eventually.ts'
import { connectTo } from '#test/support/raw-http.ts'
import { captureLog } from './captured-log.ts'

/** How a client can leave, and what the server then sees of its connection. */
const endings: [string, (client: Socket) => void, 'end' | 'close'][] = [
  ['closes its sending side', client => client.end(), 'end'],
  ['closes the connection', client => client.destroy(), 'close'],
  ['resets the connection', client => client.resetAndDestroy(), 'close'],
]

describe('The body of a response of the console', () => {
  let listening: Listening | undefined
  afterEach(() => listening?.drain())

  for (const [title, leave, event] of endings) {
    it(`is cancelled once if the client ${title} before it begins`, async () => {
      let cancelled = 0
      const body = new ReadableStream({
        cancel() {
          cancelled++
        },
      })
      const requested = Promise.withResolvers<void>()
      const left = Promise.withResolvers<void>()
      const app = new Koa()
      app.silent = true
      app.use(
        mountConsole(
          async () => {
            requested.resolve()
            await left.promise
            return new Response(body)
          },
          'http://a',
          captureLog().log,
        ),
      )
      listening = await listen(app.callback(), { host: '127.0.0.1', port: 0 })
      listening.server.once('connection', socket => socket.once(event, () => left.resolve()))
      const client = await connectTo(`http://127.0.0.1:${listening.port}`)
      client.write('GET /console/exports/usage.csv HTTP/1.1\r\nHost: a\r\n\r\n')
      await requested.promise
      leave(client)
      await eventually(() => cancelled > 0)
      if (!client.destroyed) await once(client.resume(), 'close')
      expect(cancelled).to.equal(1)
    })
  }
})
