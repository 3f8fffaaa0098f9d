import { execFile } from 'node:child_process'
import { chmod, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { StartError } from '#server/configuration/start-error.ts'

const run = promisify(execFile)

/** The user that the server runs as; empty for the current user. */
export interface Account {
  uid?: number
  gid?: number
}

/**
 * PostgreSQL does not run as root. If this process does, the server runs as the system user `postgres`, which is
 * created if missing. Throws a `StartError` if it cannot be created.
 */
export async function serverAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return {}
  const existing = await findAccount()
  if (existing) return existing
  try {
    await run('groupadd', ['--force', 'postgres'])
    await run('useradd', ['--system', '--no-create-home', '--gid', 'postgres', 'postgres'])
    return (await findAccount()) ?? {}
  } catch (error) {
    const reason = (error as Error).message.trim().split('\n').at(-1)
    throw new StartError(
      `PostgreSQL cannot run as root, and creating the system user "postgres" failed: ${reason}`,
    )
  }
}

async function findAccount(): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', 'postgres']), run('id', ['-g', 'postgres'])])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return undefined
  }
}

/**
 * Makes the data folder traversable, but not readable, for the server's account. Throws a `StartError` if the
 * account cannot reach the folder or the server's program, for example because of a parent folder's permissions.
 */
export async function grantTraversal(account: Account, folder: string, program: string): Promise<void> {
  if (account.uid === undefined) return
  await chmod(folder, (await stat(folder)).mode | 0o011)
  await assertReachable(account, folder, 'Set DATA_DIR to another folder')
  await assertReachable(account, program, 'Move the project to another folder')
}

async function assertReachable(account: Account, path: string, advice: string): Promise<void> {
  try {
    await run('/bin/sh', ['-c', 'test -x "$0"', path], { ...account, cwd: '/' })
  } catch (error) {
    throw new StartError(
      `PostgreSQL runs as the user "postgres" when the service runs as root, and that user cannot access ${path}. ` +
        `${advice} (for example under /var/lib or /opt), start the service as a regular user, or set DATABASE_URL.`,
      { cause: error },
    )
  }
}
