import { isIP } from 'node:net'
import { httpsUrlViolation } from './https-url.policy.ts'
import type { AddressPolicy } from './public-address.policy.ts'

/**
 * Why webhook events can't be sent to this URL, as a public sentence; undefined if they can. Checked when a URL is
 * set and whenever an event is sent. The addresses that a host name resolves to are checked on connecting.
 */
export function webhookUrlViolation(url: string, policy: AddressPolicy): string | undefined {
  const violation = httpsUrlViolation(url)
  if (violation) return violation
  if (url.includes('#')) return 'The URL must not contain a fragment.'
  const parsed = new URL(url)
  if (parsed.port === '0') return 'The URL must not name port 0.'
  return hostViolation(receiverHost(parsed), policy)
}

/** The host as it is looked up and checked: no brackets around IPv6, no final dot. */
export function receiverHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}

/** Whether this name refers to the local machine (RFC 6761). */
export function isLoopbackName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
}

/**
 * Names that aren't public: .test and .invalid (RFC 6761; .example may be used like any other), .local and those that
 * private networks use (RFC 6762, appendix G), .localdomain, .arpa (RFC 3172, with home.arpa of RFC 8375), .onion
 * (RFC 7686), .alt (RFC 9476), and .svc, with which services of Kubernetes end where cluster.local is left out.
 */
const privateNames =
  /(^|\.)(test|invalid|local|intranet|internal|private|corp|home|lan|localdomain6?|arpa|onion|alt|svc)$/

function hostViolation(host: string, policy: AddressPolicy): string | undefined {
  // The URL parser has normalized decimal, octal, hexadecimal and full-width notations.
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
