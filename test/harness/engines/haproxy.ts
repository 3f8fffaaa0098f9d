import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '#server/http/free-port.ts'
import { eventually } from '../eventually.ts'
import { listenLocally } from '../listen-locally.ts'
import { endProcess, killOnExit } from '../processes/process-tree.ts'
import { findProgram, type Requirement } from '../system-program.ts'
import type { PostgresServer } from './postgres-server.ts'

export const haproxy: Requirement = {
  isMissing: !findProgram('haproxy'),
  reason: 'no haproxy (apt-get install haproxy)',
}

/**
 * A real HAProxy in front of PostgreSQL servers, as documented for Patroni: it checks each server
 * twice a second over HTTP, leads to the one that is primary, and ends the connections to one that is no longer.
 * Returns its port.
 */
export async function startHaproxy(
  servers: readonly PostgresServer[],
  closing: AsyncDisposableStack,
): Promise<number> {
  const agents = await Promise.all(servers.map(server => startHealthAgent(server, closing)))
  const port = await runPostgresHaproxy(agents.map(serverLine), closing)
  // It takes all servers for usable until it has checked them.
  await eventually(() => agents.every(agent => agent.checks() >= 2))
  return port
}

/** Runs the documented one in front of PostgreSQL, with these servers. Returns its port. */
export async function runPostgresHaproxy(servers: string[], closing: AsyncDisposableStack): Promise<number> {
  const port = await freePort()
  const documented = readFileSync('deploy/haproxy/postgresql.cfg', 'utf8')
  const withoutServers = documented.replace(/^ +server .*\n/gm, '')
  const address = `127.0.0.1:${port}`
  await runHaproxy(`${withoutServers.replace('*:5432', address)}${servers.join('\n')}\n`, closing)
  return port
}

/** Runs it until `closing` is disposed. Returns what reads its log. */
export async function runHaproxy(
  configuration: string,
  closing: AsyncDisposableStack,
): Promise<() => string> {
  const folder = await mkdtemp(join(tmpdir(), 'age-verification-haproxy-'))
  closing.defer(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, configuration)
  const stdio = ['ignore', 'pipe', 'ignore'] as const
  const proxy = killOnExit(spawn(findProgram('haproxy')!, ['-db', '-f', file], { stdio: [...stdio] }))
  let log = ''
  proxy.stdout!.setEncoding('utf8').on('data', text => {
    log += text
  })
  closing.defer(() => endProcess(proxy))
  return () => log
}

interface HealthAgent {
  server: PostgresServer
  port: number
  /** How many checks it has answered. */
  checks(): number
}

function serverLine({ server, port }: HealthAgent): string {
  const { name, network } = server.options
  return `  server ${name} 127.0.0.1:${network.port} check port ${port}`
}

/** Answers, as Patroni does on each server's machine, whether the server is the primary. */
async function startHealthAgent(server: PostgresServer, closing: AsyncDisposableStack): Promise<HealthAgent> {
  let checks = 0
  const agent = createServer(async (_, response) => {
    const isPrimary = await server.acceptsWrites().catch(() => false)
    response.writeHead(isPrimary ? 200 : 503).end()
    checks++
  })
  const { port, close } = await listenLocally(agent)
  closing.defer(close)
  return { server, port, checks: () => checks }
}
