import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Wordmark } from '../shell/wordmark.tsx'
import classes from './sign-in-page.module.css'

interface Props {
  title: string
  children?: ReactNode
}

/** The frame of what is shown to a user who is not signed in. */
export function SignInPage({ title, children }: Props) {
  return (
    <main className={classes.page}>
      <title>{`${title} · Age verification`}</title>
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

export function SigningIn() {
  return (
    <main className={classes.page}>
      <title>Signing in · Age verification</title>
      <Text className={classes.late} c="dimmed" role="status">
        Signing in …
      </Text>
    </main>
  )
}
