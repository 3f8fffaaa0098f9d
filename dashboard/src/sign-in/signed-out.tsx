import { Button, Text } from '@mantine/core'
import { SignInPage } from './sign-in-page.tsx'

export function SignedOut() {
  return (
    <SignInPage title="You are signed out">
      <Text c="dimmed">Your tokens were in this page's memory only, and are gone with it.</Text>
      <Button component="a" href="/dashboard/">
        Sign in
      </Button>
    </SignInPage>
  )
}
