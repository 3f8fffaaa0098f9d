import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'

/**
 * The certificate authorities that TLS to receivers trusts: Node's defaults, and those in the file if one is
 * given. Built once, because reading all of them takes about 10 ms. Throws if the file can't be read or contains
 * no valid certificate.
 */
export function trustedAuthorities(caFile: string | undefined): SecureContext {
  if (caFile === undefined) return createSecureContext({ minVersion: 'TLSv1.2' })
  const extra = readFileSync(caFile, 'utf8').match(pemCertificate)
  if (!extra) throw new Error(`${caFile} contains no PEM certificate`)
  for (const pem of extra) new X509Certificate(pem)
  return createSecureContext({ minVersion: 'TLSv1.2', ca: [...getCACertificates('default'), ...extra] })
}

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g
