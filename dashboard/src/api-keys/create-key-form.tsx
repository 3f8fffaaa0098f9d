import { Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { DialogButtons } from '../components/dialog-buttons.tsx'
import { ErrorAlert } from '../components/error-alert.tsx'
import { useFormMutation } from '../trpc/mutations.ts'
import { useTrpc } from '../trpc/trpc.ts'
import { type ApiKeyScope, scopes } from './api-key.ts'
import { expiryOptions, expiryTime, validateExpiry } from './expiry.ts'

interface Props {
  onCreated: (apiKey: string) => void
  onCancel: () => void
}

const nameLengthMax = 100

interface Values {
  name: string
  scopes: string[]
  expiry: string
  date: string
}

export function CreateKeyForm({ onCreated, onCancel }: Props) {
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
    initialValues: { name: '', scopes: scopes.map(({ scope }) => scope), expiry: 'never', date: '' },
    validate: {
      name: name => (name.trim() === '' ? 'Enter a name.' : null),
      scopes: selected => (selected.length === 0 ? 'Select at least one scope.' : null),
      date: (date, { expiry }) => validateExpiry(expiry, date, new Date()),
    },
  })
  const submit = ({ name, scopes, expiry, date }: Values) => {
    const expiresAt = expiryTime(expiry, date, new Date())
    create.mutate({ name: name.trim(), scopes: scopes as ApiKeyScope[], ...(expiresAt && { expiresAt }) })
  }
  const { fieldErrors } = create
  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <Stack>
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
        <Group grow align="flex-start">
          <NativeSelect
            label="Expires"
            data={expiryOptions}
            {...form.getInputProps('expiry')}
            error={fieldErrors.expiresAt}
          />
          {form.values.expiry === 'date' && (
            <TextInput type="date" label="Last day" {...form.getInputProps('date')} />
          )}
        </Group>
        {create.formError ? <ErrorAlert error={create.formError} /> : null}
        <DialogButtons submitLabel="Create API key" pending={create.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  )
}
