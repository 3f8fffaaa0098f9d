import type { ReactNode } from 'react'
import { DisabledReasonNote } from './action-button.tsx'
import { ErrorAlert } from './error-alert.tsx'
import classes from './field-form.module.css'

interface Props {
  onSubmit: () => void
  /** Why the form is read-only; undefined if it can be submitted. */
  disabledReason: string | undefined
  /** An error that no field shows. */
  error: unknown
  buttons: ReactNode
  /** The fields. */
  children: ReactNode
}

/** A small form with its buttons below its fields. */
export function FieldForm({ onSubmit, disabledReason, error, buttons, children }: Props) {
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={event => {
        event.preventDefault()
        if (disabledReason === undefined) onSubmit()
      }}
    >
      {children}
      <DisabledReasonNote reason={disabledReason} />
      {error ? <ErrorAlert error={error} /> : null}
      <div className={classes.buttons}>{buttons}</div>
    </form>
  )
}
