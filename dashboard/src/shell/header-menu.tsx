import { type ComponentType, cloneElement, type ReactElement, type Ref, useEffect, useState } from 'react'
import { focusOnMount } from '../components/page.tsx'

/** A menu of the header. */
export interface MenuProps {
  opened: boolean
  onChange: (opened: boolean) => void
  /** The button that opens the menu. */
  button: ReactElement<{ onClick?: () => void; ref?: Ref<HTMLButtonElement> }>
}

/** Those of a menu whose code may not be loaded yet. */
export type HeaderMenuProps = Omit<MenuProps, 'button'> & { Menu: ComponentType<MenuProps> | undefined }

/** A button that opens its menu as soon as that is loaded. The menu returns the focus to where it was when it opened. */
export function HeaderMenu({ Menu, opened, onChange, button }: HeaderMenuProps & MenuProps) {
  const [isMounted, setMounted] = useState(false)
  useEffect(() => setMounted(Menu !== undefined), [Menu])
  if (!Menu) return cloneElement(button, { onClick: () => onChange(true) })
  const focused = opened && !isMounted ? cloneElement(button, { ref: focusOnMount }) : button
  return <Menu opened={opened && isMounted} onChange={onChange} button={focused} />
}
