import type { RequestListener } from 'node:http'
import { createServer, type Socket } from 'node:net'
import { expect } from 'chai'
import { scaledTimeout } from '../../harness/scaled-timeout.ts'
import { listen } from '../webhooks/http/tls-receiver.ts'
import {
  addressOf,
  against,
  againstTcp,
  type Client,
  clientOf,
  closeAll,
  created,
  expectUnavailable,
  respondJson,
  sessionRequest,
} from './client-harness.ts'
import { sessionId, vendorData } from './payloads.ts'

describe('Veriff client with connection failures', () => {
  afterEach(closeAll)

  describe('deadline', () => {
    const deadlineMs = 1_000

    async function expectLate(client: Client): Promise<void> {
      const start = performance.now()
      await expectUnavailable(client.createSession(sessionRequest), /did not respond within 1000 ms$/)
      // Without the option, it would be 10 s.
      expect(performance.now() - start).to.be.within(deadlineMs / 2, scaledTimeout(8_000))
    }

    const respond = (listener: RequestListener) => async () =>
      (await against(listener, { deadlineMs })).client
    const silent = () => {}
    const drip: RequestListener = (_, response) => {
      const timer = setInterval(() => response.write(' '), 10)
      response.once('close', () => clearInterval(timer))
    }
    const aborted: Record<string, () => Promise<Client>> = {
      'a TLS handshake without a response': () => againstTcp(silent, deadlineMs, 'https'),
      'the wait for a response': () => againstTcp(silent, deadlineMs),
      'the wait for the remaining headers': () =>
        againstTcp(socket => socket.write('HTTP/1.1 201 Created\r\nx-a: '), deadlineMs),
      'the wait for the remaining body': respond((_, response) => void response.writeHead(201).write('{')),
      'a response that arrives too slowly': respond(drip),
      'the reading of an error response': respond((_, response) => void response.writeHead(500).write('{')),
    }
    for (const [step, start] of Object.entries(aborted)) {
      it(`aborts ${step}`, async () => await expectLate(await start()))
    }
  })

  describe('connections', () => {
    const undecided = { status: 'success', verification: null }
    const closings: Record<string, (socket: Socket) => void> = {
      reset: socket => socket.resetAndDestroy(),
      closed: socket => socket.end(),
    }
    for (const [what, close] of Object.entries(closings)) {
      it(`are opened once more when one is ${what} before the response began`, async () => {
        let requests = 0
        const { client } = await against((request, response) => {
          requests += 1
          if (requests % 2 === 1) close(request.socket)
          else respondJson(response, 200, request.method === 'POST' ? created : undecided)
        })
        await client.createSession(sessionRequest)
        await client.fetchDecision(sessionId, vendorData)
        expect(await client.deleteSession(sessionId)).to.equal('deleted')
        expect(requests).to.equal(6)
      })
    }

    it('are opened once more only, and within the same deadline', async () => {
      let requests = 0
      const { client } = await against(({ socket }) => {
        requests += 1
        socket.destroy()
      })
      await expectUnavailable(client.fetchDecision(sessionId, vendorData), /UND_ERR_SOCKET$/)
      expect(requests).to.equal(2)
      const slow = await against(
        ({ socket }) => {
          requests += 1
          if (requests === 3) socket.destroy()
        },
        { deadlineMs: 4_000 },
      )
      await expectUnavailable(slow.client.fetchDecision(sessionId, vendorData), /within 4000 ms$/)
      expect(requests).to.equal(4)
    })

    it('are not opened once more after the response began', async () => {
      let requests = 0
      const { client } = await against((_, response) => {
        requests += 1
        response.writeHead(201, { 'content-length': 500 }).write('{')
        setImmediate(() => response.destroy())
      })
      await expectUnavailable(client.createSession(sessionRequest), /UND_ERR_SOCKET$/)
      expect(requests).to.equal(1)
    })

    it('fail the call when they cannot be opened, are reset or are closed', async () => {
      const gone = await listen(createServer())
      await gone.close()
      await expectUnavailable(clientOf(addressOf(gone)).createSession(sessionRequest), /ECONNREFUSED$/)
      const reset = await againstTcp(socket => socket.resetAndDestroy(), 5000)
      await expectUnavailable(reset.createSession(sessionRequest), /is unreachable: [A-Z_]+$/)
      const closed = await againstTcp(socket => socket.end(), 5000)
      await expectUnavailable(closed.createSession(sessionRequest), /is unreachable: UND_ERR_SOCKET$/)
    })
  })
})
