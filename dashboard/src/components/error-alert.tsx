import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { describeError, isRetryable, isServerError, toConsoleError } from './console-error.ts'
import { CopyableText } from './copyable-text.tsx'
import { formatDuration } from './format-number.ts'
import { Icon } from './icon.tsx'
import { useSecondsLeft } from './timestamp.tsx'

interface Props {
  error: unknown
  /** Of a failed read; what a failed form does again is its own button. */
  onRetry?: () => void
}

/** Describes a failed call, with advice, and with what finds it in the logs of the service, or of what is in front of it. */
export function ErrorAlert({ error, onRetry }: Props) {
  const consoleError = toConsoleError(error)
  const { code, foreign, message, issues, requestId, retryAfterSeconds = 0 } = consoleError
  const secondsLeft = useSecondsLeft(error, retryAfterSeconds)
  const { title, advice } = describeError(consoleError)
  const others = issues.filter(issue => issue.message !== message)
  return (
    <Alert color="red" title={title} icon={<Icon name="alert-triangle" />}>
      <Stack gap="xs" align="flex-start">
        <Text>
          {message} {advice}
          {code === undefined && !onRetry && ' Your input is still here.'}
          {secondsLeft > 0 && <span aria-hidden> You can try again in {formatDuration(secondsLeft)}.</span>}
        </Text>
        {others.length > 0 && (
          <ul>
            {others.map(issue => (
              <li key={`${issue.path} ${issue.message}`}>
                {issue.path && <b>{issue.path}: </b>}
                {issue.message}
              </li>
            ))}
          </ul>
        )}
        {requestId && isServerError(consoleError) && <Trace name="request ID" value={requestId} />}
        {foreign && <Trace name="response" value={foreign.message} />}
        {onRetry && (isRetryable(consoleError) || foreign) && (
          <Button
            variant="default"
            size="xs"
            disabled={secondsLeft > 0}
            onClick={foreign?.isPassing === false ? () => window.location.reload() : onRetry}
          >
            {foreign?.isPassing === false ? 'Load the page again' : 'Try again'}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

/** Names a failed call to who can look for its cause. */
function Trace({ name, value }: { name: string; value: string }) {
  return (
    <Group gap="xs">
      <Text tt="capitalize">{name}</Text>
      <CopyableText value={value} label={name} />
    </Group>
  )
}
