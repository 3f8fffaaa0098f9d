import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { access, chown, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../../start-error.ts'
import type { Account } from './account.ts'

export interface NewCluster {
  initdb: string
  account: Account
  password: string
  durable: boolean
}

/**
 * Makes the cluster where there is none. `initdb` works in a draft folder, which gets the cluster's name only
 * when it is complete: one that was killed half-way is swept up, and begun afresh.
 */
export async function initialiseCluster(cluster: string, options: NewCluster): Promise<void> {
  if (await exists(cluster)) return
  await sweepDrafts(cluster)
  const draft = `${cluster}.draft-${randomUUID()}`
  await makeOwned(draft, options.account)
  await makeOwned(join(draft, 'data'), options.account)
  const passwordFile = join(draft, 'password')
  await writeFile(passwordFile, `${options.password}\n`, { mode: 0o600 })
  await own(passwordFile, options.account)
  await runInitdb(join(draft, 'data'), passwordFile, options)
  await rename(join(draft, 'data'), cluster)
  await rm(draft, { recursive: true })
}

async function runInitdb(data: string, passwordFile: string, options: NewCluster): Promise<void> {
  const flags = [
    `--pgdata=${data}`,
    `--pwfile=${passwordFile}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The built-in locale sorts and folds the same on every machine, whatever locales it has.
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

async function sweepDrafts(cluster: string): Promise<void> {
  const folder = dirname(cluster)
  for (const name of await readdir(folder)) {
    if (!join(folder, name).startsWith(`${cluster}.draft-`)) continue
    // An initdb that outlived its parent may still write into the folder while it is removed.
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

async function makeOwned(path: string, account: Account): Promise<void> {
  await mkdir(path, { mode: 0o700 })
  await own(path, account)
}

async function own(path: string, { uid, gid }: Account): Promise<void> {
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid)
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  )
}
