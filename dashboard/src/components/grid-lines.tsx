import classes from './chart.module.css'
import { formatNumber } from './format-number.ts'

interface Props {
  /** At the bottom. */
  min?: number
  /** At the top; of counts an even number. */
  max: number
  format?: (value: number) => string
}

/** The axis of a plot: its ends and its middle. */
export function GridLines({ min = 0, max, format = formatNumber }: Props) {
  return [0, 1 / 2, 1].map(height => (
    <div key={height} className={classes.gridLine} style={{ bottom: `${100 * height}%` }}>
      <span>{format(min + (max - min) * height)}</span>
    </div>
  ))
}

/** Tenths of a power of ten. */
const roundSteps = [10, 12, 14, 16, 20, 24, 30, 40, 50, 60, 80]

/** The smallest round even number that is not below the value; its half labels the middle of the axis. */
export function axisMax(value: number): number {
  for (let decade = 1; ; decade *= 10) {
    const fit = roundSteps.map(step => (step * decade) / 10).find(number => number % 2 === 0 && value <= number)
    if (fit !== undefined) return fit
  }
}
