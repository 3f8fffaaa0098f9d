import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Answer } from './tenant-client.ts'

export interface RawAnswer extends Answer {
  statusLine: string
  /** What came after the answer on the same connection; more answers, where there should be none. */
  rest: string
}

export interface RawExchange {
  /** Says that no more will come, as a client does that gives up half-way. */
  halfClose?: boolean
  /** Waits for the server to hang up, so that `rest` is all that it had to say. */
  untilClosed?: boolean
}

/** Sends the bytes as they are on a connection of their own, and reads the answer. */
export async function sendRaw(
  baseUrl: string,
  bytes: string | Uint8Array,
  { halfClose = false, untilClosed = false }: RawExchange = {},
): Promise<RawAnswer> {
  const socket = await connectTo(baseUrl)
  try {
    if (halfClose) socket.end(bytes)
    else socket.write(bytes)
    return await readAnswer(socket, untilClosed)
  } finally {
    socket.destroy()
  }
}

/** A connection whose errors are for whoever reads from it: the other side may hang up at any time. */
export async function connectTo(baseUrl: string): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  return socket
}

/** Reads one answer; throws if the connection ends before it is whole. */
export async function readAnswer(socket: Socket, untilClosed = false): Promise<RawAnswer> {
  let text = ''
  socket.setEncoding('latin1')
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.on('data', (chunk: string) => {
    text += chunk
    if (!untilClosed && parseAnswer(text)) resolve()
  })
  for (const ending of ['end', 'close', 'error']) socket.once(ending, () => resolve())
  await promise
  const answer = parseAnswer(text)
  if (!answer) throw new Error(`The connection ended with ${JSON.stringify(text)}`)
  return answer
}

function parseAnswer(text: string): RawAnswer | undefined {
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
    body: isJson ? JSON.parse(content) : content,
    rest: body.slice(length),
  }
}
