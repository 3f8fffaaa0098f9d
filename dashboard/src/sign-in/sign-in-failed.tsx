import { Button, Code, Text } from '@mantine/core'
import { ErrorResponse } from 'oidc-client-ts'
import { SignInPage } from './sign-in-page.tsx'

export function SignInFailed({ error }: { error: unknown }) {
  return (
    <SignInPage title="Signing in did not work">
      <Text>{whatHappened(error)}</Text>
      <Code block>{error instanceof Error ? error.message : String(error)}</Code>
      <Button component="a" href="/dashboard/">
        Try again
      </Button>
    </SignInPage>
  )
}

function whatHappened(error: unknown): string {
  if (error instanceof ErrorResponse && error.error === 'access_denied') {
    return 'The sign-in was cancelled, or the sign-in provider does not let you use this dashboard.'
  }
  if (error instanceof TypeError) {
    return 'The service or its sign-in provider can not be reached. Check the connection and try again.'
  }
  return 'The sign-in provider refused, or this page was opened from a sign-in that is over. Try again; if it keeps failing, tell whoever runs this service what it says here.'
}
