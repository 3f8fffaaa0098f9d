import { localMidnight, parseDay } from '../components/local-day.ts'

export const expiryOptions = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 365 days' },
  { value: 'date', label: 'On a date…' },
]

const dayMs = 86_400_000

/** As ISO 8601: a number of days from now, or the end of a day in the user's time zone. Undefined for never. */
export function expiryTime(option: string, date: string, now: Date): string | undefined {
  if (option === 'never') return undefined
  if (option !== 'date') return new Date(now.getTime() + Number(option) * dayMs).toISOString()
  return localMidnight(date, 1)
}

/** The field's error message; null if the date is valid. */
export function validateExpiry(option: string, date: string, now: Date): string | null {
  if (option !== 'date') return null
  if (parseDay(date) === undefined) return 'Select the last day on which the key is valid.'
  const time = expiryTime(option, date, now)
  return time && Date.parse(time) > now.getTime() ? null : 'Select a day in the future.'
}
