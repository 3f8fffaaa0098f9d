import { Alert, Button, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import '../theme/overlay-styles.ts'
import { useSignIn, useSignInState } from './sign-in-context.ts'

/** Above everything else. */
const zIndex = 1_000

/**
 * Covers the page until the user has signed in again, in a window of its own. Nothing on the page is lost: what was
 * typed stays, and calls that wait for the sign-in go on.
 */
export default function SessionEndedDialog() {
  const state = useSignInState()
  const { name, signInAgain, signInOnThisPage } = useSignIn()
  const [isBlocked, setBlocked] = useState(false)
  const [failure, setFailure] = useState<Error>()
  const signIn = () => {
    const signedIn = signInAgain()
    setBlocked(!signedIn)
    setFailure(undefined)
    signedIn?.catch(setFailure)
  }
  const opened = state === 'expired' || state === 'rejected'
  return (
    <Modal
      opened={opened}
      onClose={() => undefined}
      title="Your session has ended"
      zIndex={zIndex}
      closeOnEscape={false}
      closeOnClickOutside={false}
      withCloseButton={false}
    >
      <Stack>
        <Text size="sm">
          {state === 'rejected'
            ? `The service no longer accepts the sign-in of ${name}. Sign in again, or ask the operator of this service.`
            : `Sign in again as ${name} to continue. A window opens; this page stays as it is, with what you entered.`}
        </Text>
        {isBlocked && (
          <Alert color="orange" variant="light" title="The browser blocked the window" role="alert">
            <Stack gap="xs" align="flex-start">
              <Text size="sm">
                Allow pop-up windows for this site and try again, or sign in on this page. Then what you
                entered is lost.
              </Text>
              <Button variant="default" size="xs" onClick={() => signInOnThisPage()}>
                Sign in on this page
              </Button>
            </Stack>
          </Alert>
        )}
        {failure && (
          <Alert color="red" variant="light" title="The sign-in failed" role="alert">
            {failure.message}
          </Alert>
        )}
        <Button data-autofocus onClick={signIn}>
          Sign in again
        </Button>
      </Stack>
    </Modal>
  )
}
