import { Alert, Group, Text } from '@mantine/core'
import { IconClockHour4 } from '@tabler/icons-react'
import { useState } from 'react'
import type { Outputs } from '../../../console/console.ts'
import { Section } from '../../../page/section.tsx'
import { LocalAndUtc } from '../../../time/local-and-utc.tsx'
import { RevealSecret } from './reveal-secret.tsx'
import { RotateSecret } from './rotate-secret.tsx'

/** The secret is in this component's memory while it is shown, and in no cache. */
export function SecretSection({ settings }: { settings: Outputs['settings']['get'] }) {
  const { hasWebhookSecret, previousSecretValidUntil } = settings
  const [secret, setSecret] = useState<string>()
  return (
    <Section
      title="Signing secret"
      description="Signs every event: X-Webhook-Signature is the hex HMAC-SHA256 of the raw body, keyed with the whole secret."
    >
      {hasWebhookSecret ? (
        <>
          <RevealSecret secret={secret} onSecret={setSecret} />
          {previousSecretValidUntil && (
            <Alert color="blue" variant="light" icon={<IconClockHour4 aria-hidden />} role="status">
              The secret before this one is accepted until <LocalAndUtc at={previousSecretValidUntil} />.
              Until then, events may be signed with either: let your receiver take both.
            </Alert>
          )}
          <Group>
            <RotateSecret onRotated={setSecret} />
          </Group>
        </>
      ) : (
        <Text size="sm" c="dimmed">
          It is made when you set a webhook URL for the first time.
        </Text>
      )}
    </Section>
  )
}
