/** Rates of counters a minute, and values of gauges, by series without the labels `job`, `instance` and `role`. */
export type Series = Record<string, number>

/** What an outage changes in the metrics of an installation of two API processes and a worker. */
export interface Outage {
  /** The alerts that page: one notification each. */
  pages: string[]
  /** Alerts that fire too, and must not page. */
  effects?: string[]
  /** Processes that cannot be scraped. */
  down?: string[]
  api?: Series
  /** Instead of `api`, of the first of both processes alone. */
  firstApi?: Series
  worker?: Series
  /** Of exporters. */
  others?: Series
}

const requests = 'age_verification_http_request_duration_seconds_count'
const served = `${requests}{route="GET /verify/status",status="200"}`
const failed = `${requests}{route="GET /verify/status",status="500"}`
const shed = 'age_verification_http_requests_shed_total'
const started = 'age_verification_verifications_started_total'
const sessions = 'age_verification_provider_request_duration_seconds_count'
const session = (result: string) => `${sessions}{operation="create_session",result="${result}"}`
const callbacks = (result: string) => `age_verification_callbacks_total{result="${result}"}`
const errors = (code: string) =>
  `age_verification_http_errors_total{route="GET /verify/status",code="${code}"}`
const redisErrors = 'age_verification_redis_command_duration_seconds_count{command="admit",result="error"}'
const timeouts = 'age_verification_database_timeouts_total{kind="pool"}'
const waiting = 'age_verification_database_pool_waiting{pool="primary"}'
const up = (dependency: string) => `age_verification_dependency_up{dependency="${dependency}"}`
const runs = (result: string) =>
  `age_verification_task_duration_seconds_count{task="poll the provider",result="${result}"}`
const check = (result: string) => `age_verification_base_url_check{result="${result}"}`
const probe = 'probe_success{instance="https://verify.example/health/live"}'
const certificate = 'age_verification_certificate_expiry_timestamp_seconds{certificate="base_url"}'
const disk = 'device="/dev/sda1",fstype="ext4",mountpoint="/var/lib/postgresql"'

/** Counters, of which all others are gauges. */
export const isCounter = (series: string) => /^\w+_(total|count)\b/.test(series)

export const apiSeries: Series = {
  'age_verification_http_requests{state="working"}': 1,
  [served]: 10,
  [failed]: 0,
  [shed]: 0,
  [started]: 2,
  [session('success')]: 2,
  [session('timeout')]: 0,
  [callbacks('applied')]: 2,
  [callbacks('failed')]: 0,
  [errors('DATABASE_ERROR')]: 0,
  [redisErrors]: 0,
  [timeouts]: 0,
  [waiting]: 0,
  [up('database')]: 1,
  [up('redis')]: 1,
}

export const workerSeries: Series = {
  age_verification_webhook_waiting: 0,
  [runs('success')]: 30,
  [runs('failure')]: 0,
  [up('database')]: 1,
  [check('ok')]: 1,
  [check('status')]: 0,
  [check('connect')]: 0,
}

export const otherSeries: Series = { [probe]: 1 }

const notServed = { [served]: 0, [started]: 0, [session('success')]: 0, [callbacks('applied')]: 0 }
const databaseErrors = {
  ...notServed,
  [failed]: 10,
  [errors('DATABASE_ERROR')]: 10,
  [timeouts]: 2,
  [waiting]: 5,
}
const unreached = (result: string) => ({ [check('ok')]: 0, [check(result)]: 1 })
const outside = { [probe]: 0 }

const providerAway: Pick<Outage, 'api'> = {
  api: { [started]: 0, [session('success')]: 0, [session('timeout')]: 2, [failed]: 2 },
}
const proxyAway: Pick<Outage, 'api' | 'worker' | 'others'> = {
  api: notServed,
  worker: unreached('connect'),
  others: outside,
}

