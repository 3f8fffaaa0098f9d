import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { Cipher } from '#domain/ports.ts'

const algorithm = 'aes-256-gcm'
export const cipherName = algorithm.toUpperCase()
const ivBytes = 12
const tagBytes = 16
const keyIdBytes = 4

/** Ciphertext begins with one byte, its format. */
const format = 2

/**
 * AES-256-GCM with a random nonce. Layout: format, key id, nonce, tag, ciphertext. The purpose is the additional
 * authenticated data. The first of the keys (32 bytes, base64) encrypts, all of them decrypt. `open` throws for an
 * unknown format, another key or purpose, and if any byte was changed.
 */
export function createCipher(keysBase64: readonly string[]): Cipher {
  const keys = keysBase64.map(text => Buffer.from(text, 'base64'))
  const [newest] = keys
  if (!newest) throw new RangeError('There is no encryption key')
  const newestPrefix = Buffer.concat([Buffer.of(format), deriveKeyId(newest)])
  return {
    newestPrefix,
    seal(plaintext, purpose) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv(algorithm, newest, iv).setAAD(Buffer.from(purpose))
      const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
      return Buffer.concat([newestPrefix, iv, cipher.getAuthTag(), ciphertext])
    },
    open(sealed, purpose) {
      if (sealed[0] !== format) throw new RangeError('Unknown format of ciphertext')
      const keyId = sealed.subarray(1, 1 + keyIdBytes)
      const key = keys.find(candidate => deriveKeyId(candidate).equals(keyId))
      if (!key) throw new RangeError(`No encryption key has the id ${keyId.toString('hex')}`)
      return decrypt(key, sealed.subarray(1 + keyIdBytes), purpose)
    },
  }
}

/** Identifies a key of 256 random bits without revealing anything useful about it. */
function deriveKeyId(key: Buffer): Buffer {
  return createHash('sha256').update('encryption-key-id:').update(key).digest().subarray(0, keyIdBytes)
}

function decrypt(key: Buffer, body: Buffer, purpose: string): string {
  const iv = body.subarray(0, ivBytes)
  const tag = body.subarray(ivBytes, ivBytes + tagBytes)
  const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(purpose)).setAuthTag(tag)
  return Buffer.concat([decipher.update(body.subarray(ivBytes + tagBytes)), decipher.final()]).toString(
    'utf8',
  )
}
