import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Section } from '../../components/page.tsx'
import { QueryState } from '../../components/query-state.tsx'
import { formatDuration } from '../../overview/format.ts'
import { type Outputs, useTrpc } from '../../trpc/trpc.ts'
import { SettingsPage } from '../settings-page.tsx'
import { UrlForm } from '../url-form.tsx'
import { SampleSection } from './sample-section.tsx'
import { SecretSection } from './secret-section.tsx'

type Settings = Outputs['settings']['get']

export function WebhookPage() {
  const query = useQuery(useTrpc().settings.get.queryOptions(undefined, { staleTime: 0 }))
  return (
    <SettingsPage title="Webhook settings">
      <QueryState query={query} loading={<Loading />}>
        {settings => (
          <>
            <Section
              title="Webhook URL"
              description="We send a POST request with a verification.completed event when a verification completes."
            >
              <UrlForm kind="webhookUrl" url={settings.webhookUrl} />
              <DeliveryRules {...settings} />
            </Section>
            <SecretSection settings={settings} />
            <SampleSection webhookUrl={settings.webhookUrl} />
          </>
        )}
      </QueryState>
    </SettingsPage>
  )
}

/** As high as the sections. */
function Loading() {
  return (
    <>
      <Skeleton h={{ base: 376, xs: 284 }} />
      <Skeleton h={{ base: 344, xs: 248 }} />
      <Skeleton height={484} />
    </>
  )
}

/** What the service does with a delivery that fails, with the delays that it is configured with. */
function DeliveryRules({
  retryDelaysSeconds: [first = 0, second = 0],
}: Pick<Settings, 'retryDelaysSeconds'>) {
  return (
    <Text size="sm" c="dimmed">
      Your endpoint must respond with a 2xx status within 5 seconds. If it doesn't, we try again about{' '}
      {formatDuration(first)} later, and a last time about {formatDuration(second)} after that. An event can
      be delivered more than once: deduplicate by data.verificationId.
    </Text>
  )
}
