import { cloneElement, type ReactElement, useEffect, useRef, useState } from 'react'
import { dismissLoadFailure, notifyLoadFailure } from '../components/load-failure.ts'
import { type Load, useLoaded } from '../components/use-loaded.ts'
import classes from './header.module.css'

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
} satisfies Record<string, Load<MenuProps>>

interface Props {
  of: keyof typeof menuLoaders
  button: ReactElement<{ onClick?: () => void }>
}

/** A button with a menu, which takes the button over when it is used for the first time and could be loaded. */
export function HeaderMenu({ of, button }: Props) {
  const [isUsed, setUsed] = useState(false)
  const [opened, setOpened] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const Menu = useLoaded(menuLoaders[of], isUsed, () => {
    setUsed(false)
    notifyLoadFailure()
  })
  useEffect(() => {
    if (!Menu) return
    // The menu returns the focus to where it was when it opened.
    root.current?.querySelector('button')?.focus()
    setOpened(true)
    dismissLoadFailure()
  }, [Menu])
  return (
    <div ref={root} className={classes.menu}>
      {Menu ? (
        <Menu opened={opened} onChange={setOpened} button={button} />
      ) : (
        cloneElement(button, { onClick: () => setUsed(true) })
      )}
    </div>
  )
}
