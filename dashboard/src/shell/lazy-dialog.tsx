import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'

interface DialogProps {
  opened: boolean
  onClose: () => void
}

/** A dialog whose code is loaded when it is first opened. */
export function lazyDialog(load: () => Promise<{ default: ComponentType<DialogProps> }>) {
  const Dialog = lazy(load)
  return function LazyDialog({ opened, onClose }: DialogProps) {
    const [isUsed, setUsed] = useState(opened)
    const [isMounted, setMounted] = useState(false)
    if (opened && !isUsed) setUsed(true)
    // Mantine's dialogs return the focus only if they are opened after they were mounted.
    return isUsed ? (
      <Suspense>
        <Dialog opened={opened && isMounted} onClose={onClose} />
        <Mounted onMount={() => setMounted(true)} />
      </Suspense>
    ) : null
  }
}

/** Says when what is beside it was loaded and mounted. */
export function Mounted({ onMount }: { onMount: () => void }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once.
  useEffect(onMount, [])
  return null
}
