import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect } from 'chai'
import {
  against,
  againstTcp,
  type Client,
  clientOf,
  closeAll,
  created,
  refusal,
  sessionUrl,
  toStart,
} from './client-harness.ts'
import { answerJson, serveTcp } from './loopback.ts'
import { sessionId } from './payloads.ts'

describe('Veriff client in trouble', () => {
  afterEach(closeAll)

  describe('deadline', () => {
    const deadlineMs = 150

    async function expectLate(client: Client): Promise<void> {
      const start = performance.now()
      await refusal(client.createSession(toStart), /did not answer within 150 ms$/)
      expect(performance.now() - start).to.be.within(deadlineMs - 5, deadlineMs + 1500)
    }

    it('ends a TLS handshake that is never answered', async () => {
      await expectLate(await againstTcp(() => {}, deadlineMs, 'https'))
    })

    it('ends the wait for an answer', async () => {
      await expectLate(await againstTcp(() => {}, deadlineMs))
    })

    it('ends the wait for the rest of the headers', async () => {
      await expectLate(await againstTcp(socket => socket.write('HTTP/1.1 201 Created\r\nx-a: '), deadlineMs))
    })

    it('ends the wait for the rest of the body', async () => {
      const { client } = await against((_, response) => void response.writeHead(201).write('{'), {
        deadlineMs,
      })
      await expectLate(client)
    })

    it('ends an answer that drips', async () => {
      const timers: NodeJS.Timeout[] = []
      const drip = (_: IncomingMessage, response: ServerResponse) => {
        timers.push(setInterval(() => response.write(' '), 10))
      }
      const { client } = await against(drip, { deadlineMs })
      await expectLate(client)
      for (const timer of timers) clearInterval(timer)
    })

    it('ends the reading of an error', async () => {
      const { client } = await against((_, response) => void response.writeHead(500).write('{'), {
        deadlineMs,
      })
      await expectLate(client)
    })

    it('holds for many at once, and the next call works', async () => {
      let isHanging = true
      const { server, client } = await against(
        (_, response) => {
          if (!isHanging) answerJson(response, 201, created)
        },
        { deadlineMs },
      )
      await Promise.all(Array.from({ length: 50 }, () => expectLate(client)))
      await server.quiet() // no late connection is left behind
      isHanging = false
      expect((await client.createSession(toStart)).providerSessionId).to.equal(sessionId)
    })
  })

  describe('connections', () => {
    it('are kept alive', async () => {
      const { server, client } = await against((_, response) => answerJson(response, 201, created))
      for (let calls = 0; calls < 20; calls += 1) await client.createSession(toStart)
      // A call that follows at once may find the first connection still busy with the end of its answer.
      expect(server.connections()).to.be.at.most(2)
    })

    it('that fail make the call fail', async () => {
      const gone = await serveTcp(() => {})
      await gone.close()
      await refusal(clientOf(`http://${gone.host}`).createSession(toStart), /ECONNREFUSED$/)
      const reset = await againstTcp(socket => socket.resetAndDestroy(), 5000)
      await refusal(reset.createSession(toStart), /could not be reached: [A-Z_]+$/)
      const closed = await againstTcp(socket => socket.end(), 5000)
      await refusal(closed.createSession(toStart), /could not be reached: UND_ERR_SOCKET$/)
    })

    it('that carry no HTTP, or half an answer, make the call fail', async () => {
      const garbage = await againstTcp(socket => socket.end('secret-token not HTTP\r\n\r\n'), 5000)
      await refusal(garbage.createSession(toStart), /could not be reached: H[A-Za-z_]+$/)
      const half = 'HTTP/1.1 201 Created\r\ncontent-length: 500\r\n\r\n{"secret-token'
      await refusal(
        (await againstTcp(socket => socket.end(half), 5000)).createSession(toStart),
        /UND_ERR_SOCKET$/,
      )
    })

    it('work again after the provider came back', async () => {
      let isBroken = true
      const { client } = await against((request, response) => {
        if (isBroken) request.socket.destroy()
        else answerJson(response, 201, created)
      })
      await refusal(client.createSession(toStart), /could not be reached/)
      isBroken = false
      expect((await client.createSession(toStart)).sessionUrl).to.equal(sessionUrl)
    })

    it('end with the client, and with them what is still going on', async () => {
      const { promise: asked, resolve } = Promise.withResolvers<void>()
      const { server, client } = await against(() => resolve())
      const pending = refusal(client.createSession(toStart), /UND_ERR_DESTROYED$/)
      await asked
      await client.close()
      await pending
      await server.quiet()
      await refusal(client.fetchDecision(sessionId), /UND_ERR_DESTROYED$/)
    })
  })
})
