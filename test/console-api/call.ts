import { TRPCClientError } from '@trpc/client'
import type { ConsoleServer } from './console-server.ts'

export interface CallResponse {
  status: number
  headers: Headers
  /** The result of a successful call. */
  data: unknown
  /** The error of a failed call. */
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

/** Sends a call over plain HTTP, for what tRPC's client hides or would not send. */
export async function call(
  server: ConsoleServer,
  { path, kind, input, token, headers }: Call,
): Promise<CallResponse> {
  const query = kind === 'query' && input !== undefined
  const response = await server.fetch(
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

/** What a call of tRPC's client fails with. */
export async function errorOf(call: Promise<unknown>) {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof TRPCClientError)) throw new Error('The call succeeded.')
  const { error: code, httpStatus, details } = error.data as Record<string, unknown>
  return { error: code, httpStatus, details, message: error.message }
}
