import {
  cloneElement,
  type FocusEvent,
  type HTMLAttributes,
  type KeyboardEvent,
  type ReactElement,
  type Ref,
  useRef,
  useState,
} from 'react'
import { LazyTooltipBubble } from './lazy-tooltip-bubble.tsx'

interface Props {
  label: string
  /** A button or another element that can have the focus. */
  children: ReactElement<HTMLAttributes<HTMLElement> & { ref?: Ref<HTMLElement> }>
}

/** A tooltip for pointer, keyboard and touch. Its code is loaded when the first one opens; Escape closes it. */
export function Tooltip({ label, children }: Props) {
  const [opened, setOpened] = useState(false)
  const target = useRef<HTMLElement>(null)
  const open = () => setOpened(true)
  const close = () => setOpened(false)
  return (
    <>
      {cloneElement(children, {
        ref: target,
        onPointerEnter: open,
        onPointerLeave: close,
        onFocus: (event: FocusEvent) => event.target.matches(':focus-visible') && open(),
        onBlur: close,
        onKeyDown: (event: KeyboardEvent) => event.key === 'Escape' && close(),
      })}
      {opened && <LazyTooltipBubble target={target} label={label} />}
    </>
  )
}
