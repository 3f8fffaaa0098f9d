import { Button, Code, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { usePageTitle } from '../components/page.tsx'
import { Wordmark } from '../shell/wordmark.tsx'
import { IssuerRefused, IssuerUnreachable } from './issuer.ts'
import classes from './sign-in-page.module.css'

interface Props {
  title: string
  children?: ReactNode
}

/** The layout of pages without the navigation. */
export function SignInPage({ title, children }: Props) {
  usePageTitle(title)
  return (
    <main className={classes.page}>
      <Stack className={classes.card} gap="md">
        <Wordmark />
        <Title order={1} size="h3">
          {title}
        </Title>
        {children}
      </Stack>
    </main>
  )
}

export function SignedOut() {
  return (
    <SignInPage title="You are signed out">
      <Button component="a" href="/dashboard/">
        Sign in
      </Button>
    </SignInPage>
  )
}

export function SignInFailed({ error }: { error: unknown }) {
  return (
    <SignInPage title="Sign-in failed">
      <Text>{explain(error)}</Text>
      <Code block>{error instanceof Error ? error.message : String(error)}</Code>
      <Button component="a" href="/dashboard/">
        Try again
      </Button>
    </SignInPage>
  )
}

function explain(error: unknown): string {
  if (error instanceof IssuerRefused && error.code === 'access_denied') {
    return 'The sign-in was cancelled, or the sign-in provider denied you access to this dashboard.'
  }
  if (error instanceof TypeError || error instanceof IssuerUnreachable) {
    return 'The service or its sign-in provider is unreachable. Check your connection and try again.'
  }
  return 'The sign-in provider returned an error, or this sign-in link has expired. Try again. If the problem persists, send the message below to the operator of this service.'
}
