import { createServer, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import {
  startVeriffSimulator,
  type VeriffSimulatorOptions,
} from '#development/veriff-simulator/start-veriff-simulator.ts'
import { signature } from '#server/providers/veriff/signature.ts'
import { eventually } from '../../harness/eventually.ts'
import { listenLocally } from '../../harness/listen-locally.ts'
import { type ApiResponse, type Call, call } from '../../harness/tenant-client.ts'

export const apiKey = '5a4d0d42-7a93-4f4a-9b61-0d2b2f6f7a10'
export const secret = 'abcdef12-abcd-abcd-abcd-abcdef012345'

export type Fixture = Awaited<ReturnType<typeof startFixture>>

/** Starts a simulator and, unless one is given, a receiver for its webhooks, on free ports. */
export async function startFixture(options: Partial<VeriffSimulatorOptions> = {}, existing?: Receiver) {
  const receiver = existing ?? (await startReceiver())
  const { baseUrl, close } = await startVeriffSimulator({
    port: 0,
    apiKey,
    sharedSecrets: [secret],
    webhookUrl: receiver.url,
    ...options,
  })
  /** Calls the API as an integration; signs the body, or the id in the path. */
  const api = (method: NonNullable<Call['method']>, path: string, body?: unknown, headers = {}) => {
    const raw = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const signed = { 'x-auth-client': apiKey, 'x-hmac-signature': hmac(raw ?? path.split('/')[3] ?? '') }
    const sent: Call = { method, headers: { ...signed, ...headers } }
    return call(`${baseUrl}${path}`, raw === undefined ? sent : { ...sent, raw })
  }
  const control = (method: 'GET' | 'POST' | 'PUT', path: string, json?: unknown): Promise<ApiResponse> =>
    call(`${baseUrl}/control${path}`, json === undefined ? { method } : { method, json })
  return {
    baseUrl,
    receiver,
    api,
    control,
    createSession: async (verification = {}): Promise<{ id: string; url: string }> =>
      (await api('POST', '/v1/sessions', { verification })).body.verification,
    decide: async (id: string, input: object) =>
      (await control('POST', `/sessions/${id}/decide`, input)).body,
    poll: async (id: string) => (await api('GET', `/v1/sessions/${id}/decision`)).body.verification,
    async close() {
      await close()
      if (!existing) await receiver.close()
    },
  }
}

export function hmac(content: string | Buffer, key = secret): string {
  return signature(content, key)
}

interface Received {
  headers: IncomingHttpHeaders
  body: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: webhooks of every shape, checked by the assertions
  json: any
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** The integration's webhook endpoint. */
export async function startReceiver() {
  const received: Received[] = []
  let respond: () => number | Promise<number> = () => 200
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const json = JSON.parse(body.toString())
    received.push({ headers: request.headers, body, json })
    response.writeHead(await respond()).end()
  })
  const { url, close } = await listenLocally(server)
  return {
    url: `${url}/verify/callback`,
    received,
    /** The code of each event and decision, in order. */
    codes: () => received.map(({ json }) => json.code ?? json.verification.code),
    respondWith: (next: typeof respond) => {
      respond = next
    },
    /** Resolves when `count` webhooks in total were received. */
    until: (count: number) => eventually(() => received.length >= count),
    close,
  }
}
