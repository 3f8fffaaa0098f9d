import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '#server/http/free-port.ts'
import { eventually } from './eventually.ts'
import { findProgram, type Requirement } from './system-program.ts'

export const haproxy: Requirement = {
  isMissing: !findProgram('haproxy'),
  reason: 'no haproxy (apt-get install haproxy)',
}

export interface Haproxy {
  host: string
  /** Leads to the server that accepts writes. */
  port: number
  close(): Promise<void>
}

interface Backend {
  name: string
  host: string
  port: number
}

/**
 * A real HAProxy in front of PostgreSQL servers, configured as the documentation of Patroni does: it checks each server
 * twice a second over HTTP, leads to the one that is primary, and ends the connections to one that is no longer.
 */
export async function startHaproxy(backends: readonly Backend[]): Promise<Haproxy> {
  const closing = new AsyncDisposableStack()
  const servers: string[] = []
  const agents: HealthAgent[] = []
  for (const backend of backends) {
    const agent = await startHealthAgent(backend)
    closing.defer(() => agent.close())
    agents.push(agent)
    servers.push(`  server ${backend.name} ${backend.host}:${backend.port} check port ${agent.port}`)
  }
  const port = await freePort()
  await runHaproxy(configuration(port, servers), closing)
  // It takes all servers for usable until it has checked them.
  await eventually(() => agents.every(agent => agent.checks() >= 2))
  return { host: '127.0.0.1', port, close: () => closing.disposeAsync() }
}

/** Runs it until `closing` is disposed. */
export async function runHaproxy(configuration: string, closing: AsyncDisposableStack): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'age-verification-haproxy-'))
  closing.defer(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, configuration)
  const proxy = spawn(findProgram('haproxy')!, ['-db', '-f', file], { stdio: 'ignore' })
  const exited = once(proxy, 'exit')
  const killOnExit = () => proxy.kill('SIGKILL')
  process.once('exit', killOnExit)
  closing.defer(async () => {
    process.off('exit', killOnExit)
    proxy.kill('SIGKILL')
    await exited
  })
}

function configuration(port: number, servers: string[]): string {
  return `
global
  maxconn 2000
defaults
  mode tcp
  retries 0
  timeout connect 1s
  timeout client 30m
  timeout server 30m
  timeout check 1s
listen primary
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 500ms fastinter 500ms downinter 500ms fall 1 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`
}

interface HealthAgent {
  port: number
  /** How many checks it has answered. */
  checks(): number
  close(): Promise<void>
}

/** Answers, as Patroni does on each server's machine, whether the server is the primary. */
async function startHealthAgent({ host, port }: Backend): Promise<HealthAgent> {
  let checks = 0
  const agent = createServer(async (_, response) => {
    const isPrimary = await acceptsWrites(host, port).catch(() => false)
    response.writeHead(isPrimary ? 200 : 503).end()
    checks++
  })
  agent.listen(0, '127.0.0.1')
  await once(agent, 'listening')
  return {
    port: (agent.address() as { port: number }).port,
    checks: () => checks,
    async close() {
      agent.close()
      agent.closeAllConnections()
    },
  }
}

async function acceptsWrites(host: string, port: number): Promise<boolean> {
  const client = new pg.Client({
    host,
    port,
    user: 'postgres',
    database: 'postgres',
    connectionTimeoutMillis: 1_000,
    query_timeout: 1_000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query('select pg_is_in_recovery() as recovering')
    return !rows[0].recovering
  } finally {
    await client.end()
  }
}
