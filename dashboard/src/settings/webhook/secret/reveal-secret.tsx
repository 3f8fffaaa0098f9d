import { Group, Text } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useConsole } from '../../../console/console.ts'
import { CopyBox } from '../../../copy/copy-box.tsx'
import { GuardedButton } from '../../../feedback/guarded-button.tsx'
import { ObstacleNote } from '../../../feedback/obstacle-note.tsx'
import { RefusalAlert } from '../../../feedback/refusal-alert.tsx'
import { useObstacle } from '../../../session/rights.ts'
import classes from './reveal-secret.module.css'

interface Props {
  secret: string | undefined
  onSecret: (secret: string | undefined) => void
}

export function RevealSecret({ secret, onSecret }: Props) {
  const obstacle = useObstacle('settings')
  const reveal = useMutation(
    useConsole().settings.revealWebhookSecret.mutationOptions({
      gcTime: 0,
      onSuccess: ({ webhookSecret }) => onSecret(webhookSecret),
    }),
  )
  const hide = () => {
    reveal.reset()
    onSecret(undefined)
  }
  if (secret !== undefined) {
    return (
      <>
        <CopyBox value={secret} label="signing secret" />
        <Group>
          <GuardedButton
            variant="default"
            obstacle={undefined}
            leftSection={<IconEyeOff size={16} aria-hidden />}
            onClick={hide}
          >
            Hide secret
          </GuardedButton>
        </Group>
      </>
    )
  }
  return (
    <>
      <div className={classes.masked}>
        <code>whsec_••••••••••••••••••••••••</code>
        <GuardedButton
          variant="default"
          obstacle={obstacle}
          loading={reveal.isPending}
          leftSection={<IconEye size={16} aria-hidden />}
          onClick={() => reveal.mutate()}
        >
          Reveal secret
        </GuardedButton>
      </div>
      <ObstacleNote obstacle={obstacle} />
      {obstacle === undefined && (
        <Text size="sm" c="dimmed">
          Revealing it is written into the audit log.
        </Text>
      )}
      {reveal.error && <RefusalAlert error={reveal.error} />}
    </>
  )
}
