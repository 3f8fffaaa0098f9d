import { commitProbe, type ServerClient } from '#domain/postgres/index.ts'
import { Fault } from './check.ts'

const commitMsMax = 3_000

/** Throws a `Fault` if the server refuses a write, or its commit takes longer than 3 s. Stores nothing. */
export async function describeWrites(client: ServerClient): Promise<string> {
  const startedAt = performance.now()
  const late = setTimeout(() => {
    client.destroy(
      new Fault('a commit did not finish within 3 s: check the disk, and the synchronous standby'),
    )
  }, commitMsMax)
  try {
    await client.query(commitProbe)
    return `a commit took ${Math.ceil(performance.now() - startedAt)} ms`
  } catch (error) {
    throw error instanceof Fault
      ? error
      : new Fault(`the server refuses writes: ${describeRefusal(error as Error)}`)
  } finally {
    clearTimeout(late)
  }
}

function describeRefusal({ message, code }: NodeJS.ErrnoException): string {
  if (code === diskFull) return `${message}: free space on its disk, or extend it`
  if (code === readOnly) return `${message}: DATABASE_URL must lead to the primary, and the role may write`
  return `${message} (${code}): see the log of PostgreSQL`
}

const diskFull = '53100'
const readOnly = '25006'
