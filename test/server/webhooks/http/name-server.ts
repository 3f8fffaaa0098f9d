import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { groupsOfIPv6 } from '#domain/network/network.ts'

/** Response codes (RFC 1035, section 4.1.1). */
const errors = { FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 } as const

/** Addresses (none: no data), an error, or no response at all. */
export type Answer = string[] | keyof typeof errors | 'silence'

export interface NameServer {
  /** ADDRESS:PORT */
  address: string
  close(): Promise<void>
}

/** A name server on loopback that gives the same answers for every name. */
export async function startNameServer(answers: { A: Answer; AAAA: Answer }): Promise<NameServer> {
  const socket: Socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const end = query.indexOf(0, 12) + 5
    const answer = query.readUInt16BE(end - 4) === 28 ? answers.AAAA : answers.A
    if (answer !== 'silence') socket.send(respond(query, end, answer), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    async close() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

/** The question ends at this byte. */
function respond(query: Buffer, questionEnd: number, answer: string[] | keyof typeof errors): Buffer {
  const [code, addresses] = typeof answer === 'string' ? [errors[answer], []] : [0, answer]
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  // A response, with recursion desired and available.
  header.writeUInt16BE(0x8180 | code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(addresses.length, 6)
  return Buffer.concat([header, query.subarray(12, questionEnd), ...addresses.map(record)])
}

/** Of the name in the question, in class IN, for 0 seconds. */
function record(address: string): Buffer {
  const data = isIPv6(address)
    ? groupsOfIPv6(address).flatMap(group => [group >> 8, group & 255])
    : address.split('.').map(Number)
  return Buffer.from([0xc0, 12, 0, isIPv6(address) ? 28 : 1, 0, 1, 0, 0, 0, 0, 0, data.length, ...data])
}
