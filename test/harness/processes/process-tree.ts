import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

const onExit = new Set<() => void>()

/** Has a task run when this process exits, however it does. Returns a function that cancels it. */
export function runOnExit(task: () => void): () => void {
  if (onExit.size === 0) process.once('exit', runAll)
  onExit.add(task)
  return () => {
    onExit.delete(task)
    if (onExit.size === 0) process.off('exit', runAll)
  }
}

function runAll(): void {
  for (const task of onExit) task()
}

/** Kills a process and its descendants when this process ends before it. Returns it. */
export function killOnExit(child: ChildProcess): ChildProcess {
  child.once(
    'exit',
    runOnExit(() => signalTree(child.pid!, 'SIGKILL')),
  )
  return child
}

export function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}

/** Kills a process alone, and resolves when it has ended. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (!isRunning(child)) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

/** Sends a signal to a process and all of its descendants, the process first. Those that have ended are ignored. */
export function signalTree(pid: number, signal: NodeJS.Signals): void {
  // A stopped process has no new children, so its children are listed afterwards.
  if (signal === 'SIGSTOP') sendSignal(pid, signal)
  for (const member of signal === 'SIGSTOP' ? listDescendants(pid) : [pid, ...listDescendants(pid)]) {
    sendSignal(member, signal)
  }
}

export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has already ended.
  }
}

function listDescendants(root: number): number[] {
  const processes = listProcesses()
  const found = [root]
  // The list grows while it is read.
  for (const pid of found) {
    found.push(...processes.filter(({ parent }) => parent === pid).map(process => process.pid))
  }
  return found.slice(1)
}

function listProcesses(): { pid: number; parent: number }[] {
  const lines = execFileSync('ps', ['-Ao', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  return lines.map(line => {
    const [pid, parent] = line.trim().split(/\s+/)
    return { pid: Number(pid), parent: Number(parent) }
  })
}

/**
 * The running processes of a folder: those with its path in their command line, their environment or their working
 * directory. Zombies have none of these. The test's own process is excluded.
 */
export function processesOf(folder: string): number[] {
  const all = process.platform === 'linux' ? fromProc() : fromPs()
  return all.filter(({ pid, traces }) => pid !== process.pid && traces.includes(folder)).map(({ pid }) => pid)
}

function fromProc(): { pid: number; traces: string }[] {
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

function fromPs(): { pid: number; traces: string }[] {
  const lines = execFileSync('ps', ['axeww', '-o', 'pid=,command='], { encoding: 'utf8' }).trim().split('\n')
  return lines.map(line => ({ pid: Number.parseInt(line, 10), traces: line }))
}
