import { EmptyState } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface Props {
  Icon: Icon
  title: string
  description: ReactNode
  children?: ReactNode
}

/** An empty list: why it is empty, and what would fill it. */
export function NothingHere({ Icon, title, description, children }: Props) {
  return (
    <EmptyState
      py="xl"
      icon={<Icon size={28} stroke={1.5} aria-hidden />}
      title={title}
      description={description}
    >
      {children && <EmptyState.Actions>{children}</EmptyState.Actions>}
    </EmptyState>
  )
}
