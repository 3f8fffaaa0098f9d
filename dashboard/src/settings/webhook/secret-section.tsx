import { Alert, Button, Group, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { CopyBox } from '../../components/copy-box.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Icon } from '../../components/icon.tsx'
import { useConfirmedMutation, useNotifyingMutation } from '../../components/mutations.ts'
import { focusOnMount, Section } from '../../components/page.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { useDisabledReason } from '../../session/session-context.ts'
import { type Outputs, useTrpc } from '../../trpc/trpc.ts'

/** The revealed secret is stored in this component's state only, never in a cache. */
export function SecretSection({ settings }: { settings: Outputs['settings']['get'] }) {
  const { hasWebhookSecret, previousSecretValidUntil } = settings
  const [secret, setSecret] = useState<string>()
  return (
    <Section
      title="Signing secret"
      description="Signs each event in the X-Webhook-Signature header. Revealing it is recorded in the audit log."
    >
      {hasWebhookSecret ? (
        <>
          <RevealSecret
            secret={secret}
            onSecret={setSecret}
            rotate={<RotateSecret onRotated={setSecret} />}
          />
          {previousSecretValidUntil && (
            <Alert color="blue" variant="light" icon={<Icon name="clock-hour-4" />} role="status">
              The previous secret works until <Timestamp at={previousSecretValidUntil} seconds />. Accept both
              until then.
            </Alert>
          )}
        </>
      ) : (
        <Text size="sm" c="dimmed">
          A secret is generated when you first save a webhook URL.
        </Text>
      )}
    </Section>
  )
}

interface RevealProps {
  secret: string | undefined
  onSecret: (secret: string | undefined) => void
  /** The button beside that which reveals it. */
  rotate: ReactNode
}

function RevealSecret({ secret, onSecret, rotate }: RevealProps) {
  const disabledReason = useDisabledReason('settings')
  const [wasHidden, setHidden] = useState(false)
  const reveal = useNotifyingMutation({
    mutation: useTrpc().settings.revealWebhookSecret.mutationOptions({ gcTime: 0 }),
    onSuccess: ({ webhookSecret }) => onSecret(webhookSecret),
  })
  const hide = () => {
    reveal.reset()
    setHidden(true)
    onSecret(undefined)
  }
  if (secret !== undefined) {
    return (
      <>
        <CopyBox key={secret} value={secret} label="signing secret" takesFocus />
        <Group>
          <Button variant="default" leftSection={<Icon name="eye-off" size={16} />} onClick={hide}>
            Hide secret
          </Button>
          {rotate}
        </Group>
      </>
    )
  }
  return (
    <>
      <Group justify="space-between" gap="0.5rem 1rem">
        <Text component="code" size="sm" ff="monospace">
          whsec_••••••••••••••••••••••••
        </Text>
        <Group gap="xs">
          <ActionButton
            variant="default"
            disabledReason={disabledReason}
            {...(wasHidden && { ref: focusOnMount })}
            loading={reveal.isPending}
            leftSection={<Icon name="eye" size={16} />}
            onClick={() => reveal.mutate()}
          >
            Reveal secret
          </ActionButton>
          {rotate}
        </Group>
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
        This generates and reveals a new secret. The current one stays valid for 24 hours, so that you can
        update your receiver without losing events. At most three secrets are valid at a time: rotating again
        invalidates the oldest immediately.
      </ConfirmDialog>
    </>
  )
}
