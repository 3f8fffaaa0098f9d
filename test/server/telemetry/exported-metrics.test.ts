import { globSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { expect } from 'chai'
import Koa from 'koa'
import { errorCatalogue } from '#domain/error-codes.ts'
import { providerFailures } from '#domain/ports.ts'
import { providerNames } from '#domain/provider-result.ts'
import { completedStatuses } from '#domain/verification/verification.policy.ts'
import { givenUpReasons } from '#domain/webhook/log-given-up.ts'
import { statusOf } from '#rest/errors.ts'
import { endpoints } from '#rest/router.ts'
import { callbackResults } from '#rest/verify/callback-result.ts'
import { tasks } from '#server/background/tasks.ts'
import { createHealth } from '#server/http/health.ts'
import { serveMetrics } from '#server/http/metrics.ts'
import { addWaitMetrics } from '#server/http/request-metrics.ts'
import { startWorker } from '#server/start/start-worker.ts'
import { addDependencyMetrics } from '#server/telemetry/dependency-metrics.ts'
import { statements } from '../../domain/declared-statements.ts'
import { eventually } from '../../harness/eventually.ts'
import { listenLocally } from '../../harness/listen-locally.ts'
import { seriesOf } from '../../harness/metrics.ts'
import { call, tenantClient } from '../../harness/tenant-client.ts'
import { unavailableRedis } from '../../harness/test-service.ts'
import { useService, useTenant } from '../../harness/use-service.ts'

/** Everything that the label `route` can be. */
const routes = [
  ...endpoints.map(({ method, path }) => `${method} ${path}`),
  ...[
    '/health/live',
    '/health/ready',
    '/health/ready/callbacks',
    '/docs',
    '/docs/',
    '/docs/:page',
    '/docs/images/:file',
    '/docs/search',
    '/docs.css',
    '/docs.js',
    '/openapi.json',
    '/return/:verificationId',
    '/',
  ].flatMap(path => [`GET ${path}`, `HEAD ${path}`]),
  'HEAD /.well-known/jwks.json',
  '/console',
  'none',
]

const statuses = [...new Set([200, 201, 204, 302, 303, 304, 405, ...Object.values(statusOf)])].map(String)

/** The values that each label may have; of other labels, the metrics of Node and of the process. */
const known: Record<string, readonly string[]> = {
  route: routes,
  status: [...statuses, 'disconnected', ...completedStatuses],
  code: Object.keys(errorCatalogue),
  operation: ['create_session', 'fetch_decision'],
  result: ['success', 'failure', 'error', ...providerFailures, ...callbackResults],
  command: ['count'],
  task: tasks.map(({ name }) => name),
  outcome: 'success status timeout dns tls connect malformed_response blocked_address error'.split(' '),
  reason: givenUpReasons,
  provider: providerNames,
  tenants: ['live', 'test'],
  age: ['adult', 'minor', 'unknown', 'contradictory'],
  state: ['idle', 'working', 'queued'],
  statement: [...statements.map(({ definition }) => definition.name), 'orm'],
  kind: ['pool', 'statement'],
  dependency: ['database', 'redis', 'sign_in_provider'],
}

interface ExportedMetric {
  name: string
  help: string
  type: string
  values: { labels: Record<string, string> }[]
}

/** The rows of the table. */
function documentedMetrics() {
  const rows = readFileSync('deploy/prometheus/README.md', 'utf8').matchAll(
    /^\| `(age_verification_\w+)` \| (\w+) \|([^|]*)\|/gm,
  )
  return [...rows].map(([, name, type, labels]) => ({
    name: name!,
    type: type!,
    labels: [...labels!.matchAll(/`(\w+)`/g)].map(([, label]) => label!),
  }))
}

const deployFiles = [...globSync('deploy/prometheus/*{-rules,.test}.yaml'), 'deploy/grafana/dashboard.json']

/** Every metric of the service that the files name, with its label matchers; not those of recording rules. */
function selectorsIn(files: readonly string[]) {
  const text = files.map(file => readFileSync(file, 'utf8').replaceAll('\\"', '"')).join('\n')
  const found = [...text.matchAll(/(?<![\w:])(age_verification_\w+)(?!\w*:)(?:\{([^}]*)\})?/g)]
  expect(found.length).to.be.above(50)
  return found.map(([, metric, matchers = '']) => ({
    metric: metric!,
    matchers: [...matchers.matchAll(/(\w+)(?:=~|!=|=)"([^"]*)"/g)].map(([, label, value]) => ({
      label: label!,
      values: value === '5..' ? ['500', '503'] : value!.split('|'),
    })),
  }))
}

