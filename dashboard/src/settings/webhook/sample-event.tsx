import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CopyBox } from '../../components/copy-box.tsx'
import { CopyableText } from '../../components/copyable-text.tsx'
import { QueryState } from '../../components/query-state.tsx'
import { useTrpc } from '../../trpc/trpc.ts'
import { curlCommand } from './sample-request.ts'

/** A delivery to this tenant, signed with a secret that is valid for nothing else. */
export function SampleEvent({ webhookUrl }: { webhookUrl: string | null }) {
  const query = useQuery(
    useTrpc().settings.sampleEvent.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY }),
  )
  return (
    <QueryState query={query} loading={<Skeleton height={300} />}>
      {sample => (
        <>
          <Text size="sm" my="xs">
            This sends an event as the service does to a receiver on your machine that accepts the example
            secret <CopyableText value={sample.secret} label="example secret" />
          </Text>
          <CopyBox value={curlCommand({ webhookUrl, ...sample })} label="curl command" />
        </>
      )}
    </QueryState>
  )
}
