import type { Random } from './random.ts'

const hourMs = 60 * 60 * 1000

/** Relative load of each UTC hour of a day: low at night, high in the evening. */
const byHour = [4, 3, 2, 2, 2, 3, 5, 8, 11, 13, 14, 15, 16, 15, 15, 16, 18, 21, 25, 28, 27, 22, 15, 8]

/** Relative load of each weekday, from Sunday: highest at the end of the week. */
const byWeekday = [1.1, 0.8, 0.85, 0.9, 1, 1.3, 1.45]

/** Load at the end of the history relative to its beginning. */
const growth = 1.6

/**
 * `count` times between `from` and `to`, in milliseconds since the epoch and ascending: denser in the evening, at the
 * end of the week, and towards the end.
 */
export function startTimes(count: number, from: Date, to: Date, random: Random): Float64Array {
  const firstHour = Math.floor(from.getTime() / hourMs)
  const lastHour = Math.floor(to.getTime() / hourMs)
  const hours = lastHour - firstHour + 1
  const cumulative = new Float64Array(hours)
  let total = 0
  for (let index = 0; index < hours; index++) {
    total += relativeLoad(new Date((firstHour + index) * hourMs)) * (1 + ((growth - 1) * index) / hours)
    cumulative[index] = total
  }
  const times = new Float64Array(count)
  for (let index = 0; index < count; index++) {
    const hour = firstHour + indexOf(cumulative, random() * total)
    const begin = Math.max(hour * hourMs, from.getTime())
    const end = Math.min((hour + 1) * hourMs, to.getTime())
    times[index] = Math.floor(begin + random() * (end - begin))
  }
  return times.sort()
}

function relativeLoad(hour: Date): number {
  return byHour[hour.getUTCHours()]! * byWeekday[hour.getUTCDay()]!
}

/** The first index whose sum is above `target`, by bisection. */
function indexOf(cumulative: Float64Array, target: number): number {
  let low = 0
  let high = cumulative.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (cumulative[middle]! > target) high = middle
    else low = middle + 1
  }
  return low
}
