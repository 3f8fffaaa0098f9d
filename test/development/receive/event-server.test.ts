import { createServer, type Server } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { stripVTControlCharacters } from 'node:util'
import { expect } from 'chai'
import { describeEvent } from '#development/receive/describe-event.ts'
import {
  type EventServer,
  type EventServerOptions,
  type HandledEvent,
  startEventServer,
} from '#development/receive/event-server.ts'
import { readReceiveOptions } from '#development/receive/options.ts'
import { type Certificate, loadOrCreateCertificate } from '#development/webhook-receiver/certificate.ts'
import { eventually } from '../../harness/eventually.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { eventBody, sign } from '../webhook-receiver/fixture.ts'

const secrets = ['whsec_new', 'whsec_old']

describe('The local endpoint for webhook events', () => {
  const folder = temporaryFolder()
  let certificate: Certificate
  let server: EventServer | undefined
  let events: HandledEvent[]
  before(async () => {
    certificate = await loadOrCreateCertificate(folder.path, new Date())
  })
  beforeEach(() => {
    events = []
  })
  afterEach(() => server?.close())

  it('says with which secret an event is signed, and rejects one that is signed with none', async () => {
    await start()
    expect(await post(eventBody('one'), 'whsec_new')).to.equal(200)
    expect(await post(eventBody('two'), 'whsec_old')).to.equal(200)
    expect(await post(eventBody('three'), 'whsec_other')).to.equal(401)
    const shown = await eventually(() => events, { until: all => all.length === 3 })
    const lines = shown.map(event => stripVTControlCharacters(describeEvent(event, 2, 1)).split('\n'))
    expect(lines[0]![0]).to.match(/^\d\d:\d\d:\d\d {2}verification\.completed {2}approved {2}one$/)
    expect(lines.map(line => line[1]!.trim())).to.deep.equal([
      'signature valid, with secret 1 of 2; responded 200',
      'signature valid, with secret 2 of 2; responded 200',
      'signature INVALID with each of 2 secrets; responded 401',
    ])
    expect(lines[0]![2]!.trim()).to.equal(eventBody('one'))
  })

  it('accepts every event while it knows no secret, and says that it has not verified it', async () => {
    await start({ secrets: () => [] })
    expect(await post(eventBody('one'), 'whsec_new')).to.equal(200)
    const [event] = await eventually(() => events, { until: all => all.length === 1 })
    expect(describeEvent(event!, 0, 2))
      .to.contain('not verified: no secret is known')
      .and.contain('received 2 times')
  })

  it('responds with the status that was asked for', async () => {
    await start({ status: 500 })
    expect(await post(eventBody('one'), 'whsec_new')).to.equal(500)
  })

  it('responds after a delay', async () => {
    await start({ delayMs: 20 })
    expect(await post(eventBody('one'), 'whsec_new')).to.equal(200)
  })

  it('reports a sender that does not wait for the response', async () => {
    const received = Promise.withResolvers<void>()
    const known = () => {
      received.resolve()
      return secrets
    }
    await start({ delayMs: 60_000, secrets: known })
    const sent = send(eventBody('one'), 'whsec_new').once('error', () => {})
    await received.promise
    sent.destroy()
    const [event] = await eventually(() => events, { until: all => all.length === 1 })
    expect(describeEvent(event!, 2, 1)).to.contain('not sent: the sender closed the connection before')
  })

  it('passes events on unchanged, and responds as the program does', async () => {
    const program = await listenLocally()
    const received: { body: string; signature: unknown; event: unknown }[] = []
    program.on('request', async (incoming, response) => {
      let body = ''
      for await (const chunk of incoming) body += chunk
      const { 'x-webhook-signature': signature, 'x-webhook-event': event } = incoming.headers
      received.push({ body, signature, event })
      response.writeHead(418).end()
    })
    await start({ forwardTo: `http://127.0.0.1:${(program.address() as AddressInfo).port}/hook` })
    const body = `${eventBody('one')} `
    expect(await post(body, 'whsec_new')).to.equal(418)
    expect(received).to.deep.equal([
      { body, signature: sign(body, 'whsec_new'), event: 'verification.completed' },
    ])
    program.close()
    program.closeAllConnections()
    expect(await post(body, 'whsec_new')).to.equal(502)
    const last = await eventually(() => events.at(-1)!, { until: event => event.status === 502 })
    expect(describeEvent(last, 2, 1)).to.contain('responded 502 (not forwarded: ')
  })

  it('shows the fields of an event without executing its control characters', async () => {
    await start()
    const clearScreen = '\u001b[2J'
    await post(eventBody(`${clearScreen}one`), 'whsec_other')
    const [event] = await eventually(() => events, { until: all => all.length === 1 })
    expect(describeEvent(event!, 2, 1)).not.to.contain(clearScreen)
  })

  it('reports a request that it could not read', async () => {
    const errors: Error[] = []
    await start({ onError: error => errors.push(error) })
    expect(await post('x'.repeat(64 * 1024 + 1), 'whsec_new')).to.equal(500)
    const [error] = await eventually(() => errors, { until: all => all.length === 1 })
    expect(error!.message).to.match(/^The body must be at most 65536 bytes/)
  })

  it('shows what is not an event without executing its control characters', async () => {
    await start()
    await post('\u001b[31mred', 'whsec_new')
    const [event] = await eventually(() => events, { until: all => all.length === 1 })
    expect(describeEvent(event!, 2, 1))
      .to.contain('not an event')
      .and.contain('\\u001b[31mred')
  })

  async function start(options: Partial<EventServerOptions> = {}): Promise<void> {
    server = await startEventServer({
      port: 0,
      status: undefined,
      delayMs: 0,
      forwardTo: undefined,
      certificate,
      secrets: () => secrets,
      onEvent: event => events.push(event),
      onError: error => {
        throw error
      },
      ...options,
    })
  }

  function send(body: string, secret: string) {
    const headers = {
      'content-type': 'application/json',
      'x-webhook-event': 'verification.completed',
      'x-webhook-signature': sign(body, secret),
    }
    const ca = certificate.keyAndCertificate
    return request(server!.webhookUrl, { method: 'POST', ca, headers, agent: false }).end(body)
  }

  function post(body: string, secret: string): Promise<number> {
    return new Promise((resolve, reject) => {
      send(body, secret)
        .once('response', response => resolve(response.resume().statusCode ?? 0))
        .once('error', reject)
    })
  }
})

describe('The options of npm run receive', () => {
  it('take secrets from the command line, else from WEBHOOK_SECRETS', () => {
    const env = { WEBHOOK_SECRETS: 'a,b' }
    expect(readReceiveOptions([], env)).to.include({ port: 8443, delayMs: 0 })
    expect(readReceiveOptions([], env).secrets).to.deep.equal(['a', 'b'])
    expect(readReceiveOptions(['--secret', 'c', '--secret', 'd'], env).secrets).to.deep.equal(['c', 'd'])
    expect(readReceiveOptions([], {}).secrets).to.deep.equal([])
  })
})

async function listenLocally(): Promise<Server> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return server
}
