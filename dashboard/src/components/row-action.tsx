import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { ActionButton } from './action-button.tsx'

type Props = Pick<
  Parameters<typeof ActionButton>[0],
  'disabledReason' | 'onClick' | 'children' | 'aria-label'
>

/** The actions on a row of a table: one below the other where the column is narrow. */
export function RowActions({ children }: { children: ReactNode }) {
  return (
    <Group display="inline-flex" gap={4} justify="flex-end">
      {children}
    </Group>
  )
}

/** A destructive action on a row of a table. */
export function RowAction(props: Props) {
  return (
    <ActionButton
      {...props}
      variant="subtle"
      color="red"
      c={props.disabledReason ? undefined : 'var(--denied-text)'}
      size="compact-sm"
    />
  )
}
