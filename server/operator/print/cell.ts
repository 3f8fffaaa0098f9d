/** A value as people read it; nothing is a dash. */
export function cell(value: unknown): string {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return '-'
  if (Array.isArray(value)) return value.map(cell).join(', ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return value.toLocaleString('en-US')
  return String(value)
}

/** `rateLimitPerMinute` as `Rate limit per minute`. */
export function label(field: string): string {
  const words = field.replace(/([A-Z])/g, ' $1').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
