import { X509Certificate } from 'node:crypto'

/** With the labels that OpenSSL reads. */
const pemCertificate = /-----BEGIN (X509 |TRUSTED )?CERTIFICATE-----[^-]+-----END \1CERTIFICATE-----/g

/** When the first of the certificates in a PEM text expires; undefined if it has none. Throws for an invalid one. */
export function findFirstExpiry(pem: string): Date | undefined {
  const expiries = pem.match(pemCertificate)?.map(text => new X509Certificate(text).validToDate) ?? []
  return expiries.toSorted((a, b) => a.getTime() - b.getTime())[0]
}
