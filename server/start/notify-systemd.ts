import { type ChildProcess, spawn } from 'node:child_process'
import { systemdVariables } from '../configuration/systemd-variables.ts'
import { createLog } from '../logging/log.ts'

/**
 * Reports to systemd, if it waits for that, that the process is ready, and from then on that its event loop runs: systemd
 * restarts a process that doesn't say so in time. Node has no datagram sockets of Unix, so systemd's own program sends it,
 * run by a shell that waits for lines and ends with this process. To fork this process each time would take
 * longer the more memory it has, and fail when it has too much.
 */
export async function notifySystemd(untilReady: () => Promise<void>): Promise<void> {
  const { awaitsReady, watchdogMs } = systemdVariables()
  if (!awaitsReady) return
  await untilReady()
  let shell: ChildProcess | undefined
  function notify(): void {
    shell ??= startShell(reason => {
      shell = undefined
      createLog('warn').warn(
        { reason },
        'systemd-notify failed, so systemd does not learn that this process is ready and responds',
      )
    })
    shell.stdin?.write('\n')
  }
  notify()
  if (watchdogMs) setInterval(notify, watchdogMs / 3).unref()
}

/** Each line on its input is a message to systemd. */
function startShell(onFailure: (reason: string) => void): ChildProcess {
  const loop = 'while read -r line; do systemd-notify READY=1 WATCHDOG=1 || exit; done'
  const shell = spawn('/bin/sh', ['-c', loop], { stdio: ['pipe', 'ignore', 'ignore'] })
  // What happened is known from its exit.
  shell.stdin.on('error', () => undefined)
  shell.once('error', ({ message }) => onFailure(message))
  shell.once('exit', code => onFailure(`exit code ${code}`))
  return shell
}
