export const expiries = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'date', label: 'On a date …' },
]

const dayMs = 86_400_000

/** The moment that was chosen: so many days from now, or the end of a day of the user's calendar. */
export function expiryMoment(choice: string, date: string, now: Date): string | undefined {
  if (choice === 'never') return undefined
  if (choice !== 'date') return new Date(now.getTime() + Number(choice) * dayMs).toISOString()
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  return new Date(year, month - 1, day + 1).toISOString()
}

/** Why no key can expire then; undefined if one can. */
export function expiryFault(choice: string, date: string, now: Date): string | null {
  if (choice !== 'date') return null
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return 'Choose the last day on which the key is good.'
  const moment = expiryMoment(choice, date, now)
  return moment && Date.parse(moment) > now.getTime() ? null : 'This day is over.'
}
