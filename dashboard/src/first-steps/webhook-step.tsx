import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useConsole } from '../console/console.ts'
import { Step } from './step.tsx'

export function WebhookStep() {
  const { data } = useQuery(useConsole().settings.get.queryOptions())
  const isSet = Boolean(data?.webhookUrl)
  return (
    <Step title="Be told the results" state={isSet ? 'done' : 'todo'}>
      <Text size="sm">
        {isSet
          ? `Events go to ${data?.webhookUrl}.`
          : 'Set a webhook URL, and your backend gets an event when a verification is complete, instead of asking for its status again and again.'}
      </Text>
      <div>
        <Button component={Link} to="/settings/webhook" variant="default">
          {isSet ? 'Webhook settings' : 'Set the webhook URL'}
        </Button>
      </div>
    </Step>
  )
}
