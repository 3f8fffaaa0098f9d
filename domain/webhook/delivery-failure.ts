/** Why an attempt failed: a closed list, used in logs and metrics. */
export const failureReasons = [
  /** The receiver responded with a status other than 2xx. */
  'status',
  /** The deadline passed while connecting, or before the response. */
  'timeout',
  /** The host name has no address, or its name servers didn't respond in time. */
  'dns',
  /** No TLS connection with a certificate that is valid for the host name. */
  'tls',
  /** No TCP connection, or it closed before an HTTP response. */
  'connect',
  /** What arrived has no HTTP status. */
  'malformed_response',
  /** The URL, or an address that its host name resolves to, isn't public. */
  'blocked_address',
] as const
export type FailureReason = (typeof failureReasons)[number]

/** What was wrong with a TLS connection or its certificate: a closed list, used in logs and stored with the delivery. */
export type TlsFault =
  | 'expired'
  | 'not_yet_valid'
  /** The certificate isn't for the URL's host. */
  | 'wrong_host'
  | 'self_signed'
  /** The chain ends at an authority that isn't trusted. */
  | 'unknown_authority'
  /** Only the receiver's own certificate arrived, and its issuer isn't known: mostly, the intermediate is missing. */
  | 'incomplete_chain'
  /** Its purpose, key, signature or name constraints aren't permitted. */
  | 'invalid_certificate'
  /** No TLS, no common version or cipher, a client certificate is required, or the connection closed. */
  | 'handshake'

/** A failure in words, for who runs the receiver. */
export interface FailureInWords {
  /** A clause without a full stop. */
  description: string
  /** What to do about it, as sentences. */
  remedy: string
}

/** A failure as it is stored with a delivery, such as `timeout`, `status_503` or `tls_expired`. */
export function describeFailure(failure: string): FailureInWords {
  const status = /^status_(\d+)$/.exec(failure)?.[1]
  if (status !== undefined) {
    return { description: `the receiver responded with ${status}`, remedy: remedyOfStatus(Number(status)) }
  }
  const [description, remedy] = failures[failure] ?? [failure, 'Ask the operator of this service.']
  return { description, remedy }
}

const newCertificate = 'Install a certificate of an authority that browsers trust.'

const failures: Record<string, [description: string, remedy: string]> = {
  timeout: [
    'the receiver did not respond in time',
    'Respond with 2xx within 5 seconds: store the event, and do the work afterwards.',
  ],
  dns: [
    "the receiver's host name could not be resolved",
    'Check the host name in the URL, and its name servers.',
  ],
  tls: ['no TLS connection with a valid certificate', newCertificate],
  tls_expired: ["the receiver's certificate has expired", 'Renew it, and reload the server that uses it.'],
  tls_not_yet_valid: ["the receiver's certificate is not valid yet", 'Install one that is valid today.'],
  tls_wrong_host: [
    "the receiver's certificate is for another host name",
    'Install one for the host name in the URL, or correct the URL.',
  ],
  tls_self_signed: ["the receiver's certificate is self-signed", newCertificate],
  tls_unknown_authority: [
    "the receiver's certificate is from an authority that is not trusted",
    newCertificate,
  ],
  tls_incomplete_chain: [
    "the receiver's certificate came without its intermediate, or its authority is not trusted",
    'Install the whole chain, such as fullchain.pem, instead of the certificate alone.',
  ],
  tls_invalid_certificate: [
    "the receiver's certificate is not acceptable: its purpose, key or signature",
    newCertificate,
  ],
  tls_handshake: [
    'the TLS handshake with the receiver failed',
    'Check that the port in the URL speaks TLS 1.2 or newer, and requires no client certificate.',
  ],
  connect: [
    'no connection to the receiver',
    'Check that the receiver runs, that the host and port in the URL are right, and that firewalls let the service in.',
  ],
  malformed_response: ['the response was not HTTP', 'Check what listens on the port in the URL.'],
  blocked_address: [
    "the receiver's address is not public",
    'Use a URL whose host name has public addresses only.',
  ],
  interrupted: ['the worker was interrupted', 'Nothing is known to be wrong with your receiver.'],
  error: ['an internal error of this service', 'Tell the operator of this service.'],
  expired: ['24 hours had passed', 'Ask for the results with GET /verify/status.'],
  no_url: [
    'the tenant had no webhook URL any more',
    'Ask for the results with GET /verify/status: a new URL gets new events only.',
  ],
} satisfies Record<StoredFailure, [string, string]>

/** Failures that say nothing about the receiver. */
export const ownFailures = ['interrupted', 'error', 'expired', 'no_url'] satisfies StoredFailure[]

type StoredFailure =
  | Exclude<FailureReason, 'status'>
  | `tls_${TlsFault}`
  | 'interrupted'
  | 'error'
  | 'expired'
  | 'no_url'

function remedyOfStatus(status: number): string {
  if (status < 400) return 'Redirects are not followed: set the URL that it leads to.'
  if (status === 401 || status === 403) {
    return 'Let events in without a login, also past a firewall for web applications: their signature says who sent them.'
  }
  if (status === 404 || status === 405) return 'Check the path in the URL, and that it accepts POST.'
  return 'The log of your receiver says why. Respond with 2xx once the event is stored.'
}
