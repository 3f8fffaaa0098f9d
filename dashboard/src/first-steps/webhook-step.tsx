import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useTrpc } from '../trpc/trpc.ts'
import { Step } from './step.tsx'

export function WebhookStep() {
  const { data } = useQuery(useTrpc().settings.get.queryOptions())
  const isSet = Boolean(data?.webhookUrl)
  return (
    <Step title="Receive webhook events" state={isSet ? 'done' : 'todo'}>
      <Text size="sm">
        {isSet
          ? `Webhook events are delivered to ${data?.webhookUrl}.`
          : 'Set a webhook URL to notify your backend when a verification completes, instead of polling for its status.'}
      </Text>
      <div>
        <Button component={Link} to="/settings/webhook" variant="default">
          {isSet ? 'Webhook settings' : 'Set webhook URL'}
        </Button>
      </div>
    </Step>
  )
}
