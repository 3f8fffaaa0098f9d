import { Progress } from '@mantine/core'
import classes from './meter.module.css'

interface Part {
  name: string
  /** Of the whole, 0 to 1. */
  share: number
  color: string
}

interface Props {
  parts: readonly Part[]
  /** Where to draw a line, 0 to 1. */
  mark?: number
}

/** A horizontal bar. Hidden from screen readers, because it repeats what the text beside it says. */
export function Meter({ parts, mark }: Props) {
  return (
    <Progress.Root size="lg" radius="xl" className={classes.track} aria-hidden>
      {parts
        .filter(({ share }) => share > 0)
        .map(({ name, share, color }) => (
          <Progress.Section
            key={name}
            value={share * 100}
            color={color}
            className={classes.part}
            withAria={false}
          />
        ))}
      {mark !== undefined && <div className={classes.mark} style={{ insetInlineStart: `${mark * 100}%` }} />}
    </Progress.Root>
  )
}
