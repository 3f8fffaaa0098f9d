import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { CopyBox } from '../components/copy-box.tsx'
import { CreateKeyForm } from './create-key-form.tsx'

interface DialogProps {
  opened: boolean
  onClose: () => void
}

/** Shows the form and then, once, the new key. Closing the dialog before the user confirms asks again. */
export function CreateKeyDialog({ opened, onClose }: DialogProps) {
  const [apiKey, setApiKey] = useState<string>()
  const [isConfirming, setConfirming] = useState(false)
  const reset = () => {
    setApiKey(undefined)
    setConfirming(false)
  }
  return (
    <Modal
      opened={opened}
      onClose={apiKey === undefined ? onClose : () => setConfirming(true)}
      onExitTransitionEnd={reset}
      title={apiKey === undefined ? 'Create API key' : 'Save your API key'}
      size="lg"
    >
      {apiKey === undefined ? (
        <CreateKeyForm onCreated={setApiKey} onCancel={onClose} />
      ) : (
        <NewKey
          apiKey={apiKey}
          isConfirming={isConfirming}
          onBack={() => setConfirming(false)}
          onDone={onClose}
        />
      )}
    </Modal>
  )
}

interface NewKeyProps {
  apiKey: string
  /** Asks whether the key is stored, because the user tried to close the dialog. */
  isConfirming: boolean
  onBack: () => void
  onDone: () => void
}

function NewKey({ apiKey, isConfirming, onBack, onDone }: NewKeyProps) {
  return (
    <Stack>
      <Text size="sm">
        Store this key now, such as in your secret manager. For security, the service stores only a hash and
        can't show the key again.
      </Text>
      <CopyBox value={apiKey} label="API key" />
      {isConfirming ? (
        <Alert color="orange" variant="light" role="alert" title="Have you stored the key?">
          <Text size="sm" mb="sm">
            You won't be able to see it again. If you lose it, create a new one.
          </Text>
          <Group>
            <Button variant="default" autoFocus onClick={onBack}>
              Back to the key
            </Button>
            <Button color="red.9" onClick={onDone}>
              Close anyway
            </Button>
          </Group>
        </Alert>
      ) : (
        <Group justify="flex-end">
          <Button data-autofocus onClick={onDone}>
            I've stored the key
          </Button>
        </Group>
      )}
    </Stack>
  )
}
