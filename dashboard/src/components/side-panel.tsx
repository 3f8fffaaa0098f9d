import { Drawer } from '@mantine/core'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'

interface Props {
  opened: boolean
  title: string
  onClose: () => void
  /** False if the page moves the focus itself when the panel is closed. By default it returns to where it was. */
  returnFocus?: boolean
  children: ReactNode
}

const CoverContext = createContext<(isCovered: boolean) => void>(() => {})

/** A panel beside a list. Escape closes it only while no dialog covers it. */
export function SidePanel({ opened, title, onClose, returnFocus = true, children }: Props) {
  const [isCovered, setCovered] = useState(false)
  return (
    <CoverContext value={setCovered}>
      <Drawer
        opened={opened}
        onClose={onClose}
        title={title}
        position="right"
        size="lg"
        closeOnEscape={!isCovered}
        returnFocus={returnFocus}
      >
        {children}
      </Drawer>
    </CoverContext>
  )
}

/** For dialogs, which can be opened from a panel. */
export function useCoversPanel(opened: boolean): void {
  const setCovered = useContext(CoverContext)
  useEffect(() => {
    if (!opened) return
    setCovered(true)
    return () => setCovered(false)
  }, [opened, setCovered])
}
