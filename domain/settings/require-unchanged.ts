import { DomainError } from '../errors.ts'

export interface NewUrl {
  /** Null clears the setting. */
  url: string | null
  /** What the caller saw; undefined if any URL may be overwritten. */
  expectedUrl?: string | null | undefined
}

/**
 * For a change that overwrites a value: `expected` is what the caller saw, or undefined if any value may be overwritten.
 * Throws `NOT_PROVISIONED` if the stored value is another one, because somebody else changed it.
 */
export function requireUnchanged<Value>(expected: Value | undefined, stored: Value): void {
  if (expected === undefined || expected === stored) return
  throw new DomainError('NOT_PROVISIONED', {
    message: 'This was changed in the meantime. Nothing was saved.',
  })
}
