import { createHmac } from 'node:crypto'
import {
  startVeriffSimulator,
  type VeriffSimulatorOptions,
} from '#server/development/veriff-simulator/veriff-simulator.ts'
import { type Receiver, startReceiver } from './receiver.ts'

export const apiKey = '5a4d0d42-7a93-4f4a-9b61-0d2b2f6f7a10'
export const secret = 'abcdef12-abcd-abcd-abcd-abcdef012345'

export interface Trial {
  baseUrl: string
  receiver: Receiver
  /** Calls the API as an integrator; signs the body, or the id in the path. */
  api(method: string, path: string, options?: CallOptions): Promise<Answer>
  /** A session's part of the answer to POST /v1/sessions. */
  createSession(verification?: object): Promise<{ id: string; url: string; vendorData: string | null }>
  control(method: string, path: string, body?: unknown): Promise<Answer>
  close(): Promise<void>
}

interface CallOptions {
  body?: unknown
  headers?: Record<string, string>
}

export interface Answer {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape, taken apart by the assertions
  json: any
}

/** A stand-in on a free port and a receiver for its webhooks. */
export async function startTrial(
  options: Partial<VeriffSimulatorOptions> = {},
  receiver?: Receiver,
): Promise<Trial> {
  const hook = receiver ?? (await startReceiver())
  const simulator = await startVeriffSimulator({
    host: '127.0.0.1',
    port: 0,
    apiKey,
    sharedSecrets: [secret],
    webhookUrl: hook.url,
    ...options,
  })
  const { baseUrl } = simulator
  const api: Trial['api'] = (method, path, { body, headers } = {}) => {
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
    receiver: hook,
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
      if (receiver === undefined) hook.close()
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
): Promise<Answer> {
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
