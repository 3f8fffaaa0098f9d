import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { freePort } from '#server/http/free-port.ts'
import { eventually } from '../eventually.ts'
import { listenLocally } from '../listen-locally.ts'
import { endProcess, isRunning, killOnExit } from '../processes/process-tree.ts'
import { findProgram, type Requirement } from '../system-program.ts'
import { accelerate } from './prometheus.ts'

export const alertmanager: Requirement = {
  isMissing: !findProgram('prometheus-alertmanager'),
  reason: 'no prometheus-alertmanager (apt-get install --no-install-recommends prometheus-alertmanager)',
}

export interface Notification {
  receiver: 'page' | 'ticket'
  status: 'firing' | 'resolved'
  groupLabels: Record<string, string>
}

/**
 * A real Alertmanager with the documented configuration, whose minutes last a second, as those of the Prometheus of these
 * tests. Returns its port and the list to which it adds what it sends.
 */
export async function startAlertmanager(closing: AsyncDisposableStack) {
  const notifications: Notification[] = []
  const receiver = createServer(async (request, response) => {
    notifications.push((await json(request)) as Notification)
    response.end()
  })
  const { url, close } = await listenLocally(receiver)
  closing.defer(close)
  const data = await mkdtemp(join(tmpdir(), 'age-verification-alertmanager-'))
  closing.defer(() => rm(data, { recursive: true, force: true }))
  const config = join(data, 'alertmanager.yaml')
  // It looks at a group each half minute, not each five, so that no alert is over before it is seen.
  const documented = readFileSync('deploy/prometheus/alertmanager.yaml', 'utf8')
  const often = documented.replace('group_interval: 5m', 'group_interval: 30s')
  await writeFile(config, accelerate(often).replaceAll('https://pager.internal', url))
  const port = await freePort()
  const options = [
    `--config.file=${config}`,
    `--storage.path=${data}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--cluster.listen-address=',
  ]
  const server = killOnExit(spawn(findProgram('prometheus-alertmanager')!, options, { stdio: 'ignore' }))
  closing.defer(() => endProcess(server, 'SIGTERM'))
  const ready = `http://127.0.0.1:${port}/-/ready`
  await eventually(async () => !isRunning(server) || (await fetch(ready)).ok)
  if (!isRunning(server)) throw new Error('Alertmanager ended before it was ready')
  return { port, notifications }
}
