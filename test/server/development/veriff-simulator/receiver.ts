import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface Received {
  headers: IncomingHttpHeaders
  body: Buffer
  json: Record<string, unknown>
}

export interface Receiver {
  url: string
  /** Everything that came, in order. */
  received: Received[]
  /** What is answered from now on; a function is asked when the webhook has come. */
  answerWith(answer: number | (() => Promise<number>)): void
  /** Resolves when so many have come and were answered, in all. */
  until(count: number): Promise<void>
  close(): void
}

/** The integrator's webhook address. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const arrivals = new EventEmitter()
  let answer: number | (() => Promise<number>) = 200
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    response.writeHead(typeof answer === 'number' ? answer : await answer()).end()
    received.push({
      headers: request.headers,
      body,
      json: body.length === 0 ? {} : JSON.parse(body.toString()),
    })
    arrivals.emit('arrival')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/verify/callback`,
    received,
    answerWith(next) {
      answer = next
    },
    async until(count) {
      while (received.length < count) await once(arrivals, 'arrival')
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
