import { Alert, Group, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { CopyBox } from '../../components/copy-box.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Icon } from '../../components/icon.tsx'
import { useConfirmedMutation, useNotifyingMutation } from '../../components/mutations.ts'
import { Section } from '../../components/page.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { useDisabledReason } from '../../session/session-context.ts'
import { type Outputs, useTrpc } from '../../trpc/trpc.ts'

export function SecretSection({ previousSecretValidUntil }: Outputs['settings']['get']) {
  return (
    <Section
      title="Signing secret"
      description="Signs each event in the X-Webhook-Signature header. Revealing it is recorded in the audit log."
    >
      <Secret />
      {previousSecretValidUntil && (
        <Alert color="blue" icon={<Icon name="clock-hour-4" />} role="status">
          The previous secret works until <Timestamp at={previousSecretValidUntil} seconds />. Accept both until then.
        </Alert>
      )}
    </Section>
  )
}

/** The revealed secret is stored in this component's state only, never in a cache. */
function Secret() {
  const disabledReason = useDisabledReason('settings')
  const [secret, setSecret] = useState<string>()
  const reveal = useNotifyingMutation({
    mutation: useTrpc().settings.revealWebhookSecret.mutationOptions({ gcTime: 0 }),
    onSuccess: ({ webhookSecret }) => setSecret(webhookSecret),
  })
  const hide = () => {
    reveal.reset()
    setSecret(undefined)
  }
  return (
    <>
      {secret === undefined ? (
        <Text component="code" ff="monospace">
          whsec_••••••••••••••••••••••••
        </Text>
      ) : (
        <CopyBox key={secret} value={secret} label="signing secret" takesFocus />
      )}
      <Group gap="xs">
        <ActionButton
          variant="default"
          disabledReason={disabledReason}
          loading={reveal.isPending}
          leftSection={<Icon name={secret === undefined ? 'eye' : 'eye-off'} size={16} />}
          onClick={() => (secret === undefined ? reveal.mutate() : hide())}
        >
          {secret === undefined ? 'Reveal secret' : 'Hide secret'}
        </ActionButton>
        <RotateSecret onRotated={setSecret} />
      </Group>
      {reveal.error && <ErrorAlert error={reveal.error} />}
    </>
  )
}

function RotateSecret({ onRotated }: { onRotated: (secret: string) => void }) {
  const disabledReason = useDisabledReason('settings')
  const trpc = useTrpc()
  const queryClient = useQueryClient()
  const rotate = useConfirmedMutation({
    mutation: trpc.settings.rotateWebhookSecret.mutationOptions({ gcTime: 0 }),
    variables: () => undefined,
    successMessage: () => 'Secret rotated. Add the new secret to your receiver.',
    onSuccess: ({ webhookSecret }) => {
      onRotated(webhookSecret)
      return queryClient.invalidateQueries({ queryKey: trpc.settings.pathKey() })
    },
  })
  return (
    <>
      <ActionButton
        variant="default"
        disabledReason={disabledReason}
        leftSection={<Icon name="refresh" size={16} />}
        onClick={() => rotate.open()}
      >
        Rotate secret
      </ActionButton>
      <ConfirmDialog
        title="Rotate the signing secret?"
        confirmLabel="Rotate secret"
        isDestructive={false}
        {...rotate.dialog}
      >
        This generates and reveals a new secret. The current one stays valid for 24 hours, so that you can update your
        receiver without losing events. At most three secrets are valid at a time: rotating again invalidates the oldest
        immediately.
      </ConfirmDialog>
    </>
  )
}
