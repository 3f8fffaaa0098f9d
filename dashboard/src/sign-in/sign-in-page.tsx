import { Button, Code, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { remedyOf } from '../components/console-error.ts'
import { ForeignResponse } from '../components/foreign-response.ts'
import { usePageTitle } from '../components/page.tsx'
import { Wordmark } from '../components/wordmark.tsx'
import { IssuerRefused, IssuerUnreachable } from './issuer.ts'
import classes from './sign-in.module.css'

/** The layout of pages without the navigation: like that of the pages of `server/pages/html/simple-page.ts`. */
export function SignInPage({ title, children }: { title: string; children: ReactNode }) {
  usePageTitle(title)
  return (
    <div className={classes.page}>
      <Group component="header" c="var(--frame-text)">
        <Wordmark />
      </Group>
      <Stack component="main" className={classes.card} gap="md">
        <Title order={1}>{title}</Title>
        {children}
      </Stack>
    </div>
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
  const { title, text } = explain(error)
  return (
    <SignInPage title={title}>
      <Text>{text}</Text>
      <Code block className={classes.message}>
        {error instanceof Error ? error.message : String(error)}
      </Code>
      {/* Not a link: an invitation is in the fragment of its URL, which is kept only by loading the page again. */}
      <Button onClick={() => window.location.reload()}>Try again</Button>
    </SignInPage>
  )
}

export function explain(error: unknown): { title: string; text: string } {
  if (error instanceof IssuerUnreachable) {
    const check = 'Check your connection and try again. If that does not help, tell the operator of this service.'
    const text = error.cause instanceof ForeignResponse ? remedyOf(error.cause) : check
    return { title: 'The sign-in provider is unreachable', text }
  }
  const code = error instanceof IssuerRefused ? error.code : error instanceof DOMException ? error.name : ''
  return (
    explanations[code] ?? {
      title: 'The sign-in failed',
      text: 'Try again. If the problem persists, send this message to the operator of this service:',
    }
  )
}

/** By the code of the issuer's response, or of the library that validates it; by the name of the browser's error. */
const explanations: Record<string, { title: string; text: string }> = {
  access_denied: {
    title: 'You are not signed in',
    text: 'The sign-in was cancelled, or the sign-in provider denied you access to this dashboard.',
  },
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: {
    title: "This device's clock is wrong",
    text: 'It differs from the right time by more than a day. Set the date and time, then try again.',
  },
  QuotaExceededError: {
    title: "This browser's storage is full",
    text: "Delete this site's data in the browser's settings, or make room on this device, then try again.",
  },
}