describe('The metrics of a service', () => {
  // It has the metrics of Redis, whether that is available or not.
  const service = useService({ redisUrl: unavailableRedis })

  async function allMetrics() {
    const metrics = await service.services.registry.getMetricsAsJSON()
    return metrics as unknown as ExportedMetric[]
  }
  const tenant = useTenant(service)
  let worker: ReturnType<typeof startWorker>
  before(async () => {
    worker = startWorker(service.services)
    addWaitMetrics(service.services.registry, () => service.waits.count)
    addDependencyMetrics(service.services.registry, createHealth(service.services).readStates)
    const succeeded = 'age_verification_task_last_success_timestamp_seconds'
    await eventually(
      async () => (await ownSeries()).filter(({ name }) => name === succeeded).length === tasks.length,
    )
  })
  after(() => worker?.close())

  const ownSeries = async () => {
    const all = await seriesOf(service.services.registry)
    return all.filter(({ name }) => name.startsWith('age_verification_'))
  }

  async function ownMetrics() {
    const all = await allMetrics()
    const own = all.filter(({ name }) => name.startsWith('age_verification_'))
    return own.map(({ name, type, values }) => {
      const labels = new Set(values.flatMap(series => Object.keys(series.labels)))
      return { name, type, labels: [...labels].filter(label => label !== 'le') }
    })
  }

  function isKnown(name: string, label: string, value: string): boolean {
    if (name === 'age_verification_build_info') return ['version', 'commit', 'node_version'].includes(label)
    return known[label]?.includes(value) === true
  }

  it('are those of the table in deploy/prometheus/README.md, with their types and labels', async () => {
    await tenantClient(service, tenant).status('none')
    const exported = await ownMetrics()
    const documented = documentedMetrics()
    const columns = exported.map(({ name, type }) => `${name} ${type}`)
    expect(columns).to.have.members(documented.map(({ name, type }) => `${name} ${type}`))
    const labelsOf = new Map(documented.map(({ name, labels }) => [name, labels]))
    for (const { name, labels } of exported) expect(labelsOf.get(name), name).to.have.members(labels)
  })

  it('are the only ones that rules and the dashboard name, with labels and values that they have', () => {
    const labelsOf = new Map(documentedMetrics().map(({ name, labels }) => [name, labels]))
    const wrong = selectorsIn(deployFiles).flatMap(({ metric, matchers }) => {
      const labels = labelsOf.get(metric.replace(/_(bucket|count|sum)$/, '')) ?? labelsOf.get(metric)
      if (!labels) return [metric]
      const scraped = ['job', 'instance', 'le']
      return matchers.flatMap(({ label, values }) => {
        if (scraped.includes(label)) return []
        if (!labels.includes(label)) return [`${metric}{${label}}`]
        return values
          .filter(value => !isKnown(metric, label, value))
          .map(value => `${metric}{${label}=${value}}`)
      })
    })
    expect(wrong).to.deep.equal([])
  })

  it('are served at /metrics, as text for Prometheus', async () => {
    const app = new Koa().use(serveMetrics(service.services.registry))
    const server = await listenLocally(createServer(app.callback()))
    const url = `${server.url}/metrics`
    const { status, body, headers } = await call(url)
    expect(status).to.equal(200)
    expect(headers.get('content-type')).to.match(/^text\/plain; version=0\.0\.4/)
    expect(body)
      .to.include('# TYPE age_verification_build_info gauge')
      .and.include('process_cpu_seconds_total')
    expect((await call(url, { method: 'POST' })).status).to.equal(404)
    expect((await call(`${url}/other`)).status).to.equal(404)
    await server.close()
  })
})
