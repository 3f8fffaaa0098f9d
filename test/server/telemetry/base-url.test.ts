import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { expect } from 'chai'
import { Registry } from 'prom-client'
import { freePort } from '#server/http/free-port.ts'
import { livenessResults, requestLiveness } from '#server/telemetry/request-liveness.ts'
import { watchBaseUrl } from '#server/telemetry/watch-base-url.ts'
import { eventually } from '../../harness/eventually.ts'
import { listenLocally } from '../../harness/listen-locally.ts'
import { seriesOf } from '../../harness/metrics.ts'
import { useService } from '../../harness/use-service.ts'
import { startReceiver } from '../webhooks/http/tls-receiver.ts'

describe('Whether the service can be reached at BASE_URL', () => {
  const service = useService()
  let closing: AsyncDisposableStack
  beforeEach(() => {
    closing = new AsyncDisposableStack()
  })
  afterEach(() => closing.disposeAsync())

  async function serve(respond: RequestListener): Promise<string> {
    const { url, close } = await listenLocally(createServer(respond))
    closing.defer(close)
    return url
  }

  async function serveTcp(onConnection: (socket: Socket) => void): Promise<string> {
    const { url, close } = await listenLocally(createTcpServer(onConnection))
    closing.defer(close)
    return url
  }

  const resultAt = async (baseUrl: string) => (await requestLiveness(baseUrl)).result

  it('is ok if this service answers, also behind a proxy', async () => {
    expect(await requestLiveness(service.baseUrl)).to.deep.equal({ result: 'ok', reason: 'ok' })
    const proxy = await serve(async ({ url }, response) => {
      const { headers, status, body } = await fetch(`${service.baseUrl}${url}`)
      response.writeHead(status, Object.fromEntries(headers)).end(await new Response(body).text())
    })
    expect(await resultAt(proxy)).to.equal('ok')
  })

  it('is a status where a proxy has no process that is ready, or redirects', async () => {
    const unready = `{"error":"INTERNAL_ERROR","message":"The service is not available.","requestId":"${randomUUID()}"}`
    const haproxy = await serve((_, response) => response.writeHead(500).end(unready))
    expect(await requestLiveness(haproxy)).to.deep.equal({ result: 'status', reason: 'status 500' })
    const page = await serve((_, response) => response.writeHead(502).end('x'.repeat(1_000_000)))
    expect(await resultAt(page)).to.equal('status')
    const live = await serve((_, response) => {
      response.setHeader('x-request-id', randomUUID()).end('{"status":"ok"}')
    })
    expect(await resultAt(live)).to.equal('ok')
    const redirecting = await serve((_, response) => response.writeHead(302, { location: live }).end())
    expect(await resultAt(redirecting)).to.equal('status')
  })

  it('is a foreign response if another program, a login or no HTTP answers', async () => {
    for (const body of [
      '<h1>Sign in</h1>',
      '{"status":"ok"}',
      '{"status":"ok"} ',
      '',
      'x'.repeat(1_000_000),
    ]) {
      const page = await serve((_, response) => response.end(body))
      expect(await resultAt(page), body.slice(0, 20)).to.equal('foreign_response')
    }
    const greeting = await serveTcp(socket => socket.resume().end('SSH-2.0-OpenSSH_9.2\r\n'))
    expect(await resultAt(greeting)).to.equal('foreign_response')
  })

  it('is the fault of the name, the connection, the certificate or the time', async () => {
    expect(await resultAt('http://no-such-host.invalid')).to.equal('dns')
    expect(await resultAt(`http://127.0.0.1:${await freePort()}`)).to.equal('connect')
    const closingAtOnce = await serveTcp(socket => socket.destroy())
    expect(await resultAt(closingAtOnce)).to.equal('connect')
    for (const certificate of ['receiver', 'expired', 'self-signed'] as const) {
      const receiver = await startReceiver({ certificate })
      closing.defer(receiver.close)
      expect(await resultAt(`https://127.0.0.1:${receiver.port}`), certificate).to.equal('tls')
    }
    expect(await resultAt(service.baseUrl.replace('http:', 'https:'))).to.equal('tls')
    const silent = await serve(() => {})
    const endless = await serve((_, response) => {
      response.writeHead(200).write('{')
    })
    expect(await Promise.all([silent, endless].map(resultAt))).to.deep.equal(['timeout', 'timeout'])
  })

  it('is watched: a gauge has the last result alone, and the log when it begins and ends', async () => {
    const registry = new Registry()
    const lines: string[] = []
    const log = {
      info: (_: object, line: string) => void lines.push(line),
      warn: (_: object, line: string) => void lines.push(line),
    }
    let isAway = true
    const baseUrl = await serve(({ url }, response) => {
      if (isAway) return void response.writeHead(502).end('Bad Gateway')
      expect(url).to.equal('/health/live')
      response.setHeader('x-request-id', randomUUID()).end('{"status":"ok"}')
    })
    const watch = watchBaseUrl({ registry, baseUrl, log, everyMs: 20 })
    closing.defer(async () => watch.close())
    const results = async () => {
      const series = await seriesOf(registry)
      for (const { name } of series) expect(name).to.equal('age_verification_base_url_check')
      return Object.fromEntries(series.map(({ labels, value }) => [labels.result, value]))
    }
    const only = (result: string) =>
      Object.fromEntries(livenessResults.map(each => [each, each === result ? 1 : 0]))
    expect(await results(), 'before the first check').to.deep.equal({})
    await eventually(async () => (await results()).status === 1)
    expect(await results()).to.deep.equal(only('status'))
    isAway = false
    await eventually(async () => (await results()).ok === 1)
    expect(await results()).to.deep.equal(only('ok'))
    expect(lines).to.deep.equal([
      `Waiting for BASE_URL ${baseUrl}: status 502 (status)`,
      `BASE_URL ${baseUrl} is available`,
    ])
    watch.close()
    await eventually(async () => Object.keys(await results()).length === 0)
    expect(await results(), 'long after the last check').to.deep.equal({})
  })
})
