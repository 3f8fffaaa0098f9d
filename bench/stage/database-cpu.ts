import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Stage } from './open-stage.ts'

/** Linux counts in hundredths of a second. */
const tickUs = 10_000

/** CPU time of the databases so far, in microseconds; undefined where it can't be had. */
export interface DatabaseCpu {
  postgresUs: number | undefined
  redisUs: number | undefined
}

export async function databaseCpu({ folder, services }: Stage): Promise<DatabaseCpu> {
  const [pid] = (await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n')
  return {
    postgresUs: await familyCpuUs(Number(pid)),
    redisUs: services.redis && redisCpuUs(await services.redis.info('cpu')),
  }
}

/** Of a process and its children, those that have ended included. Linux only. */
async function familyCpuUs(pid: number): Promise<number | undefined> {
  const entries = await readdir('/proc').catch(() => undefined)
  if (!entries) return undefined
  const stats = await Promise.all(entries.filter(name => /^\d+$/.test(name)).map(readStat))
  const family = stats.filter(stat => stat !== undefined && (stat.pid === pid || stat.parent === pid))
  return (
    family.reduce((sum, stat) => sum + stat!.ownTicks + (stat!.pid === pid ? stat!.endedTicks : 0), 0) *
    tickUs
  )
}

async function readStat(pid: string) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  // The second field is the program's name in parentheses, which may hold anything.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [, parent] = fields
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15) as [number, number, number, number]
  return { pid: Number(pid), parent, ownTicks: user + system, endedTicks: endedUser + endedSystem }
}

function redisCpuUs(info: string): number {
  const seconds = [...info.matchAll(/^used_cpu_(?:user|sys):([\d.]+)/gm)].map(([, value]) => Number(value))
  return seconds.reduce((sum, value) => sum + value, 0) * 1_000_000
}
