/** Relative load of each UTC hour of a day: low at night, high in the evening. */
const byHour = [4, 3, 2, 2, 2, 3, 5, 8, 11, 13, 14, 15, 16, 15, 15, 16, 18, 21, 25, 28, 27, 22, 15, 8]

/** Relative load of each weekday, from Sunday: highest at the end of the week. */
const byWeekday = [1.1, 0.8, 0.85, 0.9, 1, 1.3, 1.45]

/** Load at the end of the history relative to its beginning. */
const growth = 1.6

const hourMs = 60 * 60 * 1000

/** The period in slots of about an hour: for each, the share of all verifications that are started by its end. */
export function cumulativeLoad(from: Date, to: Date): number[] {
  const periodMs = to.getTime() - from.getTime()
  const slots = Math.max(1, Math.round(periodMs / hourMs))
  let total = 0
  const sums = Array.from({ length: slots }, (_, slot) => {
    const at = new Date(from.getTime() + ((slot + 0.5) / slots) * periodMs)
    const regular = byHour[at.getUTCHours()]! * byWeekday[at.getUTCDay()]!
    // No two hours are alike.
    total += regular * (1 + ((growth - 1) * slot) / slots) * -Math.log(1 - Math.random())
    return total
  })
  return sums.map(sum => sum / total)
}
