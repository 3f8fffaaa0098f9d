import classes from './chart.module.css'
import { formatNumber, formatShare } from './format-number.ts'

interface Props {
  /** The count at the top, an even number. */
  max: number
  /** With an axis on the right, from 0% to 100%. */
  hasRate?: boolean
}

/** The axes of a chart: their ends and their middle. */
export function GridLines({ max, hasRate = false }: Props) {
  return [0, 1 / 2, 1].map(height => (
    <div key={height} className={classes.gridLine} style={{ bottom: `${100 * height}%` }}>
      <span>{formatNumber(max * height)}</span>
      {hasRate && <span className={classes.rateLabel}>{formatShare(height, 1)}</span>}
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
