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
  const extra = readCertificates(caFile).map(certificate => certificate.toString())
  return createSecureContext({ minVersion: 'TLSv1.2', ca: [...getCACertificates('default'), ...extra] })
}

/** Throws if the file can't be read or contains no valid certificate. */
export function readCertificates(caFile: string): X509Certificate[] {
  const pems = readFileSync(caFile, 'utf8').match(pemCertificate)
  if (!pems) throw new Error(`${caFile} contains no PEM certificate`)
  return pems.map(pem => new X509Certificate(pem))
}

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g
