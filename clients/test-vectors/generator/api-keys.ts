import { createHash } from 'node:crypto'

export type ApiKeyReason = 'ok' | 'wrong_prefix' | 'wrong_length' | 'wrong_alphabet' | 'wrong_checksum'

export interface ApiKeyVector {
  name: string
  key: string
  verdict: 'valid' | 'invalid'
  reason: ApiKeyReason
}

const alphabet = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']

export function apiKeyVectors(): ApiKeyVector[] {
  const key = keyOf('test vectors: an API key')
  const swapped = key.slice(0, 20) + key[21] + key[20] + key.slice(22)
  const ofAnother = key.slice(0, 47) + keyOf('test vectors: a third').slice(47)
  const inPlace = (character: string) => key.slice(0, 20) + character + key.slice(21)
  const cases: [name: string, reason: ApiKeyReason, key: string][] = [
    ['a key', 'ok', key],
    ['another key', 'ok', keyOf('test vectors: another API key')],
    ['a key whose checksum begins with 0', 'ok', keyWithChecksum(/^0/)],
    ['a key of zeros', 'ok', withChecksum('0'.repeat(43))],
    ['one character is another', 'wrong_checksum', replaced(key, 20)],
    ['the first character after the prefix is another', 'wrong_checksum', replaced(key, 4)],
    ['the last character, of the checksum, is another', 'wrong_checksum', replaced(key, key.length - 1)],
    ['two neighbouring characters are swapped', 'wrong_checksum', swapped],
    ['a letter is in the other case', 'wrong_checksum', inOtherCase(key)],
    ['the checksum is of another key', 'wrong_checksum', ofAnother],
    ['the checksum is of the characters without the prefix', 'wrong_checksum', withoutPrefix(key)],
    ['the last character is missing', 'wrong_length', key.slice(0, -1)],
    ['only the characters that lists of keys show', 'wrong_length', key.slice(0, 12)],
    ['one character too many', 'wrong_length', `${key}0`],
    ['the prefix alone', 'wrong_length', 'avk_'],
    ['nothing', 'wrong_prefix', ''],
    ['no prefix', 'wrong_prefix', key.slice(4)],
    ['another prefix', 'wrong_prefix', `avx_${key.slice(4)}`],
    ['the prefix in upper case', 'wrong_prefix', `AVK_${key.slice(4)}`],
    ['a space before the key', 'wrong_prefix', ` ${key}`],
    ['a line feed after the key', 'wrong_length', `${key}\n`],
    ['a hyphen', 'wrong_alphabet', inPlace('-')],
    ['an underscore', 'wrong_alphabet', inPlace('_')],
    ['a letter outside of ASCII', 'wrong_alphabet', inPlace('é')],
    ['a digit outside of ASCII', 'wrong_alphabet', inPlace('１')],
  ]
  return cases.map(([name, reason, text]) => {
    return { name, key: text, verdict: reason === 'ok' ? 'valid' : 'invalid', reason }
  })
}

/** A key whose characters come from a label instead of from chance. */
function keyOf(label: string): string {
  return withChecksum(base62(BigInt(`0x${sha256(label)}`), 43))
}

function withChecksum(random: string): string {
  return `avk_${random}${checksumOf(`avk_${random}`)}`
}

function keyWithChecksum(pattern: RegExp): string {
  for (let number = 1; ; number++) {
    const key = keyOf(`test vectors: API key ${number}`)
    if (pattern.test(key.slice(-6))) return key
  }
}

/** The first 32 bits of the SHA-256, as 6 digits of base62. */
function checksumOf(text: string): string {
  return base62(BigInt(`0x${sha256(text).slice(0, 8)}`), 6)
}

function withoutPrefix(key: string): string {
  return key.slice(0, 47) + checksumOf(key.slice(4, 47))
}

function replaced(key: string, at: number): string {
  const next = alphabet[(alphabet.indexOf(key[at]!) + 1) % alphabet.length]
  return key.slice(0, at) + next + key.slice(at + 1)
}

function inOtherCase(key: string): string {
  const at = 4 + key.slice(4).search(/[a-z]/)
  return key.slice(0, at) + key[at]!.toUpperCase() + key.slice(at + 1)
}

function base62(number: bigint, length: number): string {
  const digits = Array.from({ length }, (_, place) => alphabet[Number((number / 62n ** BigInt(place)) % 62n)])
  return digits.reverse().join('')
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
