import { type ChildProcess, execFileSync } from 'node:child_process'
import { onExit } from './on-exit.ts'

/** Kills a process and its descendants when this process ends before it. */
export function killOnExit(child: ChildProcess): void {
  child.once(
    'exit',
    onExit(() => signalTree(child.pid!, 'SIGKILL')),
  )
}

/** Sends a signal to a process and all of its descendants, the process first. Those that have ended are ignored. */
export function signalTree(pid: number, signal: NodeJS.Signals): void {
  // A stopped process has no new children, so its children are listed afterwards.
  if (signal === 'SIGSTOP') send(pid, signal)
  for (const member of signal === 'SIGSTOP' ? descendantsOf(pid) : [pid, ...descendantsOf(pid)]) {
    send(member, signal)
  }
}

function descendantsOf(root: number): number[] {
  const lines = execFileSync('ps', ['-Ao', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const processes = lines.map(line => line.trim().split(/\s+/).map(Number) as [number, number])
  const found = [root]
  // The list grows while it is read.
  for (const parent of found) {
    found.push(...processes.filter(([, ppid]) => ppid === parent).map(([pid]) => pid))
  }
  return found.slice(1)
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has already ended.
  }
}
