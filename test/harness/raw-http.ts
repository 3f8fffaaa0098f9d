import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { check } from './run/check-responses.ts'
import type { ApiResponse } from './tenant-client.ts'

export interface RawResponse extends ApiResponse {
  statusLine: string
  /** What followed the response on the same connection: further responses, if any. */
  rest: string
}

export interface RawExchange {
  /** Ends the sending side after the bytes, like a client that aborts a request. */
  halfClose?: boolean
  /** Waits until the server closes the connection, so that `rest` is complete. */
  untilClosed?: boolean
}

/** Sends the bytes unchanged on a dedicated connection, and reads the response. */
export async function sendRaw(
  baseUrl: string,
  bytes: string | Uint8Array,
  { halfClose = false, untilClosed = false }: RawExchange = {},
): Promise<RawResponse> {
  const socket = await connectTo(baseUrl)
  try {
    if (halfClose) socket.end(bytes)
    else socket.write(bytes)
    return await readResponse(socket, untilClosed)
  } finally {
    socket.destroy()
  }
}

/** A connection that reports its errors to the reader only: the server may close it at any time. */
export async function connectTo(baseUrl: string): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  return socket
}

/** Reads one response. Throws if the connection ends before it is complete. */
export async function readResponse(socket: Socket, untilClosed = false): Promise<RawResponse> {
  let text = ''
  socket.setEncoding('latin1')
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.on('data', (chunk: string) => {
    text += chunk
    if (!untilClosed && parseAnswer(text)) resolve()
  })
  for (const ending of ['end', 'close', 'error']) socket.once(ending, () => resolve())
  await promise
  const response = parseAnswer(text)
  if (!response) throw new Error(`The connection ended with ${JSON.stringify(text)}`)
  const { status, headers, body } = response
  check({ method: '', target: '', status, headers, body: JSON.stringify(body) })
  return response
}

function parseAnswer(text: string): RawResponse | undefined {
  const [head = '', ...bodies] = text.split('\r\n\r\n')
  if (bodies.length === 0) return undefined
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    }),
  )
  const body = bodies.join('\r\n\r\n')
  const length = Number(headers.get('content-length') ?? 0)
  if (body.length < length) return undefined
  const status = Number(statusLine.split(' ')[1])
  const content = body.slice(0, length)
  const isJson = headers.get('content-type')?.includes('json')
  return {
    statusLine,
    status,
    headers,
    body: isJson && content !== '' ? JSON.parse(content) : content,
    rest: body.slice(length),
  }
}
