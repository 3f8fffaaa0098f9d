import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { type Listening, listen } from '#server/http/listen.ts'
import { eventually } from '../../harness/eventually.ts'
import { connectTo, readResponse } from '../../harness/raw-http.ts'

const tiny = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
/** What is read at once. */
const chunk = tiny.repeat(Math.floor(65_536 / tiny.length))

describe('Requests that are pipelined on a connection', () => {
  let listening: Listening
  let responses: ServerResponse[]
  let parsed: number
  beforeEach(async () => {
    responses = []
    parsed = 0
    listening = await listen((_, response) => responses.push(response), { host: '127.0.0.1', port: 0 })
    listening.server.prependListener('request', () => void parsed++)
  })
  afterEach(() => listening.drain())

  const connected = () => connectTo(`http://127.0.0.1:${listening.port}`)

  it('are passed on one at a time with their bodies, in their order, each when the one before has its response', async () => {
    const client = await connected()
    const body = 'x'.repeat(100)
    const paths = Array.from({ length: 16 }, (_, index) => `/${index}`)
    const head = 'HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n'
    client.write(paths.map(path => `POST ${path} ${head}${body}`).join(''))
    for (const [index, path] of paths.entries()) {
      await eventually(() => responses.length === index + 1)
      const response = responses.at(-1)!
      expect([response.req.url, await text(response.req)]).to.deep.equal([path, body])
      expect(responses).to.have.length(index + 1)
      response.end()
    }
    client.destroy()
  })

  it('end the connection where many wait, before all of them are parsed', async () => {
    const client = await connected()
    client.write(tiny)
    await eventually(() => responses.length === 1)
    client.write(chunk)
    // Reset, where the chunk comes in two parts.
    await readResponse(client).catch(() => undefined)
    expect(parsed).to.equal(18)
    expect(responses).to.have.length(1)
  })

  it('end no other connection', async () => {
    const [attacking, other] = [await connected(), await connected()]
    attacking.on('error', () => {}).write(chunk)
    await eventually(() => responses.length === 1)
    other.write(tiny)
    await eventually(() => responses.length === 2)
    responses[1]!.end('here')
    const [answer] = (await once(other, 'data')) as [Buffer]
    expect(answer.toString()).to.match(/^HTTP\/1.1 200 /)
    for (const client of [attacking, other]) client.destroy()
  })
})
