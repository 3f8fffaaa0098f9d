import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serverAccount } from '#development/postgres/account.ts'
import { freePort } from '#server/http/free-port.ts'
import { eventually } from '../eventually.ts'
import { endProcess, killOnExit } from '../processes/process-tree.ts'
import { findProgram, type Requirement } from '../system-program.ts'

const program = findProgram('pgbouncer')

export const pgbouncer: Requirement = {
  isMissing: program === undefined,
  reason: 'no pgbouncer (apt-get install pgbouncer)',
}

export interface Pgbouncer {
  /** Leads to the same database through PgBouncer. */
  url: string
  close(): Promise<void>
}

/** Starts a real PgBouncer on loopback, in session mode, in front of the server of the URL. */
export async function startPgbouncer(url: string): Promise<Pgbouncer> {
  const closing = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'age-verification-pgbouncer-'))
  closing.defer(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o711)
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, configuration(new URL(url), port))
  // PgBouncer refuses to run as root, as PostgreSQL does.
  const { uid, gid } = await serverAccount()
  if (uid !== undefined && gid !== undefined) await chown(file, uid, gid)
  const account = uid === undefined ? {} : { uid, gid: gid! }
  const pooler = killOnExit(spawn(program!, [file], { ...account, cwd: '/', stdio: 'ignore' }))
  closing.defer(() => endProcess(pooler))
  await eventually(() => acceptsConnections(port))
  const pooled = new URL(url)
  pooled.port = String(port)
  pooled.password = ''
  return { url: pooled.href, close: () => closing.disposeAsync() }
}

function configuration({ hostname, port, username, password }: URL, ownPort: number): string {
  // It requires a password, even if the server doesn't.
  return `
[databases]
* = host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password) || 'none'}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = any
pool_mode = session
default_pool_size = 30
`
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
