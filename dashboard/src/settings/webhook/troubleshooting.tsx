import { List } from '@mantine/core'
import { formatDuration } from '../../components/format-number.ts'
import { Section } from '../../components/page.tsx'
import { DocsLink } from '../../session/links.tsx'
import type { Outputs } from '../../trpc/trpc.ts'

/** What to check when events don't arrive, or are rejected by the receiver: one line a cause. */
export function Troubleshooting({ retryDelaysSeconds }: Outputs['settings']['get']) {
  const [first = 0, second = 0] = retryDelaysSeconds
  return (
    <Section title="Not arriving?">
      <List size="sm" spacing="0.375rem">
        <List.Item>
          <b>The endpoint.</b> Public, with a trusted certificate, without redirects; 2xx within 5 s.{' '}
          <DocsLink to="webhooks#your-endpoint">Your endpoint</DocsLink>
        </List.Item>
        <List.Item>
          <b>Three attempts.</b> The second follows about {formatDuration(first)} later and the last about{' '}
          {formatDuration(second)} after that, so all within about {formatDuration(first + second)}. An event can arrive
          twice: deduplicate by data.verificationId.{' '}
          <DocsLink to="webhooks#events-that-never-arrive">Events that never arrive</DocsLink>
        </List.Item>
        <List.Item>
          <b>A URL at the time.</b> What completes while no URL is set is not delivered later. GET /verify/status has
          the result.
        </List.Item>
        <List.Item>
          <b>Signature.</b> The hex-encoded HMAC-SHA256 of the raw body, before it is parsed, with the entire secret as
          the key. For 24 h after a rotation, two secrets are valid: accept both. If you reject old events, allow{' '}
          {formatDuration(first + second)} for the attempts. <DocsLink to="webhooks#signatures">Signatures</DocsLink>
        </List.Item>
      </List>
    </Section>
  )
}
