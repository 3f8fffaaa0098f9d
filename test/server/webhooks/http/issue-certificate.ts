import { generate } from 'selfsigned'

export interface Certificate {
  cert: string
  key: string
}

export interface CertificateOptions {
  /** Who signs it; itself by default. */
  authority?: Certificate
  /** Whether it can sign others. */
  isAuthority?: boolean
  validFrom?: Date
  isForServers?: boolean
}

/** Issues a certificate for `receiver.test`, valid until 2126 from 2000 on by default. */
export async function issueCertificate(
  commonName: string,
  { authority, isAuthority = false, validFrom, isForServers = true }: CertificateOptions = {},
): Promise<Certificate> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: commonName }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: validFrom ?? new Date('2000-01-01'),
    notAfterDate: new Date('2126-01-01'),
    ...(authority && { ca: authority }),
    extensions: [
      { name: 'basicConstraints', cA: isAuthority, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: isAuthority, critical: true },
      ...(isAuthority
        ? []
        : [{ name: 'extKeyUsage', serverAuth: isForServers, clientAuth: !isForServers } as const]),
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'receiver.test' }] },
    ],
  })
  return { cert: `${cert.trim()}\n`, key }
}

/** A root, an intermediate that it has signed, and a receiver's certificate that this one has signed. */
export async function issueChain(options: CertificateOptions = {}) {
  const root = await issueCertificate('Root', { isAuthority: true })
  const intermediate = await issueCertificate('Intermediate', { isAuthority: true, authority: root })
  const receiver = await issueCertificate('Receiver', { ...options, authority: intermediate })
  return { root, intermediate, receiver }
}
