import { type Day, outcomes } from './outcomes.ts'

interface Props {
  day: Day
  x: number
  width: number
  yOf: (count: number) => number
}

/** The parts of a day's bar, a pixel of background between them so that colour is not all that parts them. */
export function DayBar({ day, x, width, yOf }: Props) {
  const gap = Math.min(4, width * 0.2)
  let below = 0
  return outcomes.map(({ outcome, color }) => {
    const from = below
    below += day[outcome]
    if (day[outcome] === 0) return null
    const height = yOf(from) - yOf(below)
    return (
      <rect
        key={outcome}
        x={x + gap / 2}
        y={yOf(below)}
        width={Math.max(1, Math.min(width - gap, barWidthMax))}
        height={Math.max(1, height - (height > 3 ? 1 : 0))}
        rx={1.5}
        fill={color}
      />
    )
  })
}

const barWidthMax = 36
