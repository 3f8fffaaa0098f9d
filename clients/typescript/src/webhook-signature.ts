/** The key of HMAC-SHA256, which is the whole secret in UTF-8. */
export function signatureKey(secret: string, usage: 'sign' | 'verify') {
  const bytes = new TextEncoder().encode(secret)
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [usage])
}
