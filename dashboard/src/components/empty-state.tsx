import { Button, EmptyState as MantineEmptyState } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './empty-state.module.css'
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
    <MantineEmptyState py="xl" icon={<Drawing icon={icon} />} title={title} description={description}>
      {children && <MantineEmptyState.Actions>{children}</MantineEmptyState.Actions>}
    </MantineEmptyState>
  )
}

/** The mark in lines, its dot an icon: what will stand above the line. */
function Drawing({ icon }: { icon: IconName }) {
  return (
    <span className={classes.drawing}>
      <Icon name={icon} size={28} stroke={1.5} />
      <svg aria-hidden="true" viewBox="0 0 160 88" fill="none" strokeLinecap="round">
        <circle className={classes.dot} cx="80" cy="40" r="30" />
        <path className={classes.line} d="M24 82h112" />
        <path className={classes.line} d="M6 82h6M148 82h6" />
        <path d="M30 58h0M38 36h0M124 30h0M132 56h0" />
      </svg>
    </span>
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
