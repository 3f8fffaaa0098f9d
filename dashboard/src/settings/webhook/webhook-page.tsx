import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../../console/console.ts'
import { RefusalAlert } from '../../feedback/refusal-alert.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { ReceiverSection } from './receiver/receiver-section.tsx'
import { SecretSection } from './secret/secret-section.tsx'
import { UrlSection } from './url/url-section.tsx'

export function WebhookPage() {
  const { data, error, refetch } = useQuery(useConsole().settings.get.queryOptions())
  return (
    <SettingsPage title="Webhook settings">
      {error && !data ? (
        <RefusalAlert error={error} onRetry={refetch} />
      ) : data ? (
        <>
          <UrlSection webhookUrl={data.webhookUrl} />
          <SecretSection settings={data} />
          <ReceiverSection webhookUrl={data.webhookUrl} />
        </>
      ) : (
        <>
          <Skeleton height={394} />
          <Skeleton height={200} />
        </>
      )}
    </SettingsPage>
  )
}
