import { Button, EmptyState as MantineEmptyState } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

interface Props {
  icon: IconName
  title: string
  description: ReactNode
  /** Buttons. */
  children?: ReactNode
}

export function EmptyState({ icon, title, description, children }: Props) {
  return (
    <MantineEmptyState
      py="xl"
      icon={<Icon name={icon} size={28} stroke={1.5} />}
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
    <EmptyState icon="filter-off" title="No results" description="Try other filters.">
      <Button variant="default" onClick={onClear}>
        Clear filters
      </Button>
    </EmptyState>
  )
}
