import { createHmac } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import {
  startVeriffSimulator,
  type VeriffSimulatorOptions,
} from '#development/veriff-simulator/start-veriff-simulator.ts'

export const apiKey = '5a4d0d42-7a93-4f4a-9b61-0d2b2f6f7a10'
export const secret = 'abcdef12-abcd-abcd-abcd-abcdef012345'

export interface SimulatorFixture {
  baseUrl: string
  receiver: Receiver
  /** Calls the API as an integration; signs the body, or the id in the path. */
  api(method: string, path: string, options?: CallOptions): Promise<ApiResponse>
  /** Returns the `verification` of the response to POST /v1/sessions. */
  createSession(verification?: object): Promise<{ id: string; url: string; vendorData: string | null }>
  control(method: string, path: string, body?: unknown): Promise<ApiResponse>
  close(): Promise<void>
}

interface CallOptions {
  body?: unknown
  headers?: Record<string, string>
}

export interface ApiResponse {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: responses of every shape, checked by the assertions
  json: any
}

/** Starts a simulator and, unless one is given, a receiver for its webhooks, on free ports. */
export async function startFixture(
  options: Partial<VeriffSimulatorOptions> = {},
  receiver?: Receiver,
): Promise<SimulatorFixture> {
  const webhooks = receiver ?? (await startReceiver())
  const simulator = await startVeriffSimulator({
    host: '127.0.0.1',
    port: 0,
    apiKey,
    sharedSecrets: [secret],
    webhookUrl: webhooks.url,
    ...options,
  })
  const { baseUrl } = simulator
  const api: SimulatorFixture['api'] = (method, path, { body, headers } = {}) => {
    const bytes = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
    const signed = bytes ?? path.split('/')[3] ?? ''
    return call(method, `${baseUrl}${path}`, bytes, {
      'x-auth-client': apiKey,
      'x-hmac-signature': hmac(signed),
      ...headers,
    })
  }
  return {
    baseUrl,
    receiver: webhooks,
    api,
    async createSession(verification = {}) {
      return (await api('POST', '/v1/sessions', { body: { verification } })).json.verification
    },
    control(method, path, body) {
      const text = body === undefined ? undefined : JSON.stringify(body)
      return call(method, `${baseUrl}/control${path}`, text, { 'content-type': 'application/json' })
    },
    async close() {
      await simulator.close()
      if (receiver === undefined) webhooks.close()
    },
  }
}

export function hmac(content: string | Buffer, key = secret): string {
  return createHmac('sha256', key).update(content).digest('hex')
}

async function call(
  method: string,
  url: string,
  body: string | undefined,
  headers: Record<string, string>,
): Promise<ApiResponse> {
  const response = await fetch(url, {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: parse(text) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export interface Received {
  headers: IncomingHttpHeaders
  body: Buffer
  json: Record<string, unknown>
}

export interface Receiver {
  url: string
  /** All webhooks so far, in order. */
  received: Received[]
  /** Sets the status of later responses; a function is called for each webhook. */
  respondWith(status: number | (() => Promise<number>)): void
  /** Resolves when `count` webhooks in total were received and responded to. */
  until(count: number): Promise<void>
  close(): void
}

/** The integration's webhook endpoint. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const arrivals = new EventEmitter()
  let status: number | (() => Promise<number>) = 200
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    response.writeHead(typeof status === 'number' ? status : await status()).end()
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
    respondWith(next) {
      status = next
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
