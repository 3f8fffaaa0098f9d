/** What a pasted text is, by its form. */
export type Pasted =
  | { kind: 'id'; id: string }
  /** The beginning of an ID. */
  | { kind: 'id-prefix'; prefix: string }
  | { kind: 'api-key' }
  | { kind: 'token'; token: string }

export function recognize(text: string): Pasted | undefined {
  const trimmed = text.trim()
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(trimmed))
    return { kind: 'id', id: trimmed.toLowerCase() }
  if (/^[\da-f]{8}(-[\da-f-]{0,27})?$/i.test(trimmed))
    return { kind: 'id-prefix', prefix: trimmed.toLowerCase() }
  if (trimmed.startsWith('avk_')) return { kind: 'api-key' }
  if (/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(trimmed)) return { kind: 'token', token: trimmed }
  return undefined
}

let handedOver: string | undefined

/** Passes a token on to the next page without putting it into a URL or the history. */
export function handOverToken(token: string): void {
  handedOver = token
}

/** The token that was passed on, once. */
export function takeToken(): string {
  const token = handedOver ?? ''
  handedOver = undefined
  return token
}
