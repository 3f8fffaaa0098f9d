/** What a terminal that closes, a supervisor or a person sends to end a process. */
const ending: NodeJS.Signals[] = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM']
/** Sent by what rotates logs. By default they end a process at once, and SIGUSR1 opens Node's debugger to its machine. */
const withoutMeaning: NodeJS.Signals[] = ['SIGALRM', 'SIGUSR1', 'SIGUSR2']

/** Calls `end` for each signal that is to end the process; the others have no effect. */
export function handleSignals(end: () => void): void {
  for (const signal of ending) process.on(signal, end)
  for (const signal of withoutMeaning) process.on(signal, () => {})
}
