import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '#server/http/free-port.ts'
import { eventually } from '../eventually.ts'
import { endProcess, isRunning, killOnExit } from '../processes/process-tree.ts'
import { findProgram, type Requirement } from '../system-program.ts'

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

/**
 * A real Prometheus with the documented configuration and rules, whose minutes last a second: all durations in the files are
 * divided by 60, those between scrapes, of ranges and of `for`. Thresholds remain, also those in seconds. `jobs` has the
 * ports to scrape of each.
 */
export async function startPrometheus(
  jobs: Record<string, number[]>,
  closing: AsyncDisposableStack,
): Promise<Prometheus> {
  const data = await mkdtemp(join(tmpdir(), 'age-verification-prometheus-'))
  closing.defer(() => rm(data, { recursive: true, force: true }))
  for (const file of globSync('*-rules.yaml', { cwd: folder })) {
    await writeFile(join(data, file), accelerate(readFileSync(join(folder, file), 'utf8')))
  }
  const config = join(data, 'prometheus.yaml')
  await writeFile(config, configuration(jobs))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const options = [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(data, 'tsdb')}`,
    `--web.listen-address=127.0.0.1:${port}`,
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

/** The documented one, with these processes, and nobody to notify. */
function configuration(jobs: Record<string, number[]>): string {
  const documented = readFileSync(join(folder, 'prometheus.yaml'), 'utf8').replace(/^alerting:[\s\S]*/m, '')
  const scraped = Object.entries(jobs).map(([name, ports]) => ({
    job_name: name,
    static_configs: [{ targets: ports.map(port => `127.0.0.1:${port}`) }],
  }))
  return `${accelerate(documented)}scrape_configs: ${JSON.stringify(scraped)}\n`
}

const secondsOf: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 }

function accelerate(yaml: string): string {
  return yaml.replace(/\b(\d+)([smhd])\b/g, (_, count, unit) => {
    return `${Math.round((Number(count) * secondsOf[unit]! * 1_000) / 60)}ms`
  })
}
