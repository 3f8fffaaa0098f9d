import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useConsole } from '../../console/console.ts'
import { RefusalAlert } from '../../feedback/refusal-alert.tsx'
import { type KeyScope, scopes } from '../scopes.ts'
import { expiries, expiryFault, expiryMoment } from './expiry.ts'

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
  const console = useConsole()
  const queryClient = useQueryClient()
  const create = useMutation(
    console.apiKeys.create.mutationOptions({
      gcTime: 0,
      onSuccess: ({ apiKey }) => {
        onCreated(apiKey)
        return queryClient.invalidateQueries({ queryKey: console.apiKeys.pathKey() })
      },
    }),
  )
  const form = useForm<Values>({
    initialValues: { name: '', scopes: scopes.map(({ scope }) => scope), expiry: 'never', date: '' },
    validate: {
      name: name => (name.trim() === '' ? 'Name it after where it is used.' : null),
      scopes: chosen => (chosen.length === 0 ? 'A key needs at least one scope.' : null),
      date: (date, { expiry }) => expiryFault(expiry, date, new Date()),
    },
  })
  const submit = ({ name, scopes, expiry, date }: Values) => {
    const expiresAt = expiryMoment(expiry, date, new Date())
    create.mutate({ name: name.trim(), scopes: scopes as KeyScope[], ...(expiresAt && { expiresAt }) })
  }
  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <Stack>
        <TextInput
          label="Name"
          description="So that you recognise it later, such as “Checkout, production”."
          maxLength={nameLengthMax}
          data-autofocus
          required
          {...form.getInputProps('name')}
        />
        <Checkbox.Group label="Scopes" description="What the key may do." {...form.getInputProps('scopes')}>
          <Stack gap="xs" mt="xs">
            {scopes.map(({ scope, allows }) => (
              <Checkbox key={scope} value={scope} label={scope} description={allows} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Group grow align="flex-start">
          <NativeSelect label="Expires" data={expiries} {...form.getInputProps('expiry')} />
          {form.values.expiry === 'date' && (
            <TextInput type="date" label="Last day" {...form.getInputProps('date')} />
          )}
        </Group>
        {create.error && <RefusalAlert error={create.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create key
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
