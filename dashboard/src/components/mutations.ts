import { useDisclosure } from '@mantine/hooks'
import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { startTransition, useState } from 'react'
import { toConsoleError } from './console-error.ts'
import { notify } from './notify.ts'

interface NotifyingOptions<Data, Failure, Variables> {
  /** From tRPC's `mutationOptions()`, without `onSuccess`. */
  mutation: UseMutationOptions<Data, Failure, Variables>
  /** Shown in a notification; none if omitted. */
  successMessage?: (data: Data) => string
  /** Updates what depends on the change, such as cached queries. The mutation is pending until it resolves. */
  onSuccess?: (data: Data) => unknown
}

/** A mutation that notifies the user of its success. */
export function useNotifyingMutation<Data, Failure, Variables>({
  mutation,
  successMessage,
  onSuccess,
}: NotifyingOptions<Data, Failure, Variables>) {
  return useMutation({
    ...mutation,
    onSuccess: async data => {
      if (successMessage) notify(successMessage(data))
      await onSuccess?.(data)
    },
  })
}

interface FormOptions<Data, Failure, Variables, Field extends string>
  extends NotifyingOptions<Data, Failure, Variables> {
  /** The procedure's input fields that show their own errors. */
  fields: readonly Field[]
}

/** The mutation of a form. Splits an error into those of its fields and one for the form as a whole. */
export function useFormMutation<Data, Failure, Variables, Field extends string>({
  fields,
  ...options
}: FormOptions<Data, Failure, Variables, Field>) {
  const { mutate, reset, data, isPending, error } = useNotifyingMutation(options)
  const issues = error ? toConsoleError(error).issues : []
  const findMessage = (field: Field) => issues.find(({ path }) => path === field)?.message
  const isShownByFields = issues.length > 0 && issues.every(({ path }) => fields.some(name => name === path))
  return {
    mutate,
    reset,
    data,
    isPending,
    fieldErrors: Object.fromEntries(fields.map(field => [field, findMessage(field)])) as Partial<Record<Field, string>>,
    formError: isShownByFields ? null : error,
  }
}

interface ConfirmedOptions<Data, Failure, Variables, Target> extends NotifyingOptions<Data, Failure, Variables> {
  variables: (target: Target) => Variables
}

/** A mutation behind a confirmation dialog. `Target` is the object that it changes, where there are several. */
export function useConfirmedMutation<Data, Failure, Variables, Target = void>({
  variables,
  onSuccess,
  ...options
}: ConfirmedOptions<Data, Failure, Variables, Target>) {
  const [opened, { open, close }] = useDisclosure()
  const [target, setTarget] = useState<Target>()
  const { mutate, reset, isPending, error } = useNotifyingMutation({
    ...options,
    onSuccess: async data => {
      close()
      await onSuccess?.(data)
    },
  })
  return {
    target,
    /** The dialog is drawn after the button has shown that it was pressed. */
    open: (newTarget: Target) => {
      reset()
      setTarget(newTarget)
      startTransition(open)
    },
    /** Props of `ConfirmDialog`. */
    dialog: {
      opened,
      pending: isPending,
      error,
      onClose: close,
      // The reset drops the response, which can contain a secret.
      onConfirm: () => mutate(variables(target as Target), { onSuccess: reset }),
    },
  }
}
