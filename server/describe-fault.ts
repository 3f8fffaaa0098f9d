import { ConfigError } from './config.ts'
import { StartError } from './start-error.ts'

/** Why the service did not start, in one line for each reason that a person can mend. */
export function describeFault(error: unknown): string {
  if (error instanceof ConfigError) return error.message
  if (error instanceof StartError) return error.message
  if (!(error instanceof Error)) return String(error)
  const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number }
  if (code === 'EADDRINUSE') {
    return `PORT ${port} is taken on ${address}: another process listens there. Set PORT to a free one.`
  }
  if (code === 'EACCES' && port !== undefined)
    return `PORT ${port} needs more rights. Set PORT to one above 1023.`
  if (code === 'EADDRNOTAVAIL') return `HOST ${address} is not an address of this machine.`
  return error.stack ?? error.message
}
