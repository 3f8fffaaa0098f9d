import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { CopyBox } from './copy-box.tsx'
import { Dialog } from './dialog.tsx'
import { focusOnMount } from './page.tsx'
import { useLeaveBlocker } from './unsaved-changes.tsx'

interface Words {
  /** The dialog's title while the secret is shown. */
  title: string
  /** What it is, as in "Copy API key" and "Have you stored the key?". */
  label: string
  noun: string
  stored: string
  about: string
  /** What it means to lose it. */
  loss: string
  /** Beside the button that says that it is stored. */
  action?: ReactNode
}

export interface SecretDialogProps {
  opened: boolean
  onClose: () => void
  title?: string
  /** The form that creates the secret, or one that was created already. */
  children?: (onCreated: (secret: string) => void) => ReactNode
  secret?: string
}

/**
 * Shows a form and then, once, the secret that it created. While that is shown, closing the dialog, leaving the page and
 * closing the tab ask first.
 */
export function SecretDialog({ opened, onClose, words, ...form }: SecretDialogProps & { words: Words }) {
  const { title, children, secret } = form
  const [shown, setShown] = useState(secret === undefined ? undefined : { secret, isClosing: false })
  return (
    <Dialog
      opened={opened}
      onClose={shown ? () => setShown({ ...shown, isClosing: true }) : onClose}
      onExitTransitionEnd={() => setShown(undefined)}
      title={shown ? words.title : title}
      size="lg"
    >
      {shown ? (
        <NewSecret {...shown} words={words} onBack={() => setShown({ ...shown, isClosing: false })} onDone={onClose} />
      ) : (
        children?.(secret => setShown({ secret, isClosing: false }))
      )}
    </Dialog>
  )
}

interface NewSecretProps {
  secret: string
  words: Words
  /** The user tried to close the dialog, which first asks whether the secret is stored. */
  isClosing: boolean
  onBack: () => void
  onDone: () => void
}

function NewSecret({ secret, words, isClosing, onBack, onDone }: NewSecretProps) {
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
      <Text>{words.about}</Text>
      <CopyBox value={secret} label={words.label} takesFocus={!isConfirming} />
      {isConfirming ? (
        <Alert color="orange" title={`Have you ${words.stored} the ${words.noun}?`}>
          <Text mb="sm">{words.loss}</Text>
          <Group>
            <Button variant="default" ref={focusOnMount} onClick={goBack}>
              Back to the {words.noun}
            </Button>
            <Button color="red.9" onClick={close}>
              Close anyway
            </Button>
          </Group>
        </Alert>
      ) : (
        <Group justify="flex-end">
          {words.action}
          <Button onClick={onDone}>
            I've {words.stored} the {words.noun}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
