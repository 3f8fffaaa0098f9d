import { isIP, isIPv6, type LookupFunction, type TcpSocketConnectOpts } from 'node:net'
import { type ConnectionOptions, connect, type SecureContext, type TLSSocket } from 'node:tls'
import type { AddressPolicy } from '#domain/webhook/public-address.policy.ts'
import { AttemptFailure } from './attempt-failure.ts'

export interface DialOptions {
  /** The host of the URL: a name, or an address without brackets. TLS checks the certificate against it. */
  host: string
  port: number
  /** What the host stands for, checked; nothing else is dialled. */
  addresses: readonly string[]
  policy: AddressPolicy
  secureContext: SecureContext
  signal: AbortSignal
}

/**
 * Opens a TLS connection to one of the checked addresses. As no name is looked up any more, one that changes
 * in between (DNS rebinding) leads nowhere else. Throws an `AttemptFailure` for `connect`, `tls`,
 * `blocked_address` or the signal's reason.
 */
export function dialReceiver(options: DialOptions): Promise<TLSSocket> {
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
  // Before TLS says its first word, and so long before the event is sent.
  socket.prependOnceListener('connect', () => {
    step = 'tls'
    if (!policy.permits(socket.remoteAddress ?? '')) fail(new AttemptFailure('blocked_address'))
  })
  socket.once('secureConnect', () => resolve(socket))
  // Stays for the socket's life: an error that nobody awaits must not end the process.
  socket.on('error', error => fail(new AttemptFailure(step, error)))
  socket.once('close', () => fail(new AttemptFailure(step)))
  return promise.finally(() => signal.removeEventListener('abort', onAbort))
}

type TlsOverTcp = ConnectionOptions & TcpSocketConnectOpts

function connectionOptions({ host, port, addresses, secureContext }: DialOptions): TlsOverTcp {
  return {
    host,
    port,
    lookup: answerWith(addresses),
    // Tries the addresses one after the other; 1 s each, so that far away receivers are reached too.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 1_000,
    // RFC 6066: an address is no server name.
    ...(isIP(host) === 0 && { servername: host }),
    secureContext,
    ALPNProtocols: ['http/1.1'],
    // Said outright, so that NODE_TLS_REJECT_UNAUTHORIZED can't turn it off.
    rejectUnauthorized: true,
  }
}

/** A name with hundreds of addresses must not make the service knock at all of them. */
const addressesDialledMax = 8

/** Answers with the checked addresses whatever is asked. */
function answerWith(addresses: readonly string[]): LookupFunction {
  const answers = addresses
    .slice(0, addressesDialledMax)
    .map(address => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_name, { all }, callback) => {
    if (all) callback(null, answers)
    else callback(null, answers[0]!.address, answers[0]!.family)
  }
}
