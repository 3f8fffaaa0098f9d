import { readFileSync } from 'node:fs'
import { deflateRawSync, deflateSync } from 'node:zlib'
import { CompactSign, importJWK, type JWK } from 'jose'
import { type TokenVector, tokenVectors } from './test-vectors.ts'

const valid = tokenVectors[0]!
const [uri, list] = Object.entries(valid.statusLists)[0]!
const { privateKeys } = JSON.parse(readFileSync('clients/test-vectors/tokens.json', 'utf8'))
const [header, claims] = list
  .split('.')
  .slice(0, 2)
  .map(part => JSON.parse(Buffer.from(part, 'base64url').toString()))

/** Lists that the service's key has signed, as only its holder can: of any size, and in any spelling. */
export async function statusListVectors(): Promise<TokenVector[]> {
  const zeros = (bytes: number) => deflateSync(Buffer.alloc(bytes))
  const ofBytes = Buffer.from([...Buffer.alloc(16_300), ...Buffer.from('ûÿ>?'.repeat(20), 'latin1')])
  const spelled = deflateSync(ofBytes, { level: 0 }).toString('base64url')
  return [
    await vector('OK', 'of 8,388,608 tokens', zeros(2 ** 20)),
    await vector('STATUS_LIST_UNUSABLE', 'of one byte more', zeros(2 ** 20 + 1)),
    await vector('STATUS_LIST_UNUSABLE', 'of 64 MiB in 64 kB', zeros(64 * 2 ** 20)),
    await vector('STATUS_LIST_UNUSABLE', 'in a response that is too long', zeros(2 ** 14), 2 ** 20),
    await vector('OK', 'in base64url', spelled),
    await vector('STATUS_LIST_UNUSABLE', 'in base64', spelled.replaceAll('-', '+').replaceAll('_', '/')),
    await vector('STATUS_LIST_UNUSABLE', 'with padding', `${zeros(2 ** 14).toString('base64url')}=`),
    await vector('STATUS_LIST_UNUSABLE', 'in raw deflate', deflateRawSync(Buffer.alloc(2 ** 14))),
    await vector(
      'STATUS_LIST_UNUSABLE',
      'with more behind it',
      Buffer.concat([zeros(2 ** 14), Buffer.from('x')]),
    ),
    await vector('STATUS_LIST_UNUSABLE', 'that was cut short', zeros(2 ** 14).subarray(0, -6)),
  ]
}

async function vector(reason: string, name: string, lst: Buffer | string, spaces = 0): Promise<TokenVector> {
  const status_list = { bits: 1, lst: typeof lst === 'string' ? lst : lst.toString('base64url') }
  const key = await importJWK(
    (privateKeys as (JWK & { kid: string })[]).find(({ kid }) => kid === header.kid)!,
    'ES256',
  )
  const payload = Buffer.from(JSON.stringify({ ...claims, status_list }))
  const jwt = await new CompactSign(payload).setProtectedHeader(header).sign(key)
  const statusLists = { [uri]: jwt + ' '.repeat(spaces) }
  return { ...valid, name: `whose list is ${name}`, statusLists, reason }
}
