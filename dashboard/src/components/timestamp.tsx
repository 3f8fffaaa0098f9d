import { formatLocal, formatLocalSeconds, formatUtc } from './format-time.ts'
import classes from './when.module.css'

interface Props {
  at: string
  /** To the second, for timelines. */
  seconds?: boolean
}

/** A moment in local time, with UTC on hover. */
export function When({ at, seconds = false }: Props) {
  return (
    <time dateTime={at} title={formatUtc(at)} className={classes.when}>
      {seconds ? formatLocalSeconds(at) : formatLocal(at)}
    </time>
  )
}
