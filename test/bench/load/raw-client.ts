import { connect, type Socket } from 'node:net'
import type { BenchRequest } from './orders.ts'

/** A request for which there was no connection in time. */
export class NotSentError extends Error {}

interface RawResponse {
  status: number
  body: string
}

export interface RawClient {
  /** Sends a request on a free connection, or opens one; waits while all are busy. Rejects if its connection is lost. */
  request(request: BenchRequest): Promise<RawResponse>
  /** Opens all connections, one after the other, each with a first request. */
  openAll(request: BenchRequest): Promise<void>
  /** Rejects the requests that wait for a connection. */
  cancelWaiting(): void
  close(): void
}

interface Exchange {
  bytes: string
  resolve(response: RawResponse): void
  reject(error: unknown): void
}

/**
 * An HTTP client for loads that a complete one couldn't generate: it takes a quarter of the CPU time. It understands only
 * responses with a length, and those in chunks, whose sizes it leaves in the body. Connections send in turn; with
 * `hasAddresses`, each from an address of its own.
 */
export function createRawClient(origin: string, connections: number, hasAddresses = false): RawClient {
  const { hostname, port, host } = new URL(origin)
  const idle: ((exchange: Exchange) => void)[] = []
  const waiting: Exchange[] = []
  const sockets = new Set<Socket>()
  const encoded = new WeakMap<BenchRequest, string>()
  let opened = 0

  function open(): (exchange: Exchange) => void {
    const localAddress = hasAddresses ? { localAddress: loopbackAddress(opened++ % connections) } : {}
    const socket = connect({ host: hostname, port: Number(port), noDelay: true, ...localAddress })
    sockets.add(socket)
    let current: Exchange | undefined
    let received = ''
    const send = (exchange: Exchange) => {
      current = exchange
      socket.write(exchange.bytes)
    }
    const lose = (error: unknown) => {
      sockets.delete(socket)
      const position = idle.indexOf(send)
      if (position !== -1) idle.splice(position, 1)
      current?.reject(error)
      current = undefined
    }
    socket.setEncoding('latin1').on('error', lose)
    socket.on('close', () => lose(new Error('The connection was closed')))
    socket.on('data', (chunk: string) => {
      received += chunk
      const response = parse(received)
      if (!response || !current) return
      const { resolve } = current
      received = ''
      current = undefined
      resolve(response)
      const next = waiting.shift()
      if (next) send(next)
      else idle.push(send)
    })
    return send
  }

  function encode(request: BenchRequest): string {
    const known = encoded.get(request)
    if (known) return known
    const { method, path, headers, body = '' } = request
    const length = method === 'POST' ? { 'Content-Length': String(Buffer.byteLength(body)) } : {}
    const lines = Object.entries({ Host: host, ...headers, ...length }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    )
    const bytes = `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
    encoded.set(request, bytes)
    return bytes
  }

  return {
    request(request) {
      return new Promise((resolve, reject) => {
        const exchange = { bytes: encode(request), resolve, reject }
        const send = idle.shift() ?? (sockets.size < connections ? open() : undefined)
        if (send) send(exchange)
        else waiting.push(exchange)
      })
    },
    async openAll(request) {
      while (sockets.size < connections) {
        await new Promise((resolve, reject) => open()({ bytes: encode(request), resolve, reject }))
      }
    },
    cancelWaiting() {
      for (const { reject } of waiting.splice(0)) reject(new NotSentError())
    },
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

function loopbackAddress(index: number): string {
  return `127.1.${index >> 8}.${index & 255}`
}

const chunksHeader = /\r\ntransfer-encoding: chunked\r\n/i
const lengthHeader = /\r\ncontent-length: (\d+)\r\n/i

function parse(received: string): RawResponse | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const head = received.slice(0, end + 2)
  const body = received.slice(end + 4)
  const isComplete = chunksHeader.test(head)
    ? received.endsWith('\r\n0\r\n\r\n')
    : body.length >= Number(lengthHeader.exec(head)?.[1] ?? 0)
  return isComplete ? { status: Number(head.slice(9, 12)), body } : undefined
}
