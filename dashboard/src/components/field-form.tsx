import { Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { DisabledReasonNote } from './action-button.tsx'
import { ErrorAlert } from './error-alert.tsx'

interface Props {
  onSubmit: () => void
  /** Why the form is read-only; undefined if it can be submitted. */
  disabledReason: string | undefined
  /** An error that no field shows. */
  error: unknown
  buttons: ReactNode
  isWide?: boolean
  /** The fields. */
  children: ReactNode
}

/** A small form with its buttons below its fields. */
export function FieldForm({ onSubmit, disabledReason, error, buttons, isWide = false, children }: Props) {
  return (
    <form
      noValidate
      onSubmit={event => {
        event.preventDefault()
        if (disabledReason === undefined) onSubmit()
      }}
    >
      <Stack gap="sm" maw={isWide ? undefined : '44rem'}>
        {children}
        <DisabledReasonNote reason={disabledReason} />
        {error ? <ErrorAlert error={error} /> : null}
        <Group gap="xs">{buttons}</Group>
      </Stack>
    </form>
  )
}
