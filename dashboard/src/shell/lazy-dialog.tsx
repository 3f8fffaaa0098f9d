import { useEffect, useState } from 'react'
import { dismissLoadFailure, notifyLoadFailure } from '../components/load-failure.ts'
import { type Load, useLoaded } from '../components/use-loaded.ts'

interface DialogProps {
  opened: boolean
  onClose: () => void
}

/** A dialog whose code is loaded when it is first opened. It stays closed, and says why, if that fails. */
export function lazyDialog(load: Load<DialogProps>) {
  return function LazyDialog({ opened, onClose }: DialogProps) {
    const [isMounted, setMounted] = useState(false)
    const Dialog = useLoaded(load, opened, () => {
      onClose()
      notifyLoadFailure()
    })
    useEffect(() => {
      if (!Dialog) return
      setMounted(true)
      dismissLoadFailure()
    }, [Dialog])
    // Mantine's dialogs return the focus only if they are opened after they were mounted.
    return Dialog && <Dialog opened={opened && isMounted} onClose={onClose} />
  }
}
