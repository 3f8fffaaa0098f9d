/** JSON for people: indented, its names painted, and signed tokens shortened, which would fill the screen. */
export function paintJson(json: unknown, paint: (name: string) => string): string {
  const text = JSON.stringify(
    json,
    (_, value: unknown) => (typeof value === 'string' ? shorten(value) : value),
    2,
  )
  return text.replace(
    /^( *)("(?:[^"\\]|\\.)*")(?=:)/gm,
    (_, space: string, name: string) => space + paint(name),
  )
}

/** The ends of a long token. */
export function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 24)} … ${text.slice(-12)} (${text.length} characters)` : text
}
