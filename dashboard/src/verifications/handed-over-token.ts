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