/** By name of the installation. Behind the documented proxy, what no process is ready for gets an error of the proxy. */
export const outages: Record<string, Outage> = {
  nothing: { pages: [] },
  postgresql: {
    pages: ['DependencyDown'],
    effects: [
      'DatabaseErrors',
      'DatabasePoolExhausted',
      'HttpErrorRatioHigh',
      'CallbacksFailing',
      'BackgroundTaskFailing',
      'BaseUrlUnreachable',
      'ProbeFailing',
      'StartsDropped',
    ],
    api: { ...databaseErrors, [callbacks('failed')]: 2, [up('database')]: 0 },
    worker: { ...unreached('status'), [runs('success')]: 0, [runs('failure')]: 12, [up('database')]: 0 },
    others: outside,
  },
  'postgresql-of-one-process': {
    pages: ['ProcessNotReady'],
    effects: ['DatabaseErrors', 'DatabasePoolExhausted', 'HttpErrorRatioHigh'],
    firstApi: { ...databaseErrors, [up('database')]: 0 },
  },
  'postgresql-while-processes-restart': {
    pages: ['DependencyDown'],
    effects: ['ApiMissing', 'WorkerMissing', 'ProbeFailing'],
    api: { 'age_verification_http_requests{state="working"}': Number.NaN, [up('database')]: 0, ...notServed },
    worker: { age_verification_webhook_waiting: Number.NaN, [up('database')]: 0 },
    others: outside,
  },
  'locked-table': {
    pages: ['DatabaseErrors'],
    effects: ['DatabasePoolExhausted', 'HttpErrorRatioHigh', 'CallbacksFailing', 'StartsDropped'],
    api: { ...databaseErrors, [callbacks('failed')]: 2 },
  },
  redis: {
    pages: ['DependencyDown'],
    effects: ['RedisErrors', 'HttpErrorRatioHigh', 'BaseUrlUnreachable', 'ProbeFailing', 'StartsDropped'],
    api: { ...notServed, [failed]: 10, [redisErrors]: 10, [up('redis')]: 0, [callbacks('applied')]: 2 },
    worker: unreached('status'),
    others: outside,
  },
  provider: { pages: ['ProviderFailing'], effects: ['HttpErrorRatioHigh', 'StartsDropped'], ...providerAway },
  overload: {
    pages: ['HttpErrorRatioHigh'],
    effects: ['RequestsShed'],
    api: { [shed]: 10 },
  },
  worker: { pages: ['WorkerMissing'], effects: ['ProcessDown'], down: ['worker'] },
  silenced: { pages: [], effects: ['ProcessDown'], down: ['api-1'] },
  process: { pages: ['ProcessDown'], down: ['api-1'] },
  api: {
    pages: ['ApiMissing'],
    effects: ['ProcessDown', 'BaseUrlUnreachable', 'ProbeFailing'],
    down: ['api-1', 'api-2'],
    worker: unreached('status'),
    others: outside,
  },
  machine: {
    pages: ['ApiMissing'],
    effects: ['ProcessDown', 'WorkerMissing', 'ProbeFailing'],
    down: ['api-1', 'api-2', 'worker'],
    others: outside,
  },
  proxy: { pages: ['ProbeFailing'], effects: ['BaseUrlUnreachable', 'StartsDropped'], ...proxyAway },
  'proxy-without-a-probe': {
    pages: ['BaseUrlUnreachable'],
    effects: ['StartsDropped'],
    ...proxyAway,
    others: { [probe]: Number.NaN },
  },
  certificate: {
    pages: ['CertificateExpiresInDays'],
    worker: { [certificate]: Date.now() / 1_000 + 2 * 86_400 },
  },
  disk: {
    pages: ['DiskNearlyFull'],
    others: { [`node_filesystem_avail_bytes{${disk}}`]: 1e9, [`node_filesystem_size_bytes{${disk}}`]: 100e9 },
  },
  'provider-and-worker': {
    pages: ['ProviderFailing', 'WorkerMissing'],
    effects: ['HttpErrorRatioHigh', 'ProcessDown'],
    ...providerAway,
    down: ['worker'],
  },
  'process-and-proxy': {
    pages: ['ProcessDown', 'ProbeFailing'],
    effects: ['BaseUrlUnreachable'],
    ...proxyAway,
    down: ['api-1'],
  },
}
