import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'

/**
 * The certificate authorities that TLS to receivers trusts: Node's defaults, and those in the file if one is given. An
 * intermediate authority in the file is trusted without its root. Built once, because reading all of them takes about
 * 10 ms. Throws like `readCertificates`.
 */
export function trustedAuthorities(caFile: string | undefined): SecureContext {
  if (caFile === undefined) return createSecureContext({ minVersion: 'TLSv1.2' })
  const certificates = readCertificates(caFile)
  const ca = [...getCACertificates('default'), ...certificates.map(String)]
  // With it, a receiver that doesn't send its intermediate looks like one of another authority.
  const allowPartialTrustChain = !certificates.every(certificate => certificate.checkIssued(certificate))
  return createSecureContext({ minVersion: 'TLSv1.2', ca, allowPartialTrustChain })
}

/** Throws if the file can't be read, contains no certificate, or contains anything but certificates and keys. */
export function readCertificates(caFile: string): X509Certificate[] {
  const blocks = readFileSync(caFile, 'utf8').split('-----BEGIN ').slice(1)
  const certificates = blocks.flatMap(block => readBlock(block, caFile))
  if (certificates.length === 0) throw new Error(`${caFile} contains no PEM certificate`)
  return certificates
}

/** No block that could be a certificate is skipped: deliveries would fail without anyone seeing why. */
function readBlock(block: string, caFile: string): X509Certificate[] {
  const [label = '', base64 = ''] = block.split('-----', 2)
  if (/KEY$|PARAMETERS$/.test(label)) return []
  // `X509 CERTIFICATE` is the older label of the same; `TRUSTED CERTIFICATE` can also say what it must not be used for.
  if (!/^(X509 )?CERTIFICATE$/.test(label)) {
    throw new Error(`${caFile} contains a block "${label}"; only "CERTIFICATE" is supported`)
  }
  try {
    return [new X509Certificate(Buffer.from(base64, 'base64'))]
  } catch (cause) {
    throw new Error(`${caFile} contains a certificate that can't be read`, { cause })
  }
}
