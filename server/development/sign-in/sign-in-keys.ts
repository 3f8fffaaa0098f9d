import { randomBytes } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { loadOrCreateSecret } from '../load-or-create-secret.ts'

export interface SignInKeys {
  /** Signs the tokens: private, ES256. */
  signingKey: JWK
  /** Signs the cookies. */
  cookieKey: string
}

/** The keys kept in the file, made the first time; without a file, new ones. */
export async function signInKeys(file: string | undefined): Promise<SignInKeys> {
  return JSON.parse(file === undefined ? await makeKeys() : await loadOrCreateSecret(file, makeKeys))
}

async function makeKeys(): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const signingKey = {
    ...(await exportJWK(privateKey)),
    alg: 'ES256',
    use: 'sig',
    kid: randomBytes(8).toString('hex'),
  }
  return JSON.stringify({ signingKey, cookieKey: randomBytes(32).toString('base64url') })
}
