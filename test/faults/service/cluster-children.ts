import { execFileSync } from 'node:child_process'

/** The API processes of a primary. */
export function childrenOf(pid: number): number[] {
  const lines = execFileSync('ps', ['-Ao', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\n')
  return lines
    .map(line => line.trim().split(/\s+/))
    .filter(([, parent, ...args]) => Number(parent) === pid && args.join(' ').includes('api-process.ts'))
    .map(([child]) => Number(child))
}

/** How much memory a process occupies. */
export function residentBytes(pid: number): number {
  return 1024 * Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }))
}
