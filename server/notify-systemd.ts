import { spawn } from 'node:child_process'
import { createLog } from './log.ts'

/** Reports to systemd that the process is ready, by systemd's own program: Node has no datagram sockets of Unix. */
export function notifySystemd(): void {
  const notifier = spawn('systemd-notify', ['--ready'], { stdio: 'ignore' })
  const failed = (reason: string) =>
    createLog('warn').warn({ reason }, 'systemd-notify failed, so systemd goes on waiting for the start')
  notifier.on('error', ({ message }) => failed(message))
  notifier.on('exit', code => {
    if (code !== 0) failed(`exit code ${code}`)
  })
}
