import { type ComponentType, lazy, Suspense, useState } from 'react'

interface DialogProps {
  opened: boolean
  onClose: () => void
}

/** A dialog whose code is loaded when it is first opened. */
export function lazyDialog(load: () => Promise<{ default: ComponentType<DialogProps> }>) {
  const Dialog = lazy(load)
  return function LazyDialog(props: DialogProps) {
    const [isUsed, setUsed] = useState(props.opened)
    if (props.opened && !isUsed) setUsed(true)
    return isUsed ? (
      <Suspense>
        <Dialog {...props} />
      </Suspense>
    ) : null
  }
}
