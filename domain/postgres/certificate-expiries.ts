import { findFirstExpiry } from '../certificate-expiry.ts'
import type { ConnectionOptions } from './connection-options.ts'

/** When the certificates expire that connections use; undefined where they use none. */
export interface CertificateExpiries {
  /** The first of `sslrootcert`. */
  authorities: Date | undefined
  /** `sslcert`. */
  client: Date | undefined
  /** The first of those that the open connections have been shown. */
  server(): Date | undefined
}

export function certificateExpiries({ ssl, openClients }: ConnectionOptions): CertificateExpiries {
  const { ca, cert } = ssl || {}
  return {
    authorities: typeof ca === 'string' ? findFirstExpiry(ca) : undefined,
    client: typeof cert === 'string' ? findFirstExpiry(cert) : undefined,
    server() {
      const expiries = [...openClients].flatMap(({ certificateExpiresAt: at }) => at?.getTime() ?? [])
      return expiries.length > 0 ? new Date(Math.min(...expiries)) : undefined
    },
  }
}
