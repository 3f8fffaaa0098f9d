import { expect } from 'chai'
import { connectTo } from '../harness/raw-http.ts'
import { call } from '../harness/tenant-client.ts'
import { useService } from '../harness/use-service.ts'

const connections = 20
const chunkBytes = 64 * 1024
const smallest = 'GET / HTTP/1.1\r\n\r\n'
/** More than the buffers of the operating system take: nothing behind it is worked on as long as nobody reads. */
const unread = 'GET /docs/api HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(40)
const packet = Buffer.from(unread + smallest.repeat(chunkBytes / smallest.length))

const moreBytesMax = 100e6

describe('Requests pipelined by the thousand', () => {
  const service = useService()

  it(`occupy little memory and hold up no probe, on ${connections} connections`, async () => {
    const sockets = await Promise.all(Array.from({ length: connections }, () => connectTo(service.baseUrl)))
    const { rss: before } = process.memoryUsage()
    let more = 0
    for (const socket of sockets) socket.pause().write(packet)
    for (let probe = 0; probe < 20; probe++) {
      const { status } = await call(`${service.baseUrl}/health/live`)
      more = Math.max(more, process.memoryUsage().rss - before)
      expect(status).to.equal(200)
    }
    for (const socket of sockets) socket.destroy()
    expect(more).to.be.below(moreBytesMax)
  })
})
