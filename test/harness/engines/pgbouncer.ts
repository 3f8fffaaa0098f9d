import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serverAccount } from '#development/postgres/account.ts'
import { freePort } from '#server/http/free-port.ts'
import { eventually } from '../eventually.ts'
import { endProcess, killOnExit } from '../processes/process-tree.ts'
import { findProgram, type Requirement } from '../system-program.ts'

/** The newest one that is installed, or that PGBOUNCER names. */
export function findPgbouncer(): string | undefined {
  return process.env.PGBOUNCER || findProgram('pgbouncer')
}

export const pgbouncer: Requirement = {
  isMissing: findPgbouncer() === undefined,
  reason: 'no pgbouncer (apt-get install pgbouncer)',
}

/** Debian 12 has 1.18, which has no prepared statements in transaction mode. */
export const pgbouncerWithStatements: Requirement = {
  isMissing: !isAtLeast(findPgbouncer(), 21),
  reason: 'no PgBouncer 1.21 or newer, on the PATH or named by PGBOUNCER',
}

/** For transaction mode. */
export const documentedSettings = readFileSync('deploy/pgbouncer/pgbouncer.ini', 'utf8')

export interface PgbouncerOptions {
  /** The server behind it, with the password. */
  url: string
  mode: 'session' | 'transaction'
  /** Lines of pgbouncer.ini. */
  settings?: string[]
}

export interface Pgbouncer {
  /** Leads to the same database through PgBouncer. */
  url: string
  close(): Promise<void>
}

/** Starts a real PgBouncer on loopback, in front of one server. */
export async function startPgbouncer({ url, mode, settings = [] }: PgbouncerOptions): Promise<Pgbouncer> {
  const closing = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'age-verification-pgbouncer-'))
  closing.defer(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o711)
  const port = await freePort()
  const server = new URL(url)
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, configuration(server, port, mode, settings))
  // PgBouncer refuses to run as root, as PostgreSQL does.
  const { uid, gid } = await serverAccount()
  if (uid !== undefined && gid !== undefined) await chown(file, uid, gid)
  const account = uid === undefined ? {} : { uid, gid: gid! }
  const pooler = killOnExit(spawn(findPgbouncer()!, [file], { ...account, cwd: '/', stdio: 'ignore' }))
  closing.defer(() => endProcess(pooler))
  await eventually(() => acceptsConnections(port))
  const pooled = new URL(url)
  pooled.port = String(port)
  pooled.password = ''
  return { url: pooled.href, close: () => closing.disposeAsync() }
}

function configuration(server: URL, port: number, mode: string, settings: string[]): string {
  const { hostname, port: serverPort, username } = server
  // It requires a password, even if the server doesn't.
  const password = decodeURIComponent(server.password) || 'none'
  return `
[databases]
* = host=${hostname} port=${serverPort} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 10
${settings.join('\n')}
`
}

function isAtLeast(program: string | undefined, minor: number): boolean {
  if (!program) return false
  const version = execFileSync(program, ['--version'], { encoding: 'utf8' })
  return Number(/PgBouncer 1\.(\d+)/.exec(version)?.[1] ?? 0) >= minor
}

async function acceptsConnections(port: number): Promise<boolean> {
  const socket = createConnection({ host: '127.0.0.1', port })
  try {
    await once(socket, 'connect')
    return true
  } finally {
    socket.destroy()
  }
}
