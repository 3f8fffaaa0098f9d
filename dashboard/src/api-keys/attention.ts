const dayMs = 86_400_000
const expiryWarningDays = 14
const unusedDays = 90

/** ISO 8601. */
type Times = { createdAt: string } & Record<'lastUsedAt' | 'expiresAt', string | null>

/** What to know about a live key, in words; undefined for one in normal use. */
export function describeAttention({ createdAt, lastUsedAt, expiresAt }: Times, now: number) {
  const left = expiresAt === null ? Infinity : (Date.parse(expiresAt) - now) / dayMs
  if (left < 1) return 'Expires within a day'
  const days = Math.round(left)
  if (days <= expiryWarningDays) return `Expires in ${days} ${days === 1 ? 'day' : 'days'}`
  const isUnused = now - Date.parse(lastUsedAt ?? createdAt) >= unusedDays * dayMs
  return isUnused ? `Unused for ${unusedDays} days` : undefined
}
