import { type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core'
import type { MenuProps } from '../shell/header-menu.tsx'
import { schemeLabels } from './color-schemes.ts'
import './overlay-styles.ts'

export default function ColorSchemeMenu({ opened, onChange, button }: MenuProps) {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Menu opened={opened} onChange={onChange} position="bottom-end">
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown aria-label="Theme">
        <Menu.RadioGroup value={colorScheme} onChange={value => isScheme(value) && setColorScheme(value)}>
          {Object.entries(schemeLabels).map(([value, label]) => (
            <Menu.RadioItem key={value} value={value} closeMenuOnClick>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}

function isScheme(value: string): value is MantineColorScheme {
  return value in schemeLabels
}
