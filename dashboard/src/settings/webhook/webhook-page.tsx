import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Section } from '../../components/page.tsx'
import { useTrpc } from '../../trpc/trpc.ts'
import { SettingsPage } from '../settings-page.tsx'
import { ReceiverSection } from './receiver/receiver-section.tsx'
import { SecretSection } from './secret-section.tsx'
import { WebhookUrlForm } from './webhook-url-form.tsx'

export function WebhookPage() {
  const { data, error, refetch } = useQuery(useTrpc().settings.get.queryOptions())
  return (
    <SettingsPage title="Webhook settings">
      {error && !data ? (
        <ErrorAlert error={error} onRetry={refetch} />
      ) : data ? (
        <>
          <Section
            title="Webhook URL"
            description="Receives a POST request with a verification.completed event when a verification completes."
          >
            <WebhookUrlForm webhookUrl={data.webhookUrl} />
            <Text size="sm" c="dimmed">
              Your endpoint must respond with a 2xx status within 5 seconds. Otherwise delivery is retried
              immediately, after 1 minute and after another 10 minutes. An event can be delivered more than
              once: deduplicate by data.verificationId.
            </Text>
          </Section>
          <SecretSection settings={data} />
          <ReceiverSection webhookUrl={data.webhookUrl} />
        </>
      ) : (
        <>
          <Skeleton height={270} />
          <Skeleton height={200} />
        </>
      )}
    </SettingsPage>
  )
}
