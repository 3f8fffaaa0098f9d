import type { ConsoleServer } from './console-server.ts'

export interface Answer {
  status: number
  headers: Headers
  /** What a call that went well answered with. */
  data: unknown
  /** What a call that failed was told. */
  error: { message: string; code: number; data: Record<string, unknown> } | undefined
  text: string
}

export interface Call {
  path: string
  kind: 'query' | 'mutation'
  input?: unknown
  token?: string
  headers?: Record<string, string>
}

/** A call as it goes over the wire, for what tRPC's client does not show or would not send. */
export async function call(
  console: ConsoleServer,
  { path, kind, input, token, headers }: Call,
): Promise<Answer> {
  const query = kind === 'query' && input !== undefined
  const response = await console.fetch(
    query ? `${path}?input=${encodeURIComponent(JSON.stringify(input))}` : path,
    {
      method: kind === 'query' ? 'GET' : 'POST',
      headers: {
        ...(kind === 'mutation' && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(kind === 'mutation' && input !== undefined && { body: JSON.stringify(input) }),
    },
  )
  const text = await response.text()
  const { result, error } = JSON.parse(text)
  return { status: response.status, headers: response.headers, data: result?.data, error, text }
}
