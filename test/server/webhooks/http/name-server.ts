import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'

/** The server's response for a name: IPv4 addresses, an error, or no response. */
export type NameResponse = string[] | 'NXDOMAIN' | 'SERVFAIL' | 'timeout'

export interface NameServer {
  /** Queries only this server, with c-ares, as the service does. */
  resolver: Resolver
  queries: string[]
  /** The ID and type of each query, once: the resolver repeats a query whose response is late. */
  lookups: Set<string>
  close(): Promise<void>
}

/** A name server on loopback (RFC 1035, UDP). It has no IPv6 records. The resolver sends a query twice at most. */
export async function startNameServer(
  respond: (name: string) => NameResponse,
  { timeoutMs = 500 } = {},
): Promise<NameServer> {
  const socket = createSocket('udp4')
  const queries: string[] = []
  const lookups = new Set<string>()
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query)
    queries.push(name)
    lookups.add(`${query.readUInt16BE(0)}/${type}`)
    const response = respond(name)
    if (response === 'timeout') return
    socket.send(
      encode(query.subarray(0, end), type === 1 ? response : withoutAddresses(response)),
      port,
      address,
    )
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2, maxTimeout: timeoutMs })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return {
    resolver,
    queries,
    lookups,
    async close() {
      resolver.cancel()
      const closed = once(socket, 'close')
      socket.close()
      await closed
    },
  }
}

const withoutAddresses = (response: NameResponse): NameResponse => (Array.isArray(response) ? [] : response)

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function encode(question: Buffer, response: NameResponse): Buffer {
  const addresses = Array.isArray(response) ? response : []
  const code = response === 'NXDOMAIN' ? 3 : response === 'SERVFAIL' ? 2 : 0
  const head = Buffer.from(question)
  head.writeUInt16BE(0x8580 | code, 2)
  head.writeUInt16BE(addresses.length, 6)
  head.writeUInt32BE(0, 8)
  // A pointer to the name in the question, type A, class IN, TTL 0, four bytes.
  const records = addresses.map(address =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  )
  return Buffer.concat([head, ...records])
}
