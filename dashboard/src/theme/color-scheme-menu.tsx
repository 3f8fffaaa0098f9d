import { ActionIcon, type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'

const schemes: { value: MantineColorScheme; label: string; Icon: typeof IconSun }[] = [
  { value: 'light', label: 'Light', Icon: IconSun },
  { value: 'dark', label: 'Dark', Icon: IconMoon },
  { value: 'auto', label: 'System', Icon: IconDeviceDesktop },
]

export function ColorSchemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const current = schemes.find(scheme => scheme.value === colorScheme) ?? schemes[2]!
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Theme: ${current.label}`}>
          <current.Icon size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label="Theme">
        <Menu.RadioGroup value={colorScheme} onChange={value => setColorScheme(toScheme(value))}>
          {schemes.map(({ value, label, Icon }) => (
            <Menu.RadioItem
              key={value}
              value={value}
              rightSection={<Icon size={16} aria-hidden />}
              closeMenuOnClick
            >
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}

function toScheme(value: string): MantineColorScheme {
  return schemes.find(scheme => scheme.value === value)?.value ?? 'auto'
}
