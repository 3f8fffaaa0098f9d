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
  return [
    vector('a key', key, 'ok'),
    vector('another key', keyOf('test vectors: another API key'), 'ok'),
    vector('a key whose checksum begins with 0', keyWithChecksum(/^0/), 'ok'),
    vector('a key of zeros', withChecksum('0'.repeat(43)), 'ok'),
    ...checksumFaults(key),
    ...shapeFaults(key),
  ]
}

/** What a person mistypes. */
function checksumFaults(key: string): ApiKeyVector[] {
  const at = 20
  const swapped = key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2)
  return [
    vector('one character is another', replaced(key, at), 'wrong_checksum'),
    vector('the first character after the prefix is another', replaced(key, 4), 'wrong_checksum'),
    vector(
      'the last character, of the checksum, is another',
      replaced(key, key.length - 1),
      'wrong_checksum',
    ),
    vector('two neighbouring characters are swapped', swapped, 'wrong_checksum'),
    vector('a letter is in the other case', inOtherCase(key), 'wrong_checksum'),
    vector(
      'the checksum is of another key',
      key.slice(0, 47) + keyOf('test vectors: a third').slice(47),
      'wrong_checksum',
    ),
    vector('the checksum is of the characters without the prefix', withoutPrefix(key), 'wrong_checksum'),
  ]
}

function shapeFaults(key: string): ApiKeyVector[] {
  const [cutShort, tooLong] = [key.slice(0, -1), `${key}0`]
  const inPlace = (character: string) => key.slice(0, 20) + character + key.slice(21)
  return [
    vector('the last character is missing', cutShort, 'wrong_length'),
    vector('only the characters that lists of keys show', key.slice(0, 12), 'wrong_length'),
    vector('one character too many', tooLong, 'wrong_length'),
    vector('the prefix alone', 'avk_', 'wrong_length'),
    vector('nothing', '', 'wrong_prefix'),
    vector('no prefix', key.slice(4), 'wrong_prefix'),
    vector('another prefix', `avx_${key.slice(4)}`, 'wrong_prefix'),
    vector('the prefix in upper case', `AVK_${key.slice(4)}`, 'wrong_prefix'),
    vector('a space before the key', ` ${key}`, 'wrong_prefix'),
    vector('a line feed after the key', `${key}\n`, 'wrong_length'),
    vector('a hyphen', inPlace('-'), 'wrong_alphabet'),
    vector('an underscore', inPlace('_'), 'wrong_alphabet'),
    vector('a letter outside of ASCII', inPlace('é'), 'wrong_alphabet'),
    vector('a digit outside of ASCII', inPlace('１'), 'wrong_alphabet'),
  ]
}

function vector(name: string, key: string, reason: ApiKeyReason): ApiKeyVector {
  return { name, key, verdict: reason === 'ok' ? 'valid' : 'invalid', reason }
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
