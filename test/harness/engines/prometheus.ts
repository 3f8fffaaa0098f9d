import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '#server/http/free-port.ts'
import { eventually } from '../eventually.ts'
import { endProcess, isRunning, killOnExit } from '../processes/process-tree.ts'
import { findProgram, type Requirement, runProgram } from '../system-program.ts'

export const prometheus: Requirement = {
  isMissing: !findProgram('prometheus'),
  reason: 'no prometheus (apt-get install --no-install-recommends prometheus)',
}

const folder = 'deploy/prometheus'

interface Alert {
  state: string
  labels: Record<string, string>
  annotations: Record<string, string>
}

export interface Prometheus {
  /** The names of all alerts of a job that have fired so far. */
  fired(job: string): Promise<string[]>
  /** The alerts that fire now. */
  firing(): Promise<Alert[]>
  /** Resolves when each process has been scraped so many times. */
  untilScraped(times: number): Promise<void>
}

export interface PrometheusOptions {
  /** What it scrapes, as in the configuration file. */
  scrapeConfigs: object[]
  /** The port of the Alertmanager to notify; without it, nobody is. */
  alertmanager?: number
  /** Samples from before its start, in OpenMetrics. */
  history?: string
}

/**
 * A real Prometheus with the documented configuration and rules, whose minutes last a second: all durations in the files are
 * divided by 60, those between scrapes, of ranges and of `for`. Thresholds remain, also those in seconds.
 */
export async function startPrometheus(
  { scrapeConfigs, alertmanager, history }: PrometheusOptions,
  closing: AsyncDisposableStack,
): Promise<Prometheus> {
  const data = await mkdtemp(join(tmpdir(), 'age-verification-prometheus-'))
  closing.defer(() => rm(data, { recursive: true, force: true }))
  if (history) await importHistory(history, data)
  for (const file of globSync('*-rules.yaml', { cwd: folder })) {
    await writeFile(join(data, file), accelerate(readFileSync(join(folder, file), 'utf8')))
  }
  const config = join(data, 'prometheus.yaml')
  await writeFile(config, configuration(scrapeConfigs, alertmanager))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const options = [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(data, 'tsdb')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    `--rules.alert.resend-delay=1s`,
  ]
  const server = killOnExit(spawn(findProgram('prometheus')!, options, { stdio: 'ignore' }))
  closing.defer(() => endProcess(server, 'SIGTERM'))
  await eventually(async () => !isRunning(server) || (await fetch(`${url}/-/ready`)).ok)
  if (!isRunning(server)) throw new Error('Prometheus ended before it was ready')
  async function get<Data>(path: string, parameters = {}): Promise<Data> {
    const response = await fetch(`${url}/api/v1/${path}?${new URLSearchParams(parameters)}`)
    return ((await response.json()) as { data: Data }).data
  }
  return {
    async fired(job) {
      const selector = `ALERTS{alertstate="firing",job="${job}"}`
      const series = await get<{ alertname: string }[]>('series', { 'match[]': selector })
      return series.map(({ alertname }) => alertname)
    },
    async firing() {
      const { alerts } = await get<{ alerts: Alert[] }>('alerts')
      return alerts.filter(({ state }) => state === 'firing')
    },
    async untilScraped(times) {
      const unscraped = { query: `count_over_time(up[1h]) < ${times} or absent(up)` }
      const left = async () => (await get<{ result: unknown[] }>('query', unscraped)).result.length
      await eventually(left, { until: count => count === 0, timeoutMs: 60_000 })
    },
  }
}

/** The documented one, with other addresses. */
function configuration(scrapeConfigs: object[], alertmanager?: number): string {
  const documented = readFileSync(join(folder, 'prometheus.yaml'), 'utf8')
  const own = accelerate(documented.replace(/^scrape_configs:[\s\S]*/m, ''))
  const notified = alertmanager === undefined ? [] : [`127.0.0.1:${alertmanager}`]
  return `${own.replace(/targets: .*/, `targets: ${JSON.stringify(notified)}`)}scrape_configs: ${JSON.stringify(scrapeConfigs)}\n`
}

/** The configuration that scrapes these ports as one job. */
export function scrapeConfig(job: string, ports: readonly number[]): object {
  return { job_name: job, static_configs: [{ targets: ports.map(port => `127.0.0.1:${port}`) }] }
}

async function importHistory(history: string, data: string): Promise<void> {
  const file = join(data, 'history.txt')
  await writeFile(file, `${history}\n# EOF\n`)
  const create = ['tsdb', 'create-blocks-from', 'openmetrics', file, join(data, 'tsdb')]
  await runProgram(findProgram('promtool')!, create)
}

const secondsOf: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 }

/** Divides the durations of a configuration file by 60. */
export function accelerate(yaml: string): string {
  return yaml.replace(/\b(\d+)([smhd])\b/g, (_, count, unit) => {
    return `${Math.round((Number(count) * secondsOf[unit]! * 1_000) / 60)}ms`
  })
}
