import { Alert, Button, Code, Stack, Text, Title } from '@mantine/core'
import { useEffect, useId, useRef, useState } from 'react'
import classes from './sign-in.module.css'
import { useSignIn, useSignInState } from './sign-in-context.ts'
import { explain } from './sign-in-page.tsx'

/**
 * Covers the page until the user has signed in again, in a window of its own. Nothing on the page is lost: what was
 * typed stays, and calls that wait for the sign-in go on. It is the browser's own dialog, above everything else, and part
 * of the first page: the session can also end when nothing more can be loaded.
 */
export function SessionEndedDialog() {
  const isEnded = useSignInState() !== 'signed-in'
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    if (!isEnded) return
    dialog.current?.showModal()
    // Returns the focus.
    return () => dialog.current?.close()
  }, [isEnded])
  // Some browsers let the user close it nevertheless.
  const onClose = () => isEnded && dialog.current?.showModal()
  return (
    <dialog ref={dialog} className={classes.dialog} aria-labelledby={titleId} closedby="none" onClose={onClose}>
      {isEnded && (
        <Stack>
          <Title order={2} size="md" id={titleId}>
            Your session has ended
          </Title>
          <SignInAgain />
        </Stack>
      )}
    </dialog>
  )
}

function SignInAgain() {
  const state = useSignInState()
  const { name, signInAgain, signInOnThisPage, renewalError } = useSignIn()
  const [isBlocked, setBlocked] = useState(false)
  const isClockWrong = renewalError?.code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED'
  const [failure, setFailure] = useState<Error | undefined>(isClockWrong ? renewalError : undefined)
  const signIn = () => {
    const signedIn = signInAgain()
    setBlocked(!signedIn)
    setFailure(undefined)
    signedIn?.catch(setFailure)
  }
  return (
    <>
      <Text>
        {state === 'rejected'
          ? `The service no longer accepts the sign-in of ${name}. Sign in again, or ask the operator of this service.`
          : `Sign in again as ${name} to continue. A window opens; this page stays as it is, with what you entered.`}
      </Text>
      {isBlocked && (
        <Alert color="orange" title="The browser blocked the window">
          <Stack gap="xs" align="flex-start">
            <Text>
              Allow pop-up windows for this site and try again, or sign in on this page. Then what you entered is lost.
            </Text>
            <Button variant="default" size="xs" onClick={() => signInOnThisPage()}>
              Sign in on this page
            </Button>
          </Stack>
        </Alert>
      )}
      {failure && (
        <Alert color="red" title={explain(failure).title}>
          <Text mb="xs">{explain(failure).text}</Text>
          <Code block className={classes.message}>
            {failure.message}
          </Code>
        </Alert>
      )}
      <Button onClick={signIn}>Sign in again</Button>
    </>
  )
}
