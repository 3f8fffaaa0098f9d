import { Text } from '@mantine/core'
import { Section } from '../../../page/section.tsx'
import { UrlForm } from './url-form.tsx'

export function UrlSection({ webhookUrl }: { webhookUrl: string | null }) {
  return (
    <Section
      title="Webhook URL"
      description="Gets a POST with the event verification.completed when a verification is complete."
    >
      <UrlForm webhookUrl={webhookUrl} />
      <Text size="sm" c="dimmed">
        The receiver answers with a 2xx status within 5 seconds, or the event is sent again: at once, after 1
        minute and after 10 more. The same event may come twice: tell them apart by data.verificationId.
      </Text>
    </Section>
  )
}
