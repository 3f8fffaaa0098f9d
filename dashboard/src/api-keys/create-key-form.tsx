import { Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { instantOf, parseDay } from '../components/dates.ts'
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
  expiry: string
  date: string
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
    initialValues: { name, scopes: scopes.map(({ scope }) => scope), expiry: 'never', date: '' },
    validate: {
      name: name => (name.trim() === '' ? 'Enter a name.' : null),
      scopes: selected => (selected.length === 0 ? 'Select at least one scope.' : null),
      date: (date, { expiry }) => validateExpiry(expiry, date, new Date(serviceTime())),
    },
  })
  const submit = ({ name, scopes, expiry, date }: Values) => {
    const expiresAt = expiryTime(expiry, date, new Date(serviceTime()))
    create.mutate({ name: name.trim(), scopes: scopes as ApiKeyScope[], ...(expiresAt && { expiresAt }) })
  }
  const { fieldErrors } = create
  return (
    <DialogForm
      onSubmit={form.onSubmit(submit)}
      onCancel={onCancel}
      submitLabel="Create API key"
      mutation={create}
    >
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
    </DialogForm>
  )
}

const expiryOptions = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 365 days' },
  { value: 'date', label: 'On a date…' },
]

const dayMs = 86_400_000

/** As ISO 8601: a number of days from now, or the end of a day in the user's time zone. Undefined for never. */
function expiryTime(option: string, date: string, now: Date): string | undefined {
  if (option === 'never') return undefined
  if (option !== 'date') return new Date(now.getTime() + Number(option) * dayMs).toISOString()
  return instantOf(date, 1)
}

/** The field's error message; null if the date is valid. */
function validateExpiry(option: string, date: string, now: Date): string | null {
  if (option !== 'date') return null
  if (parseDay(date) === undefined) return 'Select the last day on which the key is valid.'
  const time = expiryTime(option, date, now)
  return time && Date.parse(time) > now.getTime() ? null : 'Select a day in the future.'
}
