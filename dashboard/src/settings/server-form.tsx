import { Button } from '@mantine/core'
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
  /** What was stored when the user began to type; once the service has said that it is another one, what is stored now. */
  base?: string
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
    mutation: {
      ...options.mutation,
      onError: () => {
        setDraft(typed => typed && { text: typed.text })
        return queryClient.invalidateQueries({ queryKey })
      },
    },
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
  useReportUnsaved(isDirty)
  const edit = (changed: Draft | undefined) => {
    if (!isPending) reset()
    setDraft(changed)
  }
  return {
    value: draft?.text ?? stored,
    /** Whether the user typed something that differs from what is stored. */
    isDirty,
    isSaving: isPending,
    // What was typed since the text was submitted has no error yet.
    fieldError: text === submitted ? fieldErrors[inputField] : undefined,
    formError,
    input,
    change: (typed: string) => edit(typed === stored && !isPending ? undefined : { text: typed, base }),
    /** Shows what is stored instead of the user's text. */
    discard: () => {
      edit(undefined)
      input.current?.focus()
    },
    /** Does nothing unless there is something to save. */
    submit: () => {
      if (!isDirty || isPending) return
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

/** A form that follows the server, with its buttons. */
export function ServerForm({ form, saveLabel, disabledReason, buttons, children }: Props) {
  return (
    <FieldForm
      onSubmit={form.submit}
      disabledReason={disabledReason}
      error={form.formError}
      buttons={
        <>
          {(form.isDirty || form.isSaving) && (
            <ActionButton type="submit" loading={form.isSaving} disabledReason={disabledReason}>
              {saveLabel}
            </ActionButton>
          )}
          {form.isDirty ? (
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
    </FieldForm>
  )
}
