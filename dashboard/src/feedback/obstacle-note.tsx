import { Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import classes from './obstacle-note.module.css'

/** Beside what the user may see and not change: why. */
export function ObstacleNote({ obstacle }: { obstacle: string | undefined }) {
  if (obstacle === undefined) return null
  return (
    <Text size="sm" c="dimmed" className={classes.note}>
      <IconLock size={15} aria-hidden />
      {obstacle}
    </Text>
  )
}
