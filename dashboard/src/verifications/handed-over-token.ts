/** A token for the next page, which is neither in its URL nor in the history. */
let handedOver: string | undefined

export function handOver(token: string): void {
  handedOver = token
}

/** The token that was passed on, once. */
export function takeToken(): string {
  const passedOn = handedOver ?? ''
  handedOver = undefined
  return passedOn
}

/** A mail program or a terminal can end the line after any character, and quote the next one. */
const part = String.raw`(?:[\w-](?:=?\s+(?:>\s*)*)?)`
/** The signature of an age token has 64 bytes, by which its end is known where it is in several lines. */
const wrapped = new RegExp(String.raw`eyJ${part}+\.${part}+\.${part}{85}[\w-](?![\w-])`, 'g')
const inOneLine = /eyJ[\w-]+\.[\w-]+\.[\w-]*/g

/** The tokens anywhere in a text: quoted, in JSON, in a header of a request, in several lines. Each of them once. */
export function findTokens(text: string): string[] {
  const found = [...(text.match(wrapped) ?? []), ...(text.replaceAll(wrapped, ' ').match(inOneLine) ?? [])]
  return [...new Set(found.map(token => token.replaceAll(/[^\w.-]/g, '')))]
}
