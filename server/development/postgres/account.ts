import { execFile } from 'node:child_process'
import { chmod, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { StartError } from '../../start-error.ts'

const run = promisify(execFile)

/** Whom the server runs as; empty for the own user. */
export interface Account {
  uid?: number
  gid?: number
}

/** PostgreSQL refuses to run as root: there it runs as the user `postgres`, who is made where missing. */
export async function serverAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return {}
  const known = await lookUp()
  if (known) return known
  try {
    await run('groupadd', ['--force', 'postgres'])
    await run('useradd', ['--system', '--no-create-home', '--gid', 'postgres', 'postgres'])
    return (await lookUp()) ?? {}
  } catch (error) {
    const reason = (error as Error).message.trim().split('\n').at(-1)
    throw new StartError(`PostgreSQL cannot run as root, and no user "postgres" can be made (${reason}).`)
  }
}

async function lookUp(): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', 'postgres']), run('id', ['-g', 'postgres'])])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return undefined
  }
}

/**
 * Lets the server's account pass through the data folder, which stays unreadable to it, and makes sure
 * that it reaches both the folder and the server's program. Throws a `StartError` when it does not.
 */
export async function grantPassage(account: Account, folder: string, program: string): Promise<void> {
  if (account.uid === undefined) return
  await chmod(folder, (await stat(folder)).mode | 0o011)
  await requirePassage(account, folder, 'Set DATA_DIR to another folder')
  await requirePassage(account, program, 'Move the program to another folder')
}

async function requirePassage(account: Account, path: string, advice: string): Promise<void> {
  try {
    await run('/bin/sh', ['-c', 'test -x "$0"', path], { ...account, cwd: '/' })
  } catch (error) {
    throw new StartError(
      `PostgreSQL runs as the user "postgres" where the service is root, and that user cannot reach ${path}. ` +
        `${advice} (such as one under /var/lib or /opt), start as an ordinary user, or set DATABASE_URL.`,
      { cause: error },
    )
  }
}
