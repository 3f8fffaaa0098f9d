import { Button, EmptyState as MantineEmptyState } from '@mantine/core'
import { type Icon, IconFilterOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface Props {
  Icon: Icon
  title: string
  description: ReactNode
  /** Buttons. */
  children?: ReactNode
}

export function EmptyState({ Icon, title, description, children }: Props) {
  return (
    <MantineEmptyState
      py="xl"
      icon={<Icon size={28} stroke={1.5} aria-hidden />}
      title={title}
      description={description}
    >
      {children && <MantineEmptyState.Actions>{children}</MantineEmptyState.Actions>}
    </MantineEmptyState>
  )
}

/** Instead of a list whose filters match nothing. */
export function NoResults({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState Icon={IconFilterOff} title="No results" description="Try other filters.">
      <Button variant="default" onClick={onClear}>
        Clear filters
      </Button>
    </EmptyState>
  )
}
