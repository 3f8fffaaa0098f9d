import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface ServerProcess {
  pid: number
  port: number
  /** Whether it takes connections. */
  ready: boolean
  /** Whether the process lives, and is a server on this very folder: pids are used again. */
  alive: boolean
}

/** What `postmaster.pid` in the cluster's folder says, and whether it is still true. */
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

/** A zombie has no command line, so that it counts as gone even where nobody reaps it. */
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
