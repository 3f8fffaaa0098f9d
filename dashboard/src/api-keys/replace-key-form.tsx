import { NativeSelect, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { DialogForm } from '../components/form.tsx'
import { useFormMutation } from '../components/mutations.ts'
import { useParameterChange } from '../components/url-parameter.ts'
import { useTrpc } from '../trpc/trpc.ts'
import { type ApiKey, reasonForNoKey, useApiKeys } from './api-key.ts'

interface Props {
  apiKey: ApiKey
  onCreated: (apiKey: string) => void
  onCancel: () => void
}

const overlaps = [
  { value: '0', label: 'Not any more, because it has leaked' },
  { value: '1', label: 'For 1 hour' },
  { value: '24', label: 'For 24 hours' },
  { value: '168', label: 'For 7 days' },
]

/** Creates a key of the same name and scopes, and asks for how long the old one goes on working. */
export function ReplaceKeyForm({ apiKey, onCreated, onCancel }: Props) {
  // Then the old key has to end for the new one.
  const fullReason = reasonForNoKey(useApiKeys('live').data)
  const [hours, setHours] = useState(fullReason ? '0' : '24')
  const { apiKeys } = useTrpc()
  const queryClient = useQueryClient()
  const change = useParameterChange()
  const replace = useFormMutation({
    mutation: apiKeys.replace.mutationOptions({ gcTime: 0 }),
    fields: ['overlapHours'],
    successMessage: ({ name }) => `API key "${name}" replaced.`,
    onSuccess: async created => {
      onCreated(created.apiKey)
      await queryClient.invalidateQueries(apiKeys.pathFilter())
      // In its panel, unless that was closed meanwhile.
      if (window.location.search.includes(apiKey.apiKeyId)) await change('key', created.apiKeyId)
    },
  })
  return (
    <DialogForm
      onSubmit={() => replace.mutate({ apiKeyId: apiKey.apiKeyId, overlapHours: Number(hours) })}
      onCancel={onCancel}
      submitLabel="Replace key"
      mutation={replace}
    >
      <Text>
        Creates a key with the same name and scopes, which is shown once. Deploy it before the old key{' '}
        {apiKey.displayStart}… stops working.
      </Text>
      <NativeSelect
        label="The old key works"
        description={fullReason}
        data={overlaps}
        disabled={fullReason !== undefined}
        data-autofocus
        value={hours}
        error={replace.fieldErrors.overlapHours}
        onChange={event => setHours(event.currentTarget.value)}
      />
    </DialogForm>
  )
}
