import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { CopyBox } from '../../copy/copy-box.tsx'

interface Props {
  apiKey: string
  /** Whether the user was about to close the dialog, and is asked if they mean it. */
  asked: boolean
  onStay: () => void
  onDone: () => void
}

export function RevealKey({ apiKey, asked, onStay, onDone }: Props) {
  return (
    <Stack>
      <Text size="sm">
        This is the only time that it is shown: the service keeps nothing that it could be read from. Store it
        now, in your secret manager for example.
      </Text>
      <CopyBox value={apiKey} label="API key" />
      {asked ? (
        <Alert color="orange" variant="light" role="alert" title="Have you stored the key?">
          <Text size="sm" mb="sm">
            Once this is closed, it can not be shown again. A lost key is replaced by creating a new one.
          </Text>
          <Group>
            <Button variant="default" autoFocus onClick={onStay}>
              Show it a little longer
            </Button>
            <Button color="red.9" onClick={onDone}>
              Close for good
            </Button>
          </Group>
        </Alert>
      ) : (
        <Group justify="flex-end">
          <Button data-autofocus onClick={onDone}>
            I have stored it
          </Button>
        </Group>
      )}
    </Stack>
  )
}
