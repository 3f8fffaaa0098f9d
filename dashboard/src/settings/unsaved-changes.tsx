import { createContext, type ReactNode, useCallback, useContext, useEffect, useId, useState } from 'react'
import { LeaveGuard } from '../components/leave-guard.tsx'

type Report = (form: string, isUnsaved: boolean) => void

const ReportContext = createContext<Report>(() => {})

/** Asks before the page is left while one of its forms has unsaved changes. */
export function UnsavedChanges({ children }: { children: ReactNode }) {
  const [forms, setForms] = useState<readonly string[]>([])
  const report = useCallback<Report>((form, isUnsaved) => {
    setForms(unsaved => [...unsaved.filter(each => each !== form), ...(isUnsaved ? [form] : [])])
  }, [])
  return (
    <ReportContext value={report}>
      {children}
      <LeaveGuard when={forms.length > 0} title="Leave without saving?" leaveLabel="Discard changes">
        Your changes on this page are not saved.
      </LeaveGuard>
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
