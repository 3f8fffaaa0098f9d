import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serverAccount } from '#development/postgres/account.ts'
import { freePort } from '#server/http/free-port.ts'
import { eventually } from './eventually.ts'
import { createPostgresNode, type PostgresNode, runPostgresProgram } from './postgres-node.ts'
import { findPostgresProgram, type Requirement } from './system-program.ts'

export const postgresServer: Requirement = {
  isMissing: !findPostgresProgram('pg_basebackup') || !findPostgresProgram('postgres'),
  reason: 'no PostgreSQL server (apt-get install postgresql)',
}

export interface PostgresPair {
  /** In the order of their creation; the roles change. */
  nodes: [PostgresNode, PostgresNode]
  primary(): PostgresNode
  /** Makes the standby the primary, and the only server that commits need. */
  promote(): Promise<void>
  /** Rebuilds the other server as the standby of the current primary, on its old port. */
  rejoin(): Promise<void>
  close(): Promise<void>
}

/**
 * A primary with a synchronous streaming standby, on loopback, with the empty database `verify`. Commits wait for the
 * standby, so that a promotion loses none that was acknowledged.
 */
export async function startPostgresPair(): Promise<PostgresPair> {
  const closing = new AsyncDisposableStack()
  try {
    return await assemble(closing)
  } catch (error) {
    await closing.disposeAsync()
    throw error
  }
}

async function assemble(closing: AsyncDisposableStack): Promise<PostgresPair> {
  const folder = await mkdtemp(join(tmpdir(), 'age-verification-pair-'))
  closing.defer(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o711)
  const names = ['one', 'two'] as const
  const [one, two] = await Promise.all(names.map(name => createNode(name, folder)))
  const nodes: [PostgresNode, PostgresNode] = [one!, two!]
  for (const node of nodes) closing.defer(() => end(node))
  let primary = 0
  await runPostgresProgram(
    'initdb',
    `--pgdata=${dataFolderOf(folder, 'one')}`,
    '--username=postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--no-sync',
  )
  await nodes[0].start()
  await nodes[0].query('create database verify')
  await attachStandby(folder, nodes[0], nodes[1])
  return {
    nodes,
    primary: () => nodes[primary]!,
    async promote() {
      const standby = nodes[1 - primary]!
      await standby.promote()
      primary = 1 - primary
    },
    async rejoin() {
      await end(nodes[1 - primary]!)
      await rm(dataFolderOf(folder, nodes[1 - primary]!.name), { recursive: true, force: true })
      await attachStandby(folder, nodes[primary]!, nodes[1 - primary]!)
    },
    close: () => closing.disposeAsync(),
  }
}

async function createNode(name: string, folder: string): Promise<PostgresNode> {
  const { uid, gid } = await serverAccount()
  const parent = join(folder, name)
  await mkdir(parent, { mode: 0o700 })
  if (uid !== undefined && gid !== undefined) await chown(parent, uid, gid)
  return await createPostgresNode({ name, port: await freePort(), dataFolder: dataFolderOf(folder, name) })
}

function dataFolderOf(folder: string, name: string): string {
  return join(folder, name, 'data')
}

/** Copies the primary, starts the copy as its standby, and makes commits wait for it. */
async function attachStandby(folder: string, primary: PostgresNode, standby: PostgresNode): Promise<void> {
  await primary.query('alter system reset synchronous_standby_names')
  await primary.query('select pg_reload_conf()')
  const { host, port } = primary
  await runPostgresProgram(
    'pg_basebackup',
    `--dbname=postgres://postgres@${host}:${port}/postgres?application_name=${standby.name}`,
    `--pgdata=${dataFolderOf(folder, standby.name)}`,
    '--write-recovery-conf',
    '--checkpoint=fast',
    '--wal-method=stream',
    '--no-sync',
  )
  await standby.start()
  await eventually(
    async () => {
      const rows = await primary.query(`select from pg_stat_replication where state = 'streaming'`)
      return rows.length > 0
    },
    { timeoutMs: 30_000 },
  )
  await primary.query(`alter system set synchronous_standby_names = '${standby.name}'`)
  await primary.query('select pg_reload_conf()')
}

async function end(node: PostgresNode): Promise<void> {
  await node.thaw().catch(() => undefined)
  await node.stop('immediate')
}
