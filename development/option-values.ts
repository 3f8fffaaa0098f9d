import { InvalidArgumentError } from 'commander'

/** Parses an option that is a whole number within bounds. */
export function integer(min: number, max: number): (text: string) => number {
  return text => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= max) return value
    throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`)
  }
}

/** Checks an option that is a URL. Throws an `InvalidArgumentError`. */
export function httpUrl(text: string): string {
  if (/^https?:/.test(text) && URL.canParse(text)) return text
  throw new InvalidArgumentError('It must be an http or https URL.')
}
