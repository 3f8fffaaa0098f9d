import { X509Certificate } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadOrCreateSecret } from '../load-or-create-secret.ts'

/**
 * Loads the receiver's self-signed certificate for loopback; creates it if it is missing. Returns the PEM of its private key and
 * of itself, and the path of the file with the certificate alone, which clients of the receiver must trust.
 */
export async function loadOrCreateCertificate(folder: string) {
  const secretFile = join(folder, 'webhook-receiver-tls.pem')
  const keyAndCertificate = await loadOrCreateSecret(secretFile, createCertificate)
  const authorityFile = join(folder, 'webhook-receiver-authority.pem')
  await writeFile(authorityFile, new X509Certificate(keyAndCertificate).toString())
  return { keyAndCertificate, authorityFile }
}

const dayMs = 24 * 60 * 60 * 1000
const validYears = 10

async function createCertificate(): Promise<string> {
  // It takes a tenth of a start to load, and all starts but the first have a certificate.
  const { generate } = await import('selfsigned')
  const pems = await generate([{ name: 'commonName', value: 'Local webhook receiver' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() - dayMs),
    notAfterDate: new Date(Date.now() + validYears * 365 * dayMs),
    extensions: [
      // Trusting it trusts this one server: it cannot sign other certificates.
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
          { type: 2, value: 'localhost' },
        ],
      },
    ],
  })
  return `${pems.private.trim()}\n${pems.cert.trim()}\n`
}
