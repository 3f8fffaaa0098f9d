import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { recordTestEvent } from '#domain/webhook/record-test-event.ts'
import { eventHeaders } from '#domain/webhook/signature.policy.ts'
import { eventually } from '../harness/eventually.ts'
import { listenLocally } from '../harness/listen-locally.ts'
import { createTestTenant } from '../harness/test-service.ts'
import { useNewTenant, useService } from '../harness/use-service.ts'
import { runSample } from '../system/samples/run-sample.ts'

describe('age-verification listen', function () {
  this.timeout(30_000)
  const service = useService()
  const tenant = useNewTenant(service, { test: true })
  const running: { stop(): Promise<void> }[] = []
  let received: { headers: IncomingMessage['headers']; body: string }[] = []
  let respond: (response: ServerResponse) => void
  let receiver: Awaited<ReturnType<typeof listenLocally>>

  before(async () => {
    receiver = await listenLocally(
      createServer(async (request, response) => {
        received.push({ headers: request.headers, body: await text(request) })
        respond(response)
      }),
    )
  })
  after(() => receiver.close())
  beforeEach(() => {
    received = []
    respond = response => response.writeHead(204).end()
  })
  afterEach(() => Promise.all(running.splice(0).map(command => command.stop())))

  const variables = () => ({ SERVICE_URL: service.baseUrl, API_KEY: tenant.apiKey })

  function run(args: string[], env: Record<string, string> = variables()) {
    const command = runSample([process.execPath, 'clients/typescript/src/command/main.ts', ...args], env)
    running.push(command)
    return command
  }

  /** Until it listens. */
  async function listening(args: string[] = [], env?: Record<string, string>) {
    const command = run(['listen', '--forward-to', `${receiver.url}/hook?shop=1`, ...args], env)
    await eventually(() => command.output().includes('Listening at'), { timeoutMs: 20_000 })
    return command
  }

  async function says({ output }: { output(): string }, pattern: RegExp): Promise<RegExpExecArray> {
    return pattern.exec(await eventually(output, { until: shown => pattern.test(shown), timeoutMs: 20_000 }))!
  }

  /** As a worker does. Returns the body. */
  async function sent(verificationId: string, { url = null as string | null, attempt = 1 } = {}) {
    const body = `{"event":"verification.completed","data":{"verificationId":"${verificationId}","status":"denied"}, "é":1}`
    const headers = eventHeaders('verification.completed', body, 'whsec_test')
    const { tenantId } = tenant
    const event = { tenantId, at: new Date(), attempt, url, headers, body }
    await recordTestEvent(service.services.database.pool, event)
    return { body, headers }
  }

  it('sends events from now on to the receiver, byte for byte, and prints a line for each', async () => {
    await sent('earlier')
    const command = await listening()
    await eventually(() => service.waits.count === 1)
    const { body, headers } = await sent('one')
    await says(
      command,
      /\n\d\d:\d\d:\d\d {2}verification\.completed {2}denied {2}one {2}attempt 1: 204, \d+ ms\n$/,
    )
    expect(received).to.have.length(1)
    expect(received[0]!.body).to.equal(body)
    for (const [name, value] of Object.entries(headers))
      expect(received[0]!.headers[name.toLowerCase()]).to.equal(value)
    expect(command.output()).to.contain(
      `Listening at ${service.baseUrl}, and forwarding to ${receiver.url}/hook?shop=1`,
    )
    expect(command.output()).to.contain('webhook secret: dashboard, Settings, Webhook')
    expect(command.output()).not.to.contain(tenant.apiKey)
  })

  it('can begin with the events of the last 24 hours, with the specific names of the variables', async () => {
    for (let n = 1; n <= 21; n++) await sent(`event-${n}`)
    const { SERVICE_URL, API_KEY } = variables()
    const others = { SERVICE_URL: 'http://127.0.0.1:9', API_KEY: 'other' }
    await listening(['--replay'], {
      ...others,
      AGE_VERIFICATION_URL: `${SERVICE_URL}/`,
      AGE_VERIFICATION_API_KEY: API_KEY,
    })
    await eventually(() => received.length === 21)
    expect(received.map(({ body }) => /event-\d+/.exec(body)![0])).to.deep.equal(
      Array.from({ length: 21 }, (_, n) => `event-${n + 1}`),
    )
  })

  it('repeats an event of a tenant without a webhook URL twice, and follows no redirect', async () => {
    respond = response => response.writeHead(302, { location: '/elsewhere' }).end()
    const command = await listening(['--retry-delays', '0.1,0.2'])
    const { body } = await sent('one')
    await says(
      command,
      /attempt 1: 302, \d+ ms; again in 0\.1 s\n.*attempt 2: 302, \d+ ms; again in 0\.2 s\n/,
    )
    await says(command, /attempt 3: 302, \d+ ms; given up\n$/)
    expect(received.map(request => request.body)).to.deep.equal([body, body, body])
  })

  it('goes on while an event waits for its next attempt', async () => {
    respond = response => response.writeHead(received.length === 1 ? 500 : 200).end()
    const command = await listening(['--retry-delays', '600,600'])
    await sent('one')
    await says(command, /one {2}attempt 1: 500, \d+ ms; again in 600 s\n/)
    await sent('two')
    await says(command, /two {2}attempt 1: 200, \d+ ms\n$/)
  })

  it('ends the attempts with a success', async () => {
    respond = response => response.writeHead(received.length === 1 ? 500 : 200).end()
    const command = await listening(['--retry-delays', '0.1,600'])
    await sent('one')
    await says(command, /attempt 1: 500, \d+ ms; again in 0\.1 s\n.*attempt 2: 200, \d+ ms\n$/)
  })

  it("leaves the attempts of a tenant with a webhook URL to the service, and shows the service's", async () => {
    respond = response => response.writeHead(500).end()
    const command = await listening(['--retry-delays', '0,0'])
    for (const attempt of [1, 2]) await sent('one', { attempt, url: 'https://shop.example/hook' })
    const next = 'the service repeats it only if your webhook URL fails'
    await says(command, new RegExp(`attempt 1: 500, \\d+ ms; ${next}\n.*attempt 2: 500, \\d+ ms; ${next}\n$`))
    expect(received).to.have.length(2)
  })

  it('goes on through outages and rate limits, and misses nothing meanwhile', async () => {
    const event = { id: '8', at: '', attempt: 1, url: null, headers: {}, body: '{}' }
    const asked: string[] = []
    const responses = [
      (response: ServerResponse) => response.writeHead(503, { 'retry-after': '1' }).end('<html>'),
      (response: ServerResponse) => response.end('{"events":[],"next":"7"}'),
      (response: ServerResponse) => response.destroy(),
      (response: ServerResponse) =>
        response
          .writeHead(429, { 'retry-after': '1' })
          .end('{"error":"RATE_LIMIT_EXCEEDED","requestId":"1"}'),
      (response: ServerResponse) => response.end(JSON.stringify({ events: [event], next: '8' })),
      () => {},
    ]
    const scripted = await listenLocally(
      createServer((request, response) => {
        asked.push(request.url!)
        responses[Math.min(asked.length, responses.length) - 1]!(response)
      }),
    )
    running.push({ stop: scripted.close })
    const command = await listening([], { ...variables(), SERVICE_URL: scripted.url })
    await eventually(() => asked.length === 6, { timeoutMs: 20_000 })
    expect(received).to.have.length(1)
    const paths = ['latest&wait=0', 'latest&wait=0', '7&wait=25', '7&wait=25', '7&wait=25', '8&wait=25']
    expect(asked).to.deep.equal(paths.map(path => `/test/events?after=${path}`))
    expect(command.output().match(/It is asked again/g), command.output()).to.have.length(2)
  })

  it('finds the service through a proxy, which it names where it is not used, and its receiver without one', async () => {
    const proxy = createServer().on('connect', (_, client: Socket) => {
      const target = connect(Number(new URL(service.baseUrl).port), '127.0.0.1', () =>
        client.write('HTTP/1.1 200 OK\r\n\r\n'),
      )
      client.pipe(target).pipe(client)
    })
    const { url: HTTP_PROXY, close } = await listenLocally(proxy)
    running.push({ stop: close })
    const env = { ...variables(), SERVICE_URL: 'http://verify.invalid', HTTP_PROXY }
    const lost = run(['listen', '--forward-to', receiver.url], env)
    await says(lost, /asked again\. Node 24 uses the proxy of HTTP_PROXY with NODE_USE_ENV_PROXY=1\.\n$/)
    const command = await listening([], { ...env, NODE_USE_ENV_PROXY: '1' })
    await sent('one')
    await says(command, /one {2}attempt 1: 204, /)
  })

  it('ends at once when it is interrupted', async () => {
    const command = await listening()
    await command.stop('SIGINT')
    expect(await command.ended).to.equal(0)
  })

  it('ends with one line for a key that is not admitted, and for one of a live tenant', async () => {
    const live = await createTestTenant(service)
    for (const [API_KEY, line] of [
      [live.apiKey, /^error: FORBIDDEN: Only a test tenant .* avk_test_\.\n$/],
      [`${tenant.apiKey}x`, /^error: UNAUTHENTICATED_TENANT: .*\n$/],
    ] as const) {
      const command = run(['listen', '--forward-to', receiver.url], { ...variables(), API_KEY })
      expect(await command.ended).to.equal(1)
      expect(command.output()).to.match(line)
    }
  })

  it('refuses what it cannot use, before it asks the service', async () => {
    const forward = ['listen', '--forward-to', receiver.url]
    for (const [args, env, line] of [
      [['listen'], variables(), /^error: --forward-to must be/],
      [['listen', '--forward-to', '8080'], variables(), /^error: --forward-to must be/],
      [forward, { API_KEY: 'avk_test_x' }, /^error: --base-url \(or SERVICE_URL\): /],
      [forward, { SERVICE_URL: service.baseUrl }, /^error: --api-key \(or API_KEY\): /],
      [[...forward, '--retry-delays', '1'], variables(), /^error: --retry-delays must be/],
      [[...forward, '--port', '1'], variables(), /^error: Unknown option '--port'/],
      [['hear'], variables(), /^error: The only command is listen\.\n\nUsage: /],
    ] as const) {
      const command = run([...args], env)
      expect(await command.ended).to.equal(1)
      expect(command.output()).to.match(line)
    }
  })
})
