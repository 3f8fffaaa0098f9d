import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { access, chown, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '#server/configuration/start-error.ts'
import type { Account } from './account.ts'

interface ClusterOptions {
  initdb: string
  account: Account
  password: string
  durable: boolean
}

/**
 * Runs `initdb` if the cluster does not exist. It writes to a draft folder, which is renamed to the cluster's path
 * when it is complete: drafts of an interrupted `initdb` are deleted. Returns whether it is a new one. Throws a `StartError`
 * if `initdb` fails.
 */
export async function initializeCluster(cluster: string, options: ClusterOptions): Promise<boolean> {
  if (await exists(cluster)) return false
  await deleteDrafts(cluster)
  const draft = `${cluster}.draft-${randomUUID()}`
  await createOwnedFolder(draft, options.account)
  await createOwnedFolder(join(draft, 'data'), options.account)
  const passwordFile = join(draft, 'password')
  await writeFile(passwordFile, `${options.password}\n`, { mode: 0o600 })
  await changeOwner(passwordFile, options.account)
  await runInitdb(join(draft, 'data'), passwordFile, options)
  await rename(join(draft, 'data'), cluster)
  await rm(draft, { recursive: true })
  return true
}

async function runInitdb(data: string, passwordFile: string, options: ClusterOptions): Promise<void> {
  const flags = [
    `--pgdata=${data}`,
    `--pwfile=${passwordFile}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The built-in locale sorts and folds case identically on every machine.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(options.durable ? [] : ['--no-sync']),
  ]
  try {
    await promisify(execFile)(options.initdb, flags, { ...options.account, cwd: '/', env: { LC_ALL: 'C' } })
  } catch (error) {
    const output =
      (error as { stderr?: string }).stderr?.trim().replaceAll('\n', ' ') || (error as Error).message
    throw new StartError(`PostgreSQL's initdb failed: ${output}`, { cause: error })
  }
}

async function deleteDrafts(cluster: string): Promise<void> {
  const folder = dirname(cluster)
  for (const name of await readdir(folder)) {
    if (!join(folder, name).startsWith(`${cluster}.draft-`)) continue
    // An initdb that outlived its parent may still be writing to the folder: retry.
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

async function createOwnedFolder(path: string, account: Account): Promise<void> {
  await mkdir(path, { mode: 0o700 })
  await changeOwner(path, account)
}

async function changeOwner(path: string, { uid, gid }: Account): Promise<void> {
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid)
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  )
}
