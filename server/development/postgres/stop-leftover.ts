import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { StartError } from '../../start-error.ts'
import { findServerProcess } from './server-process.ts'

/** How long a leftover server may take for each way of asking it, in milliseconds. */
const PATIENCE = { SIGINT: 5_000, SIGQUIT: 5_000, SIGKILL: 2_000 } as const

/**
 * Stops the server that an earlier, killed process left on the cluster's folder, if there is one.
 * Only for the holder of the data folder's lock: the server of a living service would be stopped as well.
 */
export async function stopLeftover(cluster: string): Promise<void> {
  for (const [signal, patience] of Object.entries(PATIENCE)) {
    const server = await findServerProcess(cluster)
    if (!server?.alive) return await removeMisleadingPid(cluster, server?.pid)
    kill(server.pid, signal as keyof typeof PATIENCE)
    await untilGone(cluster, patience)
  }
  if ((await findServerProcess(cluster))?.alive)
    throw new StartError(`A PostgreSQL on ${cluster} does not stop.`)
}

/**
 * The server itself ignores a `postmaster.pid` whose process is gone, but not one whose number now belongs to
 * another program of the same user, as happens when a container starts again. Shared memory that is still in
 * use by old backends is noticed without the file, too.
 */
async function removeMisleadingPid(cluster: string, pid: number | undefined): Promise<void> {
  if (pid !== undefined && kill(pid, 0)) await rm(join(cluster, 'postmaster.pid'), { force: true })
}

/** Polls, because the process is nobody's child that would tell. */
async function untilGone(cluster: string, patience: number): Promise<void> {
  const deadline = performance.now() + patience
  while (performance.now() < deadline && (await findServerProcess(cluster))?.alive) await wait(25)
}

function kill(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
