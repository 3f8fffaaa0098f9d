/**
 * Replaces characters that a terminal would execute, or that would hide or reorder text, by escapes such as `\u001b`.
 * In JSON, the escapes stand for the same characters.
 */
export function printable(text: string): string {
  return text.replace(unprintable, character =>
    character
      .split('')
      .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

/** Control, format and separator characters, and halves of surrogate pairs. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu
