import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { mayPass, toDomainError } from '../console/refusal.ts'
import { CopyableText } from '../copy/copyable-text.tsx'
import { explainRefusal } from './explain-refusal.ts'

interface Props {
  error: unknown
  onRetry?: () => void
}

/** Says what happened, what to do, and under which id the service knows it. */
export function RefusalAlert({ error, onRetry }: Props) {
  const refusal = toDomainError(error)
  const { title, advice } = explainRefusal(refusal)
  return (
    <Alert color="red" variant="light" title={title} icon={<IconAlertTriangle aria-hidden />} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {refusal.message} {advice}
        </Text>
        {refusal.issues.length > 0 && (
          <ul>
            {refusal.issues.map(issue => (
              <li key={`${issue.path} ${issue.message}`}>
                {issue.path && <b>{issue.path}: </b>}
                {issue.message}
              </li>
            ))}
          </ul>
        )}
        {refusal.requestId && (
          <Group gap="xs">
            <Text size="sm">Request id</Text>
            <CopyableText value={refusal.requestId} label="request id" />
          </Group>
        )}
        {onRetry && mayPass(refusal) && (
          <Button variant="default" size="xs" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  )
}
