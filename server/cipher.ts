import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Cipher } from '#domain/ports.ts'

const algorithm = 'aes-256-gcm'
const formatVersion = 1
const ivBytes = 12
const tagBytes = 16

/**
 * AES-256-GCM with a random nonce. Layout: version, nonce, tag, ciphertext. The purpose is the additional
 * authenticated data. `open` throws for another version, key or purpose, and if any byte was changed.
 */
export function createCipher(keyBase64: string): Cipher {
  const key = Buffer.from(keyBase64, 'base64')
  return {
    seal(plaintext, purpose) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(purpose))
      const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(formatVersion), iv, cipher.getAuthTag(), ciphertext])
    },
    open(sealed, purpose) {
      if (sealed[0] !== formatVersion) throw new RangeError('Unknown format version of a sealed secret')
      const iv = sealed.subarray(1, 1 + ivBytes)
      const tag = sealed.subarray(1 + ivBytes, 1 + ivBytes + tagBytes)
      const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagBytes })
      decipher.setAAD(Buffer.from(purpose)).setAuthTag(tag)
      const plaintext = Buffer.concat([
        decipher.update(sealed.subarray(1 + ivBytes + tagBytes)),
        decipher.final(),
      ])
      return plaintext.toString('utf8')
    },
  }
}
