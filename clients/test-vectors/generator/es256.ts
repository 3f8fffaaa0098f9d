import { createECDH, createHash, createPublicKey } from 'node:crypto'

/** A key of the vectors. Its private part comes from a label, so that anyone can make the vectors again. */
export interface VectorKey {
  /** The thumbprint of the public key (RFC 7638). */
  kid: string
  d: bigint
  publicJwk: { kty: string; crv: string; x: string; y: string; kid: string; use: string; alg: string }
}

/** The order of P-256. */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

export function keyOf(label: string): VectorKey {
  const d = scalarOf(Buffer.from(label))
  const point = pointOf(d)
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const kid = sha256(Buffer.from(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }))).toString('base64url')
  return { kid, d, publicJwk: { kty: 'EC', crv: 'P-256', x, y, kid, use: 'sig', alg: 'ES256' } }
}

/** The public key as PEM: what a library may take for the secret of an HMAC. */
export function publicPem({ publicJwk }: VectorKey): string {
  const publicKey = createPublicKey({ key: publicJwk, format: 'jwk' })
  return publicKey.export({ type: 'spki', format: 'pem' }).toString()
}

/** The signature of ES256, with a nonce that follows from the key and the content: the same each time. */
export function signatureOf({ d }: VectorKey, content: string): string {
  const digest = BigInt(`0x${sha256(Buffer.from(content)).toString('hex')}`)
  const nonce = scalarOf(Buffer.concat([bytesOf(d), Buffer.from(content)]))
  const r = BigInt(`0x${pointOf(nonce).subarray(1, 33).toString('hex')}`) % order
  const s = (inverseOf(nonce) * (digest + r * d)) % order
  return Buffer.concat([bytesOf(r), bytesOf(s)]).toString('base64url')
}

function scalarOf(bytes: Buffer): bigint {
  return (BigInt(`0x${createHash('sha512').update(bytes).digest('hex')}`) % (order - 1n)) + 1n
}

/** Uncompressed: 0x04, x, y. */
function pointOf(scalar: bigint): Buffer {
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(bytesOf(scalar))
  return curve.getPublicKey()
}

function bytesOf(number: bigint): Buffer {
  return Buffer.from(number.toString(16).padStart(64, '0'), 'hex')
}

/** By Fermat's little theorem. */
function inverseOf(number: bigint): bigint {
  let [result, base] = [1n, number]
  for (let exponent = order - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = (result * base) % order
    base = (base * base) % order
  }
  return result
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
