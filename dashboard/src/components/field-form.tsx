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
  /** Below the field, such as the rules that it must keep. */
  children?: ReactNode
}

/** A form of one field: what it is, what is wrong with it, and what can be done. */
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
      {field}
      {children}
      <ObstacleNote obstacle={obstacle} />
      {error ? <RefusalAlert error={error} /> : null}
      <div className={classes.buttons}>{buttons}</div>
    </form>
  )
}
