import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode, SubmitEvent } from 'react'
import { flushSync } from 'react-dom'
import { DisabledReasonNote } from './action-button.tsx'
import { ErrorAlert } from './error-alert.tsx'

interface DialogFormProps {
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void
  onCancel: () => void
  /** Names the action, as in "Create link". */
  submitLabel: string
  /** What `useFormMutation` returns; nothing is sent if omitted. */
  mutation?: { isPending: boolean; formError: unknown }
  /** The fields. */
  children: ReactNode
}

/** A form in a dialog. */
export function DialogForm({ onSubmit, onCancel, submitLabel, mutation, children }: DialogFormProps) {
  return (
    <form noValidate onSubmit={event => submitForm(event, () => onSubmit(event))}>
      <Stack>
        {children}
        {mutation?.formError ? <ErrorAlert error={mutation.formError} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={mutation?.isPending ?? false}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface FieldFormProps {
  onSubmit: () => void
  /** Why the form is read-only; undefined if it can be submitted. */
  disabledReason?: string | undefined
  /** An error that no field shows. */
  error: unknown
  buttons: ReactNode
  /** The fields. */
  children: ReactNode
}

/** A small form with its buttons below its fields. */
export function FieldForm({ onSubmit, disabledReason, error, buttons, children }: FieldFormProps) {
  return (
    <form noValidate onSubmit={event => submitForm(event, () => disabledReason === undefined && onSubmit())}>
      <Stack gap="sm" maw="44rem">
        {children}
        <DisabledReasonNote reason={disabledReason} />
        {error ? <ErrorAlert error={error} /> : null}
        <Group gap="xs">{buttons}</Group>
      </Stack>
    </form>
  )
}

/** Buttons are enabled while something is missing: submitting says what, at the field that gets the focus. */
function submitForm(event: SubmitEvent<HTMLFormElement>, submit: () => unknown): void {
  event.preventDefault()
  const form = event.currentTarget
  flushSync(submit)
  form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}
