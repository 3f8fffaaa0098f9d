import { type ComponentProps, useTransition } from 'react'
import { isFollowedHere } from './current-link.ts'

interface Props extends ComponentProps<'a'> {
  href: string
  /** Shows what the link leads to on this page; its `href` is for another tab. */
  onOpen: () => unknown
}

/**
 * The link of a table's row, which a click anywhere in the row follows. The row is marked at once, while what it opens is
 * drawn. React Router's links would all be drawn again whenever the URL changes.
 */
export function RowLink({ href, onOpen, ...props }: Props) {
  const [isOpening, startOpening] = useTransition()
  return (
    <a
      {...props}
      href={href}
      draggable={false}
      data-row-link
      aria-busy={isOpening || undefined}
      onClick={event => {
        if (!isFollowedHere(event)) return
        event.preventDefault()
        // The second click of a double click opens nothing more.
        if (isOpening || event.currentTarget.href === window.location.href) return
        startOpening(async () => void (await onOpen()))
      }}
    />
  )
}
