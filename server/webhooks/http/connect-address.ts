import { isIP } from 'node:net'
import { connect, type SecureContext, type TLSSocket } from 'node:tls'
import type { AddressPolicy } from '#domain/network/public-address.policy.ts'
import { AttemptError } from './attempt-error.ts'
import { tlsFault } from './tls-fault.ts'

export interface ConnectOptions {
  /** The URL's host: a name, or an address without brackets. TLS verifies the certificate against it. */
  host: string
  port: number
  policy: AddressPolicy
  secureContext: SecureContext
  signal: AbortSignal
}

/**
 * Opens a TLS connection to a checked address. The name isn't resolved again, so a change of its records after the check
 * (DNS rebinding) has no effect. Throws an `AttemptError`, or the signal's reason.
 */
export async function connectAddress(address: string, options: ConnectOptions): Promise<TLSSocket> {
  const { host, port, policy, secureContext, signal } = options
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>()
  const socket = connect({
    host: address,
    port,
    // RFC 6066: an IP address isn't a valid server name; the certificate is verified against it all the same.
    ...(isIP(host) === 0 && { servername: host }),
    secureContext,
    ALPNProtocols: ['http/1.1'],
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED can't disable it.
    rejectUnauthorized: true,
  })
  let isConnected = false
  const fail = (reason: unknown) => {
    reject(reason)
    socket.destroy()
  }
  const onError = (cause?: Error) =>
    fail(
      isConnected
        ? new AttemptError('tls', { cause, fault: tlsFault(socket) })
        : new AttemptError('connect', { cause }),
    )
  const onAbort = () => fail(signal.reason)
  signal.addEventListener('abort', onAbort)
  // Runs before the TLS handshake starts, so nothing has been sent to an address that isn't permitted.
  socket.prependOnceListener('connect', () => {
    isConnected = true
    if (!policy.permits(socket.remoteAddress ?? '')) fail(new AttemptError('blocked_address'))
  })
  socket.once('secureConnect', () => resolve(socket))
  // Stays for the socket's lifetime: an error without a listener would end the process.
  socket.on('error', onError)
  socket.once('close', () => onError())
  try {
    return await promise
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
