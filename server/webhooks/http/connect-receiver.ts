import { isIP, isIPv6, type LookupFunction, type TcpSocketConnectOpts } from 'node:net'
import { type ConnectionOptions, connect, type SecureContext, type TLSSocket } from 'node:tls'
import type { AddressPolicy } from '#domain/network/public-address.policy.ts'
import { AttemptError } from './attempt-error.ts'

/**
 * Opens a TLS connection to one of the checked addresses. The name isn't resolved again, so a change of its
 * records after the check (DNS rebinding) has no effect. Throws an `AttemptError` for `connect`, `tls` or
 * `blocked_address`, or the signal's reason.
 */
export function connectReceiver(options: ConnectOptions): Promise<TLSSocket> {
  const { policy, signal } = options
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>()
  signal.throwIfAborted()
  const socket = connect(connectionOptions(options))
  let step: 'connect' | 'tls' = 'connect'
  const fail = (reason: unknown) => {
    reject(reason)
    socket.destroy()
  }
  const onAbort = () => fail(signal.reason)
  signal.addEventListener('abort', onAbort)
  // Runs before the TLS handshake starts, so nothing has been sent to an address that isn't permitted.
  socket.prependOnceListener('connect', () => {
    step = 'tls'
    if (!policy.permits(socket.remoteAddress ?? '')) fail(new AttemptError('blocked_address'))
  })
  socket.once('secureConnect', () => resolve(socket))
  // Stays for the socket's lifetime: an error without a listener would end the process.
  socket.on('error', error => fail(new AttemptError(step, error)))
  socket.once('close', () => fail(new AttemptError(step)))
  return promise.finally(() => signal.removeEventListener('abort', onAbort))
}

export interface ConnectOptions {
  /** The URL's host: a name, or an address without brackets. TLS verifies the certificate against it. */
  host: string
  port: number
  /** The host's addresses, already checked. No other address is tried. */
  addresses: readonly string[]
  policy: AddressPolicy
  secureContext: SecureContext
  signal: AbortSignal
}

type TlsOverTcp = ConnectionOptions & TcpSocketConnectOpts

function connectionOptions({ host, port, addresses, secureContext }: ConnectOptions): TlsOverTcp {
  return {
    host,
    port,
    lookup: lookupIn(addresses),
    // Tries the addresses sequentially; 1 s each, which is enough for distant receivers.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 1_000,
    // RFC 6066: an IP address isn't a valid server name.
    ...(isIP(host) === 0 && { servername: host }),
    secureContext,
    ALPNProtocols: ['http/1.1'],
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED can't disable it.
    rejectUnauthorized: true,
  }
}

/** Bounds the connection attempts to a name with hundreds of addresses. */
const addressesTriedMax = 8

/** A lookup function that returns the checked addresses for any name. */
function lookupIn(addresses: readonly string[]): LookupFunction {
  const entries = addresses
    .slice(0, addressesTriedMax)
    .map(address => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_name, { all }, callback) => {
    if (all) callback(null, entries)
    else callback(null, entries[0]!.address, entries[0]!.family)
  }
}
