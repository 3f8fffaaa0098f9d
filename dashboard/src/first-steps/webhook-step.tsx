import { Button, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { ErrorAlert } from '../components/error-alert.tsx'
import { useTenantPath } from '../session/tenant-path.ts'
import { useTrpc } from '../trpc/trpc.ts'
import { Step } from './step.tsx'

const title = 'Receive webhook events'

export function WebhookStep() {
  const toPath = useTenantPath()
  const { data, error, refetch } = useQuery(useTrpc().settings.get.queryOptions())
  if (!data) {
    return (
      <Step title={title} state="todo">
        {error ? <ErrorAlert error={error} onRetry={refetch} /> : <Skeleton height={70} />}
      </Step>
    )
  }
  const { webhookUrl } = data
  return (
    <Step title={title} state={webhookUrl ? 'done' : 'todo'}>
      <Text size="sm">
        {webhookUrl
          ? `Webhook events are delivered to ${webhookUrl}.`
          : 'Set a webhook URL to notify your backend when a verification completes, instead of polling for its status.'}
      </Text>
      <div>
        <Button component={Link} to={toPath('/settings/webhook')} variant="default">
          {webhookUrl ? 'Webhook settings' : 'Set webhook URL'}
        </Button>
      </div>
    </Step>
  )
}
