import { formatNumber } from '../../numbers/format-number.ts'
import classes from './chart-legend.module.css'
import { type Day, outcomes, sumOf } from './outcomes.ts'

/** What the colours mean, with the counts of the days it is given. */
export function ChartLegend({ caption, days }: { caption: string; days: readonly Day[] }) {
  return (
    <div className={classes.legend}>
      <strong className={classes.caption}>{caption}</strong>
      <ul className={classes.list}>
        {outcomes.map(({ outcome, label, color }) => (
          <li key={outcome}>
            <span className={classes.swatch} style={{ background: color }} />
            {label} <b>{formatNumber(sumOf(days, outcome))}</b>
          </li>
        ))}
      </ul>
    </div>
  )
}
