import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode, SubmitEvent } from 'react'
import { ErrorAlert } from './error-alert.tsx'

interface Props {
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void
  onCancel: () => void
  /** Names the action, as in "Create link". */
  submitLabel: string
  /** What `useFormMutation` returns. */
  mutation: { isPending: boolean; formError: unknown }
  /** Whether there is nothing to submit yet. */
  disabled?: boolean
  /** The fields. */
  children: ReactNode
}

/** A form in a dialog. */
export function DialogForm(props: Props) {
  const { onSubmit, onCancel, submitLabel, mutation, disabled = false, children } = props
  return (
    <form
      noValidate
      onSubmit={event => {
        event.preventDefault()
        onSubmit(event)
      }}
    >
      <Stack>
        {children}
        {mutation.formError ? <ErrorAlert error={mutation.formError} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={mutation.isPending} disabled={disabled}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
