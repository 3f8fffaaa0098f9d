import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/**
 * The running processes of a folder: those with its path in their command line, their environment or their working
 * directory. Zombies have none of these. The test's own process is excluded.
 */
export function processesOf(folder: string): number[] {
  const all = process.platform === 'linux' ? fromProc() : fromPs()
  return all.filter(({ pid, traces }) => pid !== process.pid && traces.includes(folder)).map(({ pid }) => pid)
}

interface Found {
  pid: number
  traces: string
}

function fromProc(): Found[] {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return pids.map(pid => {
    const traces = [
      () => readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
      () => readFileSync(`/proc/${pid}/environ`, 'utf8'),
      () => readlinkSync(`/proc/${pid}/cwd`),
    ]
    return { pid: Number(pid), traces: traces.map(orNothing).join('\n') }
  })
}

/** Processes can end while they are read. */
function orNothing(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}

function fromPs(): Found[] {
  const lines = execFileSync('ps', ['axeww', '-o', 'pid=,command='], { encoding: 'utf8' }).trim().split('\n')
  return lines.map(line => ({ pid: Number.parseInt(line, 10), traces: line }))
}
