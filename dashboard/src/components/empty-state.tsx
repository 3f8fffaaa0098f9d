import { EmptyState as MantineEmptyState } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
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
