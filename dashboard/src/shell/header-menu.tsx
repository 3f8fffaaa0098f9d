import { type ComponentType, cloneElement, lazy, type ReactElement, Suspense, useRef, useState } from 'react'
import classes from './header.module.css'
import { Mounted } from './lazy-dialog.tsx'

export interface MenuProps {
  opened: boolean
  onChange: (opened: boolean) => void
  /** The button that opens the menu. */
  button: ReactElement<{ onClick?: () => void }>
}

/** The code of the menus, which is loaded after the first page. */
export const menuLoaders = {
  tenant: () => import('./tenant-menu.tsx'),
  theme: () => import('../theme/color-scheme-menu.tsx'),
  user: () => import('./user-menu.tsx'),
} satisfies Record<string, () => Promise<{ default: ComponentType<MenuProps> }>>

const menus = {
  tenant: lazy(menuLoaders.tenant),
  theme: lazy(menuLoaders.theme),
  user: lazy(menuLoaders.user),
}

interface Props {
  of: keyof typeof menus
  button: ReactElement<{ onClick?: () => void }>
}

/** A button with a menu, which takes the button over when it is used for the first time. */
export function HeaderMenu({ of, button }: Props) {
  const [isUsed, setUsed] = useState(false)
  const [opened, setOpened] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const unused = cloneElement(button, { onClick: () => setUsed(true) })
  const open = () => {
    // The menu returns the focus to where it was when it opened.
    root.current?.querySelector('button')?.focus()
    setOpened(true)
  }
  const Menu = menus[of]
  return (
    <div ref={root} className={classes.menu}>
      {isUsed ? (
        <Suspense fallback={unused}>
          <Menu opened={opened} onChange={setOpened} button={button} />
          <Mounted onMount={open} />
        </Suspense>
      ) : (
        unused
      )}
    </div>
  )
}
