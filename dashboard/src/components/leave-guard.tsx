import type { ReactNode } from 'react'
import { type Blocker, useBeforeUnload, useBlocker } from 'react-router'
import { ConfirmDialog } from './confirm-dialog.tsx'

interface Props {
  /** Whether leaving would lose something. */
  when: boolean
  title: string
  /** Names what leaving means, as in "Leave without the key". */
  leaveLabel: string
  /** What would be lost. */
  children: ReactNode
}

/** Asks before another page is shown, also by Back. Before a reload the browser asks in its own words. */
export function LeaveGuard({ when, title, leaveLabel, children }: Props) {
  const blocker = useLeaveBlocker(when)
  return (
    <ConfirmDialog
      opened={blocker.state === 'blocked'}
      title={title}
      confirmLabel={leaveLabel}
      pending={false}
      error={null}
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      {children}
    </ConfirmDialog>
  )
}

/** The same for a component that asks in its own way while the blocker's state is `blocked`. One per page. */
export function useLeaveBlocker(when: boolean): Blocker {
  useBeforeUnload(event => {
    if (when) event.preventDefault()
  })
  return useBlocker(
    ({ currentLocation, nextLocation }) => when && currentLocation.pathname !== nextLocation.pathname,
  )
}
