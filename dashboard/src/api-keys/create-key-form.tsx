import { Checkbox, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { instantOf } from '../components/dates.ts'
import { DialogForm } from '../components/form.tsx'
import { useFormMutation } from '../components/mutations.ts'
import { serviceTime } from '../components/service-clock.ts'
import { useTrpc } from '../trpc/trpc.ts'
import { type ApiKeyScope, scopes } from './api-key.ts'

interface Props {
  /** The name to begin with. */
  name?: string
  onCreated: (apiKey: string) => void
  onCancel: () => void
}

const nameLengthMax = 100

interface Values {
  name: string
  scopes: string[]
  /** The last day in the user's time zone, `YYYY-MM-DD`; empty for none. */
  lastDay: string
}

export function CreateKeyForm({ name = '', onCreated, onCancel }: Props) {
  const { apiKeys } = useTrpc()
  const queryClient = useQueryClient()
  const create = useFormMutation({
    mutation: apiKeys.create.mutationOptions({ gcTime: 0 }),
    fields: ['name', 'scopes', 'expiresAt'],
    successMessage: ({ name }) => `API key "${name}" created.`,
    onSuccess: ({ apiKey }) => {
      onCreated(apiKey)
      return queryClient.invalidateQueries(apiKeys.pathFilter())
    },
  })
  const form = useForm<Values>({
    initialValues: { name, scopes: scopes.map(({ scope }) => scope), lastDay: '' },
    validate: {
      name: name => (name.trim() === '' ? 'Enter a name.' : null),
      scopes: selected => (selected.length === 0 ? 'Select at least one scope.' : null),
      lastDay: day => (day && endOf(day) < serviceTime() ? 'Choose a day in the future.' : null),
    },
  })
  const submit = ({ name, scopes, lastDay }: Values) => {
    const expiresAt = lastDay ? new Date(endOf(lastDay)).toISOString() : undefined
    create.mutate({ name: name.trim(), scopes: scopes as ApiKeyScope[], ...(expiresAt && { expiresAt }) })
  }
  const { fieldErrors } = create
  return (
    <DialogForm onSubmit={form.onSubmit(submit)} onCancel={onCancel} submitLabel="Create API key" mutation={create}>
      <TextInput
        label="Name"
        description="Where the key is used, such as “Checkout, production”."
        maxLength={nameLengthMax}
        data-autofocus
        required
        {...form.getInputProps('name')}
        error={form.errors.name ?? fieldErrors.name}
      />
      <Checkbox.Group
        label="Scopes"
        description="What the key can do."
        {...form.getInputProps('scopes')}
        error={form.errors.scopes ?? fieldErrors.scopes}
      >
        <Stack gap="xs" mt="xs">
          {scopes.map(({ scope, description }) => (
            <Checkbox key={scope} value={scope} label={scope} description={description} />
          ))}
        </Stack>
      </Checkbox.Group>
      <TextInput
        type="date"
        label="Last day (optional)"
        description="The key expires at its end. Without one, it works until it is revoked."
        {...form.getInputProps('lastDay')}
        error={form.errors.lastDay ?? fieldErrors.expiresAt}
      />
    </DialogForm>
  )
}

/** The last millisecond of a day in the user's time zone. */
function endOf(day: string): number {
  return Date.parse(instantOf(day, 1)) - 1
}
