import { Title } from '@mantine/core'
import type { Outputs } from '../../console/console.ts'
import { When } from '../../time/when.tsx'
import classes from './status-timeline.module.css'
import { timelineEntries } from './timeline-entries.ts'

export function StatusTimeline({ verification }: { verification: Outputs['verifications']['get'] }) {
  return (
    <section aria-labelledby="timeline">
      <Title order={3} id="timeline" mb="xs">
        Timeline
      </Title>
      <ol className={classes.list}>
        {timelineEntries(verification, new Date()).map(({ at, title, note, tone, ahead }) => (
          <li key={`${at} ${title}`} className={classes.entry} data-tone={tone} data-ahead={ahead}>
            <div className={classes.head}>
              <strong>{title}</strong>
              <When at={at} seconds />
            </div>
            <span className={classes.note}>{note}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
