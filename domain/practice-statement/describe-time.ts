import type { Fact } from './practice.ts'

const units = [
  { name: 'day', seconds: 86_400, countMin: 2 },
  { name: 'hour', seconds: 3_600, countMin: 1 },
  { name: 'minute', seconds: 60, countMin: 1 },
]

/** Such as `30 days` or `24 hours`: a whole number, in the largest unit that has one. */
export function describeTime(milliseconds: number): string {
  const total = milliseconds / 1_000
  const unit = units.find(({ seconds, countMin }) => total % seconds === 0 && total / seconds >= countMin)
  const { name, seconds } = unit ?? { name: 'second', seconds: 1 }
  const count = total / seconds
  return `${count} ${name}${count === 1 ? '' : 's'}`
}

/** A fact whose text has a time, written as `{time}`. */
export function timed(name: string, text: string, milliseconds: number): Fact {
  return { name, text: text.replace('{time}', describeTime(milliseconds)), seconds: milliseconds / 1_000 }
}
