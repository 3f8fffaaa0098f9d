import { Alert, Button, Group, Text } from '@mantine/core'
import { type QueryKey, type UseMutationOptions, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { ActionButton } from '../components/action-button.tsx'
import { FieldForm } from '../components/form.tsx'
import { useFormMutation } from '../components/mutations.ts'
import { useReportUnsaved } from '../components/unsaved-changes.tsx'

interface Options<Data, Failure, Variables> {
  /** What the service stores; an empty text for none. */
  stored: string
  mutation: UseMutationOptions<Data, Failure, Variables>
  /** The input for saving `text`. `base` is what the user saw: the service refuses to overwrite anything else. */
  variables: (text: string, base: string) => Variables
  /** The procedure's input field that the form shows. */
  inputField: string
  successMessage: (data: Data) => string
  /** Of what is stored, which the mutation returns. */
  queryKey: QueryKey
  /** What the service stores now. */
  saved: (data: Data) => string
  onSuccess?: () => unknown
  /** What submitting an empty text does instead of saving it, where that is not a value like others. */
  onEmpty?: (() => void) | undefined
}

interface Draft {
  text: string
  /** What was stored when the user began to type, or last chose to keep their text. */
  base: string
}

type ServerFormState = ReturnType<typeof useServerForm>

/** A form with one text field that follows the server: it shows what is stored until the user types. */
export function useServerForm<Data, Failure, Variables>({
  stored,
  variables,
  inputField,
  queryKey,
  saved,
  onSuccess,
  onEmpty,
  ...options
}: Options<Data, Failure, Variables>) {
  const queryClient = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [draft, setDraft] = useState<Draft>()
  const [submitted, setSubmitted] = useState('')
  const { mutate, reset, isPending, fieldErrors, formError } = useFormMutation({
    ...options,
    mutation: { ...options.mutation, onError: () => queryClient.invalidateQueries({ queryKey }) },
    fields: [inputField],
    onSuccess: data => {
      // What was typed since then is a change of what is stored now.
      setDraft(typed => (typed && typed.text.trim() !== submitted ? { ...typed, base: saved(data) } : undefined))
      queryClient.setQueryData(queryKey, data)
      return onSuccess?.()
    },
  })
  const base = draft?.base ?? stored
  const text = draft?.text.trim() ?? stored
  const isDirty = text !== stored
  const isChanged = isDirty && base !== stored && !isPending
  useReportUnsaved(isDirty)
  const edit = (changed: Draft | undefined) => {
    if (!isPending) reset()
    setDraft(changed)
  }
  const decide = (changed: Draft | undefined) => {
    edit(changed)
    input.current?.focus()
  }
  return {
    value: draft?.text ?? stored,
    /** Whether the user typed something that differs from what is stored. */
    isDirty,
    /** What is stored, if it was changed elsewhere while the user was typing. */
    changedElsewhere: isChanged ? stored : undefined,
    isSaving: isPending,
    // What was typed since the text was submitted has no error yet.
    fieldError: text === submitted ? fieldErrors[inputField] : undefined,
    formError: isChanged ? null : formError,
    input,
    change: (typed: string) => edit(typed === stored && !isPending ? undefined : { text: typed, base }),
    /** Goes on with the user's text, which may then overwrite the change. */
    keepMine: () => decide({ text, base: stored }),
    /** Shows what is stored instead of the user's text. */
    discard: () => decide(undefined),
    /** Does nothing unless there is something to save and nothing to decide. */
    submit: () => {
      if (!isDirty || isChanged || isPending) return
      if (text === '' && onEmpty) return onEmpty()
      setSubmitted(text)
      mutate(variables(text, base))
    },
  }
}

interface Props {
  form: ServerFormState
  saveLabel: string
  /** Why the form is read-only; undefined if the user may change it. */
  disabledReason: string | undefined
  /** Further buttons, while there is nothing to save. */
  buttons?: ReactNode
  /** The field. */
  children: ReactNode
}

/** The buttons of a form that follows the server, and the question which value to keep if it changed elsewhere. */
export function ServerForm({ form, saveLabel, disabledReason, buttons, children }: Props) {
  const isUndecided = form.changedElsewhere !== undefined
  const reason = isUndecided ? 'Choose first which value to keep.' : undefined
  return (
    <FieldForm
      onSubmit={form.submit}
      disabledReason={disabledReason}
      error={form.formError}
      buttons={
        <>
          {(form.isDirty || form.isSaving) && (
            <ActionButton type="submit" loading={form.isSaving} disabledReason={disabledReason ?? reason}>
              {saveLabel}
            </ActionButton>
          )}
          {form.isDirty && !isUndecided ? (
            <Button variant="default" disabled={form.isSaving} onClick={form.discard}>
              Discard
            </Button>
          ) : (
            buttons
          )}
        </>
      }
    >
      {children}
      <ChangedElsewhere form={form} />
    </FieldForm>
  )
}

function ChangedElsewhere({ form: { changedElsewhere, discard, keepMine } }: { form: ServerFormState }) {
  if (changedElsewhere === undefined) return null
  return (
    <Alert color="orange" title="Changed elsewhere">
      <Text mb="sm">
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
