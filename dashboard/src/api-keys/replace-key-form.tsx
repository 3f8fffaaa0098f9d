import { Radio, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { DialogForm } from '../components/dialog-form.tsx'
import { useFormMutation } from '../trpc/mutations.ts'
import { useTrpc } from '../trpc/trpc.ts'
import type { ApiKey } from './api-key.ts'

interface Props {
  apiKey: ApiKey
  onCreated: (apiKey: string) => void
  onCancel: () => void
}

const overlaps = [
  { value: '0', label: 'It stops working immediately', description: 'If the key has leaked.' },
  { value: '1', label: 'For 1 hour', description: undefined },
  { value: '24', label: 'For 24 hours', description: undefined },
  { value: '168', label: 'For 7 days', description: 'If you deploy rarely.' },
]

/** Creates a key of the same name and scopes, and asks for how long the old one goes on working. */
export function ReplaceKeyForm({ apiKey, onCreated, onCancel }: Props) {
  const [hours, setHours] = useState('24')
  const { apiKeys } = useTrpc()
  const queryClient = useQueryClient()
  const replace = useFormMutation({
    mutation: apiKeys.replace.mutationOptions({ gcTime: 0 }),
    fields: ['overlapHours'],
    successMessage: ({ name }) => `API key "${name}" replaced.`,
    onSuccess: created => {
      onCreated(created.apiKey)
      return queryClient.invalidateQueries(apiKeys.pathFilter())
    },
  })
  return (
    <DialogForm
      onSubmit={() => replace.mutate({ apiKeyId: apiKey.apiKeyId, overlapHours: Number(hours) })}
      onCancel={onCancel}
      submitLabel="Replace key"
      mutation={replace}
    >
      <Text size="sm">
        Creates a key with the same name and scopes, which is shown once. Deploy it before the old key{' '}
        {apiKey.displayStart}… stops working.
      </Text>
      <Radio.Group
        label="How long the old key still works"
        value={hours}
        error={replace.fieldErrors.overlapHours}
        onChange={setHours}
      >
        <Stack gap="sm" mt="xs">
          {overlaps.map(({ value, label, description }) => (
            <Radio
              key={value}
              value={value}
              label={label}
              description={description}
              {...(value === hours && { 'data-autofocus': true })}
            />
          ))}
        </Stack>
      </Radio.Group>
    </DialogForm>
  )
}
