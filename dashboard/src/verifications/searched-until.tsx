import { Alert, Button, Group } from '@mantine/core'
import { Timestamp } from '../components/timestamp.tsx'

interface Props {
  /** ISO 8601. */
  at: string
  isEmpty: boolean
  onContinue: () => void
}

/** For filters that match so rarely that one request does not search everything. */
export function SearchedUntil({ at, isEmpty, onContinue }: Props) {
  return (
    <Alert variant="light" color="gray" title={isEmpty ? 'No results so far' : undefined} role="note">
      <Group justify="space-between" gap="xs">
        <span>
          Searched back to <Timestamp at={at} />.
        </span>
        <Button variant="default" size="xs" onClick={onContinue}>
          Continue searching
        </Button>
      </Group>
    </Alert>
  )
}
