import { type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core'
import { type MenuProps, schemes } from './header-button.tsx'

export function ColorSchemeMenu({ opened, onChange, button }: MenuProps) {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Menu opened={opened} onChange={onChange} position="bottom-end">
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown aria-label="Theme">
        <Menu.RadioGroup value={colorScheme} onChange={value => setColorScheme(value as MantineColorScheme)}>
          {Object.entries(schemes).map(([value, { label }]) => (
            <Menu.RadioItem key={value} value={value} closeMenuOnClick>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
