import { createContext, type ReactNode, useCallback, useContext, useEffect, useId, useState } from 'react'
import { type Blocker, useBeforeUnload, useBlocker } from 'react-router'
import { ConfirmDialog } from './confirm-dialog.tsx'

type Report = (form: string, isUnsaved: boolean) => void

const ReportContext = createContext<Report>(() => {})

/** Asks before the page is left while one of its forms has unsaved changes. */
export function UnsavedChanges({ children }: { children: ReactNode }) {
  const [forms, setForms] = useState<readonly string[]>([])
  const report = useCallback<Report>((form, isUnsaved) => {
    setForms(unsaved => [...unsaved.filter(each => each !== form), ...(isUnsaved ? [form] : [])])
  }, [])
  const blocker = useLeaveBlocker(forms.length > 0)
  return (
    <ReportContext value={report}>
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
    </ReportContext>
  )
}

/** Reports whether a form of the page has unsaved changes. */
export function useReportUnsaved(isUnsaved: boolean): void {
  const form = useId()
  const report = useContext(ReportContext)
  useEffect(() => {
    if (!isUnsaved) return
    report(form, true)
    return () => report(form, false)
  }, [report, form, isUnsaved])
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
