import { X509Certificate } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { loadOrCreateSecret } from '../load-or-create-secret.ts'

export interface Certificate {
  /** PEM of the private key and of the certificate, in this order. */
  keyAndCertificate: string
  /** Path of the certificate alone, which whoever calls the receiver has to trust. */
  authorityFile: string
}

/** The receiver's own certificate for this machine: made once, and again when it is damaged or has run out. */
export async function keptCertificate(folder: string, now: Date): Promise<Certificate> {
  const secretFile = join(folder, 'event-receiver-tls.pem')
  let keyAndCertificate = await loadOrCreateSecret(secretFile, () => makeCertificate(now))
  if (!isValidAt(keyAndCertificate, now)) {
    await rm(secretFile)
    keyAndCertificate = await loadOrCreateSecret(secretFile, () => makeCertificate(now))
  }
  const authorityFile = join(folder, 'event-receiver-authority.pem')
  await writeFile(authorityFile, new X509Certificate(keyAndCertificate).toString())
  return { keyAndCertificate, authorityFile }
}

function isValidAt(pem: string, now: Date): boolean {
  try {
    const { validFromDate, validToDate } = new X509Certificate(pem)
    return validFromDate <= now && now < validToDate
  } catch {
    return false
  }
}

const dayMs = 24 * 60 * 60 * 1000
const years = 10

async function makeCertificate(now: Date): Promise<string> {
  const made = await generate([{ name: 'commonName', value: 'Local event receiver' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(now.getTime() - dayMs),
    notAfterDate: new Date(now.getTime() + years * 365 * dayMs),
    extensions: [
      // Trusting it trusts this one server: it can sign no other certificate.
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
  return `${made.private.trim()}\n${made.cert.trim()}\n`
}
