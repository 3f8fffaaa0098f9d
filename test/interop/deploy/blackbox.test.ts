import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { expect } from 'chai'
import { load } from 'js-yaml'
import { generate } from 'selfsigned'
import { freePort } from '#server/http/free-port.ts'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { prometheus, startPrometheus } from '../../harness/engines/prometheus.ts'
import { eventually } from '../../harness/eventually.ts'
import { listenLocally } from '../../harness/listen-locally.ts'
import { endProcess, killOnExit } from '../../harness/processes/process-tree.ts'
import { describeWith, findProgram } from '../../harness/system-program.ts'
import { call } from '../../harness/tenant-client.ts'
import { useService } from '../../harness/use-service.ts'

const blackbox = {
  isMissing: !findProgram('prometheus-blackbox-exporter'),
  reason: 'no prometheus-blackbox-exporter (apt-get install prometheus-blackbox-exporter)',
}

const day = 86_400_000

describeWith([blackbox, prometheus], 'The probe of BASE_URL from outside', function () {
  this.timeout(60_000)
  const closing = new AsyncDisposableStack()
  const folder = temporaryFolder()
  const service = useService()
  let exporter: number
  let port: number
  let respond: RequestListener

  /** What the service itself answers. */
  const asTheService: RequestListener = async ({ url }, response) => {
    // The last probes arrive after the service has closed.
    const answer = await call(service.baseUrl + url).catch(() => undefined)
    if (!answer) return void response.destroy()
    response.writeHead(answer.status).end(JSON.stringify(answer.body))
  }

  before('start the exporter, and a proxy with TLS', async () => {
    const valid = await issue()
    const expired = await issue(new Date(Date.now() - day))
    const authorities = join(folder.path, 'authorities.pem')
    await writeFile(authorities, [valid.cert, expired.cert].join('\n'))
    port = await listen(valid)
    expiredPort = await listen(expired)
    exporter = await startExporter(authorities)
  })
  after(() => closing.disposeAsync())
  let expiredPort: number

  it('succeeds where the service answers, and says when the certificate expires', async () => {
    respond = asTheService
    const { success, metrics } = await probe(`https://localhost:${port}/health/live`)
    expect(success, metrics).to.equal(1)
    const [, expiry] = /^probe_ssl_earliest_cert_expiry (\S+)$/m.exec(metrics)!
    expect(Number(expiry) * 1_000).to.be.within(Date.now() + 29 * day, Date.now() + 31 * day)
  })

  const foreign: Record<string, RequestListener> = {
    'a page of another site': (_, response) => response.end('<html>It works!</html>'),
    'another JSON with the same status': (_, response) => response.end('{"status":"ok","dependencies":{}}'),
    'a redirect to a page that would be ours': ({ url }, response) =>
      url === '/moved'
        ? response.end('{"status":"ok"}')
        : response.writeHead(302, { location: '/moved' }).end(),
    'an error of a proxy': (_, response) => response.writeHead(502).end('{"status":"ok"}'),
    'nothing before the connection is closed': (_, response) => response.destroy(),
  }
  for (const [name, answer] of Object.entries(foreign)) {
    it(`fails for ${name}`, async () => {
      respond = answer
      expect((await probe(`https://localhost:${port}/health/live`)).success).to.equal(0)
    })
  }

  it('fails for an expired certificate, another name, HTTP without TLS and a port that nobody listens on', async () => {
    respond = asTheService
    const targets = [
      `https://localhost:${expiredPort}/health/live`,
      `https://127.0.0.1:${port}/health/live`,
      `${service.baseUrl}/health/live`,
      `https://localhost:${await freePort()}/health/live`,
    ]
    for (const target of targets) expect((await probe(target)).success, target).to.equal(0)
  })

  it('is scraped as prometheus.yaml has it, and pages for the installation until it succeeds again', async () => {
    respond = foreign['an error of a proxy']!
    const documented = readFileSync('deploy/prometheus/prometheus.yaml', 'utf8')
      .replace('blackbox.internal:9115', `127.0.0.1:${exporter}`)
      .replace('https://verify.example', `https://localhost:${port}`)
    const { scrape_configs: all } = load(documented) as { scrape_configs: { job_name: string }[] }
    const scrapeConfigs = all.filter(({ job_name }) => job_name === 'blackbox')
    const started = await startPrometheus({ scrapeConfigs }, closing)
    await eventually(async () => (await started.fired('age-verification')).includes('ProbeFailing'))
    const [{ labels, annotations } = {}] = await started.firing()
    const url = `https://localhost:${port}/health/live`
    expect(labels).to.include({ alertname: 'ProbeFailing', instance: url, severity: 'page' })
    expect(annotations?.summary).to.equal(`From outside, ${url} does not answer as age-verification does`)
    respond = asTheService
    await eventually(async () => (await started.firing()).length === 0, { timeoutMs: 30_000 })
  })

  async function probe(target: string) {
    const query = new URLSearchParams({ module: 'age_verification', target })
    const response = await fetch(`http://127.0.0.1:${exporter}/probe?${query}`)
    const metrics = await response.text()
    return { metrics, success: Number(/^probe_success (\d)$/m.exec(metrics)?.[1]) }
  }

  /** Returns the port of a proxy with this certificate. */
  async function listen({ cert, private: key }: { cert: string; private: string }): Promise<number> {
    const proxy = createServer({ cert, key }, (request, response) => respond(request, response))
    const listening = await listenLocally(proxy)
    closing.defer(listening.close)
    return listening.port
  }

  async function startExporter(authorities: string): Promise<number> {
    const listens = await freePort()
    const options = [
      '--config.file=deploy/prometheus/blackbox.yaml',
      `--web.listen-address=127.0.0.1:${listens}`,
    ]
    const program = findProgram('prometheus-blackbox-exporter')!
    const env = { PATH: process.env.PATH, SSL_CERT_FILE: authorities }
    const child = killOnExit(spawn(program, options, { stdio: 'ignore', env }))
    closing.defer(() => endProcess(child))
    await eventually(async () => (await fetch(`http://127.0.0.1:${listens}/-/healthy`)).ok)
    return listens
  }
})

/** A certificate for `localhost`, until thirty days from now by default. */
async function issue(notAfterDate = new Date(Date.now() + 30 * day)) {
  return await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() - 60 * day),
    notAfterDate,
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  })
}
