import { Button, Modal, Stack, Text } from '@mantine/core'
import { useSignIn } from './sign-in-context.ts'

/** Over whatever is on the page, which stays readable and is come back to. */
export function SignInEnded({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { signInAgain } = useSignIn()
  return (
    <Modal opened={opened} onClose={onClose} title="Your sign-in has ended">
      <Stack>
        <Text size="sm">The service no longer accepts it. Sign in again to go on where you were.</Text>
        <Button data-autofocus onClick={() => signInAgain()}>
          Sign in again
        </Button>
      </Stack>
    </Modal>
  )
}
