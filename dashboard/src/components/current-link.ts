import { type MouseEvent as ClickEvent, startTransition, useOptimistic } from 'react'
import { type To, useNavigate } from 'react-router'

/**
 * Which of some links is shown as current: the one that is followed, at once, while the page that it leads to is still
 * drawn. `follow` is the links' `onClick`.
 */
export function useCurrentLink(current: string | undefined) {
  const navigate = useNavigate()
  const [shown, show] = useOptimistic(current)
  const follow = (event: ClickEvent<HTMLAnchorElement>, link: string, to: To) => {
    if (!isFollowedHere(event)) return
    event.preventDefault()
    const replace = event.currentTarget.href === window.location.href
    startTransition(async () => {
      show(link)
      await navigate(to, { replace })
    })
  }
  return { shown, follow }
}

/** Whether a click leads on in this tab: not in another one or in a window, nor to a download. */
export function isFollowedHere({ button, metaKey, ctrlKey, shiftKey, altKey }: ClickEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey
}
