import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'

/** What the server says of a name: IPv4 addresses, a refusal, or nothing at all. */
export type NameAnswer = string[] | 'NXDOMAIN' | 'SERVFAIL' | 'silence'

export interface NameServer {
  /** Asks this server only, as the service asks its own: by c-ares. */
  resolver: Resolver
  queries: string[]
  close(): Promise<void>
}

/** A name server on loopback (RFC 1035, UDP). It knows no IPv6 addresses. */
export async function startNameServer(answer: (name: string) => NameAnswer): Promise<NameServer> {
  const socket = createSocket('udp4')
  const queries: string[] = []
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query)
    queries.push(name)
    const found = answer(name)
    if (found === 'silence') return
    socket.send(reply(query.subarray(0, end), type === 1 ? found : keepError(found)), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const resolver = new Resolver({ timeout: 200, tries: 2, maxTimeout: 200 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return {
    resolver,
    queries,
    async close() {
      resolver.cancel()
      const closed = once(socket, 'close')
      socket.close()
      await closed
    },
  }
}

const keepError = (found: NameAnswer): NameAnswer => (Array.isArray(found) ? [] : found)

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function reply(question: Buffer, found: NameAnswer): Buffer {
  const addresses = Array.isArray(found) ? found : []
  const code = found === 'NXDOMAIN' ? 3 : found === 'SERVFAIL' ? 2 : 0
  const head = Buffer.from(question)
  head.writeUInt16BE(0x8580 | code, 2)
  head.writeUInt16BE(addresses.length, 6)
  head.writeUInt32BE(0, 8)
  // A pointer to the name in the question, type A, class IN, no time to live, four bytes.
  const records = addresses.map(address =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  )
  return Buffer.concat([head, ...records])
}
