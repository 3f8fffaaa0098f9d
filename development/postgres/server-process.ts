import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { StartError } from '#server/configuration/start-error.ts'

interface ServerProcess {
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

/** PostgreSQL itself kills the processes that do not exit within 5 s of an immediate shutdown. */
const exitMsMax = 10_000

/**
 * Stops the server that a killed process left running on the cluster's folder, if any. The next start recovers, as after
 * any crash. Call it only while holding the data folder's lock: it would stop the server of a running service as well.
 * Throws a `StartError` if the server does not exit.
 */
export async function stopServerProcess(cluster: string): Promise<void> {
  const server = await findServerProcess(cluster)
  if (!server?.alive) return await removeReusedPid(cluster, server?.pid)
  kill(server.pid, 'SIGQUIT')
  // The process is not a child of this one, so there is no exit event.
  const deadline = performance.now() + exitMsMax
  while ((await findServerProcess(cluster))?.alive) {
    if (performance.now() > deadline) {
      throw new StartError(`A PostgreSQL server is still running on ${cluster} and could not be stopped.`)
    }
    await wait(25)
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

/** Whether the process exists. */
function kill(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
