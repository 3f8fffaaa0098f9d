import type { ReactNode } from 'react'
import { ObstacleNote } from '../feedback/obstacle-note.tsx'
import { RefusalAlert } from '../feedback/refusal-alert.tsx'
import classes from './field-form.module.css'

interface Props {
  onSubmit: () => void
  /** Why this user can't change it. */
  obstacle: string | undefined
  error: unknown
  field: ReactNode
  buttons: ReactNode
  /** Between the field and the error. */
  children?: ReactNode
}

/** A form of one field, its buttons beside it where there is room. */
export function FieldForm({ onSubmit, obstacle, error, field, buttons, children }: Props) {
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={event => {
        event.preventDefault()
        if (obstacle === undefined) onSubmit()
      }}
    >
      <div className={classes.row}>
        <div className={classes.field}>{field}</div>
        <div className={classes.buttons}>{buttons}</div>
      </div>
      <ObstacleNote obstacle={obstacle} />
      {children}
      {error ? <RefusalAlert error={error} /> : null}
    </form>
  )
}
