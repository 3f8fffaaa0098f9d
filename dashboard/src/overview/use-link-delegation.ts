import type { MouseEvent } from 'react'
import { useNavigate } from 'react-router'

/** Follows the links of an element within the dashboard. One handler, because a chart can have thousands of links. */
export function useLinkDelegation() {
  const navigate = useNavigate()
  return (event: MouseEvent<Element>) => {
    const path = (event.target as Element).closest('a')?.dataset.path
    const opensElsewhere =
      event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
    if (path === undefined || opensElsewhere) return
    event.preventDefault()
    navigate(path)
  }
}
