import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { StartError } from '#server/start-error.ts'

export interface ServerProcess {
  pid: number
  port: number
  /** Whether it accepts connections. */
  ready: boolean
  /** Whether the process exists and is a server on this folder; pids are reused. */
  alive: boolean
}

/** Reads `postmaster.pid` in the cluster's folder, and checks whether that process still is the server. */
export async function findServerProcess(cluster: string): Promise<ServerProcess | undefined> {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  const pid = Number.parseInt(lines[0] ?? '', 10)
  if (!(pid > 0)) return undefined
  return {
    pid,
    port: Number.parseInt(lines[3] ?? '', 10),
    ready: lines[7]?.trim() === 'ready',
    alive: await servesCluster(pid, cluster),
  }
}

/** The signals sent one after the other, and how many milliseconds each one is given to work. */
const waitMsOf = { SIGINT: 5_000, SIGQUIT: 5_000, SIGKILL: 2_000 } as const

/**
 * Stops the server that a killed process left running on the cluster's folder, if any. Call it only while holding
 * the data folder's lock: it would stop the server of a running service as well. Throws a `StartError` if the
 * server does not exit.
 */
export async function stopServerProcess(cluster: string): Promise<void> {
  for (const [signal, waitMs] of Object.entries(waitMsOf)) {
    const server = await findServerProcess(cluster)
    if (!server?.alive) return await removeReusedPid(cluster, server?.pid)
    kill(server.pid, signal as keyof typeof waitMsOf)
    await untilExited(cluster, waitMs)
  }
  if ((await findServerProcess(cluster))?.alive) {
    throw new StartError(`A PostgreSQL server is still running on ${cluster} and could not be stopped.`)
  }
}

/** A zombie has no command line, so it counts as exited even if nobody reaps it. */
async function servesCluster(pid: number, cluster: string): Promise<boolean> {
  const args = await commandLine(pid)
  return /\bpostgres\b/.test(args[0] ?? '') && args.join(' ').includes(`-D ${cluster} `)
}

async function commandLine(pid: number): Promise<string[]> {
  try {
    if (process.platform === 'linux') return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
    const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)])
    return stdout.trim().split(' ')
  } catch {
    return []
  }
}

/**
 * The server ignores a `postmaster.pid` whose process does not exist, but does not start if the pid now belongs
 * to another program of the same user, as happens when a container restarts. Shared memory that old backends still
 * use is detected without the file.
 */
async function removeReusedPid(cluster: string, pid: number | undefined): Promise<void> {
  if (pid !== undefined && kill(pid, 0)) await rm(join(cluster, 'postmaster.pid'), { force: true })
}

/** Polls: the process is not a child of this one, so there is no exit event. */
async function untilExited(cluster: string, waitMs: number): Promise<void> {
  const deadline = performance.now() + waitMs
  while (performance.now() < deadline && (await findServerProcess(cluster))?.alive) await wait(25)
}

/** Whether the process exists. */
function kill(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
