import { InvalidArgumentError } from 'commander'

/** Parses an option that is a whole number within bounds. */
export function integer(min: number, max: number): (text: string) => number {
  return text => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= max) return value
    throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`)
  }
}
