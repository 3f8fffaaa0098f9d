import { ActionIcon, type ActionIconProps, type MantineColorScheme } from '@mantine/core'
import type { ButtonHTMLAttributes, ReactElement, Ref } from 'react'
import { Icon, type IconName } from '../components/icon.tsx'

interface Props
  extends ActionIconProps,
    Omit<ButtonHTMLAttributes<HTMLButtonElement>, keyof ActionIconProps> {
  icon: IconName
  'aria-label': string
  ref?: Ref<HTMLButtonElement>
}

export function HeaderButton({ icon, ...others }: Props) {
  return (
    <ActionIcon variant="subtle" color="gray" size="lg" {...others}>
      <Icon name={icon} size={20} stroke={1.7} />
    </ActionIcon>
  )
}

/** A menu of the header. */
export interface MenuProps {
  opened: boolean
  onChange: (opened: boolean) => void
  /** The button that opens the menu. */
  button: ReactElement<{ onClick?: () => void; ref?: Ref<HTMLButtonElement> }>
}

export const schemes: Record<MantineColorScheme, { label: string; icon: IconName }> = {
  light: { label: 'Light', icon: 'sun' },
  dark: { label: 'Dark', icon: 'moon' },
  auto: { label: 'System', icon: 'device-desktop' },
}
