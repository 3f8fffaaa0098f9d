import { writeFile } from 'node:fs/promises'
import { generate } from 'selfsigned'

/**
 * Gives a PostgreSQL server a self-signed certificate for `localhost`: `write` writes a file of its data folder. The PEM
 * file is what clients trust.
 */
export async function writeServerCertificate(
  pemFile: string,
  write: (name: string, content: string) => Promise<void>,
): Promise<void> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  })
  await write('server.key', key)
  await write('server.crt', cert)
  await writeFile(pemFile, cert)
}
