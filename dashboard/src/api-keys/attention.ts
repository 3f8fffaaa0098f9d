const dayMs = 86_400_000
const warningDays = 14
const unusedDays = 30

/** ISO 8601. */
interface KeyTimes {
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string | null
}

/** What to know about a live key, in words; undefined for one in normal use. */
export function attentionOf({ createdAt, lastUsedAt, expiresAt }: KeyTimes, now: number): string | undefined {
  if (expiresAt !== null) {
    const days = Math.floor((Date.parse(expiresAt) - now) / dayMs)
    if (days < 1) return 'Expires within a day'
    if (days <= warningDays) return `Expires in ${days} ${days === 1 ? 'day' : 'days'}`
  }
  if (now - Date.parse(lastUsedAt ?? createdAt) < unusedDays * dayMs) return undefined
  return `Unused for ${unusedDays} days`
}
