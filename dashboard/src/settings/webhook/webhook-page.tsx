import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Section } from '../../components/page.tsx'
import { QueryState } from '../../components/query-state.tsx'
import { useTrpc } from '../../trpc/trpc.ts'
import { SettingsPage } from '../settings-page.tsx'
import { UrlForm } from '../url-form.tsx'
import { DeliveryHealth, useDeliveries } from './delivery-health.tsx'
import { SecretSection } from './secret-section.tsx'

export function WebhookPage() {
  const query = useQuery(useTrpc().settings.get.queryOptions(undefined, { staleTime: 0 }))
  const deliveries = useDeliveries()
  return (
    <SettingsPage title="Webhook settings">
      <QueryState query={query} loading={<Skeleton height={210} />}>
        {settings =>
          // What is below it would move.
          deliveries.isPending ? (
            <Skeleton height={210} />
          ) : (
            <>
              <Section
                title="Delivery"
                description={
                  settings.webhookUrl
                    ? `Each verification that completes is sent to ${new URL(settings.webhookUrl).host}, as the event verification.completed.`
                    : `No receiver gets events: set a URL to get verification.completed when a verification completes. ${settings.hasWebhookSecret ? 'The secret below signs them.' : 'The first URL comes with the secret that signs them.'}`
                }
              >
                <UrlForm kind="webhookUrl" url={settings.webhookUrl} />
              </Section>
              {settings.webhookUrl && <DeliveryHealth query={deliveries} url={settings.webhookUrl} />}
              {settings.hasWebhookSecret && <SecretSection {...settings} />}
            </>
          )
        }
      </QueryState>
    </SettingsPage>
  )
}
