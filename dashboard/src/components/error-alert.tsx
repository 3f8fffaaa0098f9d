import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { describeError, isRetryable, isServerError, toConsoleError } from './console-error.ts'
import { CopyableText } from './copyable-text.tsx'
import { Icon } from './icon.tsx'
import { useSecondsLeft } from './timestamp.tsx'

interface Props {
  error: unknown
  /** Of a failed read; what a failed form does again is its own button. */
  onRetry?: () => void
}

/** Describes a failed call, with advice, and with the request ID where the service failed. */
export function ErrorAlert({ error, onRetry }: Props) {
  const consoleError = toConsoleError(error)
  const { message, issues, requestId, retryAfterSeconds = 0 } = consoleError
  const secondsLeft = useSecondsLeft(error, retryAfterSeconds)
  const { title, advice } = describeError(consoleError)
  return (
    <Alert color="red" variant="light" title={title} icon={<Icon name="alert-triangle" />} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {message} {advice}
          {consoleError.code === undefined && !onRetry && ' Your input is still here.'}
          {secondsLeft > 0 && <span aria-hidden> You can try again in {secondsLeft} s.</span>}
        </Text>
        {issues.length > 0 && (
          <ul>
            {issues.map(issue => (
              <li key={`${issue.path} ${issue.message}`}>
                {issue.path && <b>{issue.path}: </b>}
                {issue.message}
              </li>
            ))}
          </ul>
        )}
        {requestId && isServerError(consoleError) && (
          <Group gap="xs">
            <Text size="sm">Request ID</Text>
            <CopyableText value={requestId} label="request ID" />
          </Group>
        )}
        {onRetry && isRetryable(consoleError) && (
          <Button variant="default" size="xs" disabled={secondsLeft > 0} onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  )
}
