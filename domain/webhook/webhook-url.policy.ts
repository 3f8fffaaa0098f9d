import { isIP } from 'node:net'
import { httpsUrlViolation } from '../https-url.policy.ts'
import type { AddressPolicy } from './public-address.policy.ts'

/**
 * Why events can't be sent to this URL, in one public sentence; undefined if they can. Holds when a URL is set
 * and again whenever an event is sent; what a host name resolves to is checked on connecting.
 */
export function webhookUrlViolation(url: string, policy: AddressPolicy): string | undefined {
  const fault = httpsUrlViolation(url)
  if (fault) return fault
  if (url.includes('#')) return 'The URL must not contain a fragment.'
  const parsed = new URL(url)
  if (parsed.port === '0') return 'The URL must not name port 0.'
  return hostFault(receiverHost(parsed), policy)
}

/** The host as it is looked up and checked: no brackets around IPv6, no final dot. */
export function receiverHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}

/** Whether this name means the machine itself (RFC 6761). */
export function isLoopbackName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
}

/** Names that no public resolver may answer: RFC 6762 (.local), RFC 8375 (home.arpa), ICANN (.internal). */
const privateNames = /(^|\.)(local|internal|home\.arpa)$/

function hostFault(host: string, policy: AddressPolicy): string | undefined {
  // The URL parser has turned decimal, octal, hexadecimal and full-width spellings into plain addresses.
  if (isIP(host) !== 0) {
    return policy.permits(host) ? undefined : 'The URL must not point to a private or reserved address.'
  }
  if (isLoopbackName(host)) {
    const allowed = policy.permits('127.0.0.1') || policy.permits('::1')
    return allowed ? undefined : 'The URL must not point to this machine.'
  }
  if (host.length > 253 || !host.split('.').every(label => /^[a-z0-9_-]{1,63}$/.test(label))) {
    return 'The URL must have a valid host name.'
  }
  const isPrivateName = !host.includes('.') || privateNames.test(host)
  if (isPrivateName && !policy.allowsPrivate) return 'The URL must have a public host name.'
  return undefined
}
