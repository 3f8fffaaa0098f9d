import { Modal } from '@mantine/core'
import { useState } from 'react'
import { CreateKeyForm } from './create-key-form.tsx'
import { RevealKey } from './reveal-key.tsx'

interface Props {
  opened: boolean
  onClose: () => void
}

/** Two steps in one dialog: what key, and then the key itself, once. Closing the second asks. */
export function CreateKeyDialog({ opened, onClose }: Props) {
  const [apiKey, setApiKey] = useState<string>()
  const [asked, setAsked] = useState(false)
  const done = () => {
    onClose()
    setApiKey(undefined)
    setAsked(false)
  }
  return (
    <Modal
      opened={opened}
      onClose={apiKey === undefined ? done : () => setAsked(true)}
      title={apiKey === undefined ? 'Create an API key' : 'Your new API key'}
      size="lg"
    >
      {apiKey === undefined ? (
        <CreateKeyForm onCreated={setApiKey} onCancel={done} />
      ) : (
        <RevealKey apiKey={apiKey} asked={asked} onStay={() => setAsked(false)} onDone={done} />
      )}
    </Modal>
  )
}
