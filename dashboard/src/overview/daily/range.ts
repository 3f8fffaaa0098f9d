/** Days that the chart can show, the last of them today; 0 is the month so far. */
export const ranges = [
  { value: 'month', label: 'This month', days: 0 },
  { value: '30d', label: '30 days', days: 30 },
  { value: '90d', label: '90 days', days: 90 },
] as const

export type Range = (typeof ranges)[number]

export function rangeNamed(value: string | null): Range {
  return ranges.find(range => range.value === value) ?? ranges[0]
}

/** As the service takes it: UTC days, both included. */
export function rangeInput({ days }: Range, now: Date) {
  if (days === 0) return {}
  const from = new Date(now.getTime() - (days - 1) * dayMs)
  return { from: utcDay(from), to: utcDay(now) }
}

const dayMs = 86_400_000

function utcDay(date: Date): string {
  return date.toISOString().slice(0, 10)
}
