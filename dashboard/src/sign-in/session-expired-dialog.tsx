import { Button, Modal, Stack, Text } from '@mantine/core'
import { useSignIn } from './sign-in-context.ts'

/** Shown over the current page, to which the user returns after signing in. */
export function SessionExpiredDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { signInAgain } = useSignIn()
  return (
    <Modal opened={opened} onClose={onClose} title="Your session has expired">
      <Stack>
        <Text size="sm">Sign in again to continue where you left off.</Text>
        <Button data-autofocus onClick={() => signInAgain()}>
          Sign in again
        </Button>
      </Stack>
    </Modal>
  )
}
