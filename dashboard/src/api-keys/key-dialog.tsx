import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { CopyBox } from '../components/copy-box.tsx'
import { Dialog } from '../components/dialog.tsx'
import { focusOnMount } from '../components/page.tsx'
import { useLeaveBlocker } from '../components/unsaved-changes.tsx'

interface DialogProps {
  opened: boolean
  onClose: () => void
  title: string
  /** The form that creates a key. */
  children: (onCreated: (apiKey: string) => void) => ReactNode
}

/**
 * Shows a form and then, once, the key that it created. While the key is shown, closing the dialog, leaving the page and
 * closing the tab ask first.
 */
export function KeyDialog({ opened, onClose, title, children }: DialogProps) {
  const [apiKey, setApiKey] = useState<string>()
  const [isClosing, setClosing] = useState(false)
  const reset = () => {
    setApiKey(undefined)
    setClosing(false)
  }
  return (
    <Dialog
      opened={opened}
      onClose={apiKey === undefined ? onClose : () => setClosing(true)}
      onExitTransitionEnd={reset}
      title={apiKey === undefined ? title : 'Save your API key'}
      size="lg"
    >
      {apiKey === undefined ? (
        children(setApiKey)
      ) : (
        <NewKey apiKey={apiKey} isClosing={isClosing} onBack={() => setClosing(false)} onDone={onClose} />
      )}
    </Dialog>
  )
}

interface NewKeyProps {
  apiKey: string
  /** The user tried to close the dialog, which first asks whether the key is stored. */
  isClosing: boolean
  onBack: () => void
  onDone: () => void
}

function NewKey({ apiKey, isClosing, onBack, onDone }: NewKeyProps) {
  const blocker = useLeaveBlocker(true)
  const isConfirming = isClosing || blocker.state === 'blocked'
  const goBack = () => {
    blocker.reset?.()
    onBack()
  }
  const close = () => {
    onDone()
    blocker.proceed?.()
  }
  return (
    <Stack>
      <Text>
        Store this key now, such as in your secret manager, and never in a browser, an app or version control. The
        service stores only a hash and can't show the key again.
      </Text>
      <CopyBox value={apiKey} label="API key" takesFocus={!isConfirming} />
      {isConfirming ? (
        <Alert color="orange" title="Have you stored the key?">
          <Text mb="sm">You won't be able to see it again. If you lose it, create a new one.</Text>
          <Group>
            <Button variant="default" ref={focusOnMount} onClick={goBack}>
              Back to the key
            </Button>
            <Button color="red.9" onClick={close}>
              Close anyway
            </Button>
          </Group>
        </Alert>
      ) : (
        <Group justify="flex-end">
          <Button onClick={onDone}>I've stored the key</Button>
        </Group>
      )}
    </Stack>
  )
}
