import { Alert, Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ActionButton } from '../components/action-button.tsx'
import { FieldForm } from '../components/field-form.tsx'
import type { ServerForm as Form } from './use-server-form.ts'

interface Props {
  form: Form
  saveLabel: string
  /** Why the form is read-only; undefined if the user may change it. */
  disabledReason: string | undefined
  /** Why an empty text can't be saved; undefined if it can. */
  emptyReason?: string
  /** Further buttons. */
  buttons?: ReactNode
  /** The field. */
  children: ReactNode
}

/** The buttons of a form that follows the server, and the question which value to keep if it changed elsewhere. */
export function ServerForm({ form, saveLabel, disabledReason, emptyReason, buttons, children }: Props) {
  const reason = form.value.trim() === '' && emptyReason ? emptyReason : reasonNotToSave(form)
  return (
    <FieldForm
      onSubmit={() => reason === undefined && form.submit()}
      disabledReason={disabledReason}
      error={form.formError}
      buttons={
        <>
          {(form.isDirty || form.isSaving) && (
            <ActionButton type="submit" loading={form.isSaving} disabledReason={disabledReason ?? reason}>
              {saveLabel}
            </ActionButton>
          )}
          {buttons}
        </>
      }
    >
      {children}
      <ChangedElsewhere form={form} />
    </FieldForm>
  )
}

function reasonNotToSave({ isDirty, isSaving, changedElsewhere }: Form): string | undefined {
  if (isSaving || !isDirty) return undefined
  return changedElsewhere === undefined ? undefined : 'Choose first which value to keep.'
}

function ChangedElsewhere({ form: { changedElsewhere, discard, keepMine } }: { form: Form }) {
  if (changedElsewhere === undefined) return null
  return (
    <Alert color="orange" variant="light" role="alert" title="Changed elsewhere">
      <Text size="sm" mb="sm">
        {changedElsewhere === '' ? (
          'This was removed elsewhere while you were editing.'
        ) : (
          <>
            This was changed to <b>{changedElsewhere}</b> elsewhere while you were editing.
          </>
        )}{' '}
        Nothing is saved until you choose.
      </Text>
      <Group gap="xs">
        <Button variant="default" size="xs" onClick={discard}>
          Use theirs
        </Button>
        <Button variant="default" size="xs" onClick={keepMine}>
          Keep mine
        </Button>
      </Group>
    </Alert>
  )
}
