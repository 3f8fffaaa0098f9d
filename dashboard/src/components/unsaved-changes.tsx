import { createContext, type ReactNode, useContext, useEffect, useReducer } from 'react'
import { type Blocker, useBeforeUnload, useBlocker } from 'react-router'
import { ConfirmDialog } from './confirm-dialog.tsx'

/** Changes the number of the page's forms that have unsaved changes. */
const CountContext = createContext<(change: 1 | -1) => void>(() => {})

/** Asks before the page is left while one of its forms has unsaved changes. */
export function UnsavedChanges({ children }: { children: ReactNode }) {
  const [unsavedForms, count] = useReducer((forms: number, change: 1 | -1) => forms + change, 0)
  const blocker = useLeaveBlocker(unsavedForms > 0)
  return (
    <CountContext value={count}>
      {children}
      <ConfirmDialog
        opened={blocker.state === 'blocked'}
        title="Leave without saving?"
        confirmLabel="Discard changes"
        pending={false}
        error={null}
        onConfirm={() => blocker.proceed?.()}
        onClose={() => blocker.reset?.()}
      >
        Your changes on this page are not saved.
      </ConfirmDialog>
    </CountContext>
  )
}

/** Reports whether a form of the page has unsaved changes. */
export function useReportUnsaved(isUnsaved: boolean): void {
  const count = useContext(CountContext)
  useEffect(() => {
    if (!isUnsaved) return
    count(1)
    return () => count(-1)
  }, [count, isUnsaved])
}

/**
 * Keeps the user on the page while leaving would lose something, also by Back: the component asks while the blocker's
 * state is `blocked`. Before a reload the browser asks in its own words. Of several, the last that was drawn asks.
 */
export function useLeaveBlocker(when: boolean): Blocker {
  useBeforeUnload(event => {
    if (when) event.preventDefault()
  })
  return useBlocker(({ currentLocation, nextLocation }) => when && currentLocation.pathname !== nextLocation.pathname)
}
