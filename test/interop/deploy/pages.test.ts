import { createServer } from 'node:http'
import { expect } from 'chai'
import { codeBlocks } from '../../documents/samples.ts'
import { alertmanager, type Notification, startAlertmanager } from '../../harness/engines/alertmanager.ts'
import { type Prometheus, prometheus as program, startPrometheus } from '../../harness/engines/prometheus.ts'
import { eventually } from '../../harness/eventually.ts'
import { listenLocally } from '../../harness/listen-locally.ts'
import { describeWith, runProgram } from '../../harness/system-program.ts'
import {
  apiSeries,
  isCounter,
  type Outage,
  otherSeries,
  outages,
  type Series,
  workerSeries,
} from './outages.ts'

const names = Object.keys(outages)
const jobOf = (name: string) => `age-verification-${name}`

/** Twenty minutes of the rules, longer than what StartsDropped looks back. */
const scrapesWhileWell = 40

describeWith([program, alertmanager], 'The pages of an outage', function () {
  this.timeout(180_000)
  const closing = new AsyncDisposableStack()
  const installations = names.map(name => createInstallation(jobOf(name), outages[name]!))
  let prometheus: Prometheus
  let notifications: Notification[]
  let isOutage = false

  before('each installation has its outage, and recovers', async () => {
    const metrics = createServer((_, response) => {
      response.setHeader('content-type', 'text/plain; version=0.0.4')
      response.end(installations.map(scrape => scrape(isOutage)).join(''))
    })
    const { port, close } = await listenLocally(metrics)
    closing.defer(close)
    const started = await startAlertmanager(closing)
    notifications = started.notifications
    const targets = [`127.0.0.1:${port}`]
    // Half a minute: a machine that is busy needs the time.
    const interval = { scrape_interval: '500ms', scrape_timeout: '500ms' }
    const scrapeConfigs = [
      { job_name: 'stand-in', honor_labels: true, ...interval, static_configs: [{ targets }] },
    ]
    const options = { scrapeConfigs, alertmanager: started.port, history: startsOfLastWeek() }
    prometheus = await startPrometheus(options, closing)
    await prometheus.untilScraped(scrapesWhileWell)
    await silence(jobOf('silenced'), started.port)
    isOutage = true
    await eventually(effectsMissing, { until: missing => missing.length === 0, timeoutMs: 90_000 })
    isOutage = false
    await eventually(() => pagesOf('resolved').length >= expectedPages().length, { timeoutMs: 60_000 })
    // A group is notified again within this time, so that late pages have come.
    const ended = performance.now()
    await eventually(() => performance.now() > ended + 6_000)
  })
  after(() => closing.disposeAsync())

  /** The alerts of all outages that have not fired yet. */
  async function effectsMissing(): Promise<string[]> {
    const missing = names.map(async name => {
      const fired = await prometheus.fired(jobOf(name))
      const { pages, effects = [] } = outages[name]!
      return [...pages, ...effects].filter(alert => !fired.includes(alert)).map(alert => `${name}: ${alert}`)
    })
    return (await Promise.all(missing)).flat()
  }

  const expectedPages = () =>
    names.flatMap(name => outages[name]!.pages.map(page => `${jobOf(name)}: ${page}`))

  function pagesOf(status: 'firing' | 'resolved', job?: string): string[] {
    return notifications
      .filter(sent => sent.receiver === 'page' && sent.status === status)
      .filter(({ groupLabels }) => job === undefined || groupLabels.job === job)
      .map(({ groupLabels }) => `${groupLabels.job}: ${groupLabels.alertname}`)
  }

  for (const name of names) {
    const { pages } = outages[name]!
    it(`${name.replaceAll('-', ' ')}: ${pages.length === 0 ? 'none' : `one each for ${pages.join(' and ')}`}`, () => {
      const expected = pages.map(page => `${jobOf(name)}: ${page}`)
      expect(pagesOf('firing', jobOf(name))).to.have.members(expected)
      expect(pagesOf('resolved', jobOf(name))).to.have.members(expected)
    })
  }
})

/** As docs/monitoring.md tells to do before work that stops a service. */
async function silence(job: string, port: number): Promise<void> {
  const [documented] = codeBlocks('docs/monitoring.md').filter(({ code }) => code.startsWith('amtool'))
  const command = documented!.code.replace('localhost:9093', `127.0.0.1:${port}`)
  await runProgram('/bin/sh', ['-euc', command.replace('job=age-verification', `job=${job}`)])
}

/** More starts than here, in the recording rule, around the same hour a week ago: its minutes are seconds, too. */
function startsOfLastWeek(): string {
  const now = Date.now() / 1_000
  const weekSeconds = (167 * 3_600) / 60
  const samples = names.flatMap(name =>
    Array.from({ length: 20 }, (_, index) => {
      const time = now - weekSeconds - 150 + 20 * index
      return `job:age_verification_verifications_started:increase1h{job="${jobOf(name)}"} 400 ${time}`
    }),
  )
  return samples.join('\n')
}

/** Returns what writes the metrics of an installation, well or in its outage, as Prometheus would have scraped them. */
function createInstallation(job: string, outage: Outage) {
  const counters: Series = {}
  let scrapedAt = performance.now()
  return (isOutage: boolean): string => {
    const { api, firstApi, worker, others, down = [] } = isOutage ? outage : ({} as Partial<Outage>)
    const minutes = (performance.now() - scrapedAt) / 1_000
    scrapedAt = performance.now()
    const isDown = (instance: string) => down.includes(instance)
    const targets: [instance: string, role: string, series: Series][] = [
      ['api-1', 'api', { ...apiSeries, ...api, ...firstApi }],
      ['api-2', 'api', { ...apiSeries, ...api }],
      ['worker', 'worker', { ...workerSeries, ...worker }],
    ]
    const scraped = targets.flatMap(([instance, role, series]) => {
      const labels = `job="${job}",instance="${instance}",role="${role}"`
      const up = `up{${labels}} ${isDown(instance) ? 0 : 1}`
      return isDown(instance) ? [up] : [up, ...write(series, labels, minutes)]
    })
    const ofExporters = write({ ...otherSeries, ...others }, `job="${job}",installation="${job}"`, 0)
    return [...scraped, ...ofExporters, ''].join('\n')
  }

  function write(series: Series, labels: string, minutes: number): string[] {
    return Object.entries(series).flatMap(([name, value]) => {
      if (Number.isNaN(value)) return []
      const [metric, own] = name.split(/[{}]/)
      const key = `${metric}{${[own, labels].filter(Boolean).join(',')}}`
      if (!isCounter(name)) return [`${key} ${value}`]
      counters[key] = (counters[key] ?? 0) + value * minutes
      return [`${key} ${counters[key]}`]
    })
  }
}
