import { type Blocker, useBeforeUnload, useBlocker } from 'react-router'

/**
 * Keeps the user on the page while leaving would lose something, also by Back: the component asks while the blocker's
 * state is `blocked`. Before a reload the browser asks in its own words. One per page.
 */
export function useLeaveBlocker(when: boolean): Blocker {
  useBeforeUnload(event => {
    if (when) event.preventDefault()
  })
  return useBlocker(
    ({ currentLocation, nextLocation }) => when && currentLocation.pathname !== nextLocation.pathname,
  )
}
