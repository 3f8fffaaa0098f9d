import { chown, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { serverAccount } from '#development/postgres/account.ts'

/** Gives PostgreSQL servers, named by their data folders, one self-signed certificate for `localhost`. Returns its PEM. */
export async function writeServerCertificate(...dataFolders: string[]): Promise<string> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  })
  for (const folder of dataFolders) {
    await writeOwned(join(folder, 'server.key'), key)
    await writeOwned(join(folder, 'server.crt'), cert)
  }
  return cert
}

/** Writes a file that only the account of the servers can read. */
export async function writeOwned(file: string, content: string): Promise<void> {
  const { uid, gid } = await serverAccount()
  await writeFile(file, content, { mode: 0o600 })
  if (uid !== undefined && gid !== undefined) await chown(file, uid, gid)
}
