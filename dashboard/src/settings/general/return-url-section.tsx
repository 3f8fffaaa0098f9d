import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../../console/console.ts'
import { RefusalAlert } from '../../feedback/refusal-alert.tsx'
import { Section } from '../../page/section.tsx'
import { ReturnUrlForm } from './return-url-form.tsx'

export function ReturnUrlSection() {
  const { data, error, refetch } = useQuery(useConsole().settings.get.queryOptions())
  return (
    <Section
      title="Return address"
      description="Where your users go after the check. It gets verificationId added to its query; what the result is, your backend learns from the webhook or the status, never from this address."
    >
      {error && !data ? (
        <RefusalAlert error={error} onRetry={refetch} />
      ) : data ? (
        <ReturnUrlForm url={data.returnUrl} />
      ) : (
        <Skeleton height={125} />
      )}
    </Section>
  )
}
