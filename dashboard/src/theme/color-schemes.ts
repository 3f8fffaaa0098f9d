import type { MantineColorScheme } from '@mantine/core'

export const schemeLabels: Record<MantineColorScheme, string> = {
  light: 'Light',
  dark: 'Dark',
  auto: 'System',
}
