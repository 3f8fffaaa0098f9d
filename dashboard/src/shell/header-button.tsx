import { ActionIcon, type ActionIconProps } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ButtonHTMLAttributes, Ref } from 'react'

interface Props
  extends ActionIconProps,
    Omit<ButtonHTMLAttributes<HTMLButtonElement>, keyof ActionIconProps> {
  Icon: Icon
  'aria-label': string
  ref?: Ref<HTMLButtonElement>
}

export function HeaderButton({ Icon, ...others }: Props) {
  return (
    <ActionIcon variant="subtle" color="gray" size="lg" {...others}>
      <Icon size={20} stroke={1.7} aria-hidden />
    </ActionIcon>
  )
}
