import { isIPv6 } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { AttemptError } from './attempt-error.ts'
import { type ConnectOptions, connectAddress } from './connect-address.ts'
import { familyDelayMs, type ReceiverAddresses } from './resolve-receiver.ts'

/** Bounds the connections to a name with hundreds of addresses. */
const addressesTriedMax = 8

/**
 * Opens a TLS connection to the first of a receiver's addresses that completes the handshake (RFC 8305, sections 4 and 5):
 * IPv4 and IPv6 in turn, the next one when one has failed or after `familyDelayMs`. Throws an `AttemptError` for
 * `connect`, `tls` or `blocked_address`, or the signal's reason.
 */
export async function connectReceiver(
  { addresses, complete }: ReceiverAddresses,
  { signal, ...options }: ConnectOptions,
): Promise<TLSSocket> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>()
  const race = new AbortController()
  const untried = [...addresses]
  let tried = 0
  let lastIsIPv6 = true
  let timer: NodeJS.Timeout | undefined
  /** Connections that are being opened, and one for the lookup of a family that hasn't responded yet. */
  let pending = 1
  let failure: AttemptError | undefined

  function tryNext(): void {
    clearTimeout(timer)
    timer = undefined
    if (untried.length === 0 || tried === addressesTriedMax) return
    const index = untried.findIndex(address => isIPv6(address) !== lastIsIPv6)
    const [address] = untried.splice(Math.max(index, 0), 1) as [string]
    lastIsIPv6 = isIPv6(address)
    tried += 1
    pending += 1
    connectAddress(address, { ...options, signal: race.signal }).then(win, fail)
    timer = setTimeout(tryNext, familyDelayMs)
  }
  function win(socket: TLSSocket): void {
    // Another one can have completed at the same time.
    if (race.signal.aborted) socket.destroy()
    resolve(socket)
    race.abort()
  }
  function fail(error: AttemptError): void {
    if (race.signal.aborted) return
    // A fault of TLS says more than another address that refuses connections.
    if (failure?.reason !== 'tls') failure = error
    tryNext()
    endOne()
  }
  function join(all: readonly string[]): void {
    if (race.signal.aborted) return
    untried.push(...all.filter(address => !addresses.includes(address)))
    if (!timer) tryNext()
    endOne()
  }
  function endOne(): void {
    pending -= 1
    if (pending === 0) reject(failure)
  }

  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  tryNext()
  void complete.then(join)
  try {
    return await promise
  } finally {
    signal.removeEventListener('abort', onAbort)
    clearTimeout(timer)
    race.abort()
  }
}
