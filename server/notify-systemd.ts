import { spawn } from 'node:child_process'

/** Tells systemd that the process is ready, by systemd's own program: Node has no datagram sockets of Unix. */
export function notifySystemd(): void {
  const notifier = spawn('systemd-notify', ['--ready'], { stdio: 'ignore' })
  notifier.on('error', error => process.emitWarning(`systemd cannot be told of the start: ${error.message}`))
}
