import type { MantineColorScheme } from '@mantine/core'
import type { IconName } from '../components/icon.tsx'

export const schemes: Record<MantineColorScheme, { label: string; icon: IconName }> = {
  light: { label: 'Light', icon: 'sun' },
  dark: { label: 'Dark', icon: 'moon' },
  auto: { label: 'System', icon: 'device-desktop' },
}
