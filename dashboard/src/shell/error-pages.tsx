import { Button, Group, Text } from '@mantine/core'
import { IconMapQuestion } from '@tabler/icons-react'
import { useEffect } from 'react'
import { Link, useRouteError } from 'react-router'
import { EmptyState } from '../components/empty-state.tsx'
import { Page } from '../components/page.tsx'
import { useOnline } from '../components/use-online.ts'

/** For a page that threw an error, or whose code could not be loaded: offline, or after an update of the dashboard. */
export function ErrorPage() {
  const error = useRouteError()
  const isOnline = useOnline()
  if (isLoadError(error)) return isOnline ? <Updated /> : <Offline />
  return (
    <Page title="Something went wrong">
      <Text>{error instanceof Error ? error.message : 'An unexpected error occurred.'}</Text>
      <ReloadButton />
    </Page>
  )
}

/** Loads the page again as soon as that can work. */
function Offline() {
  useEffect(() => {
    const reload = () => window.location.reload()
    window.addEventListener('online', reload)
    return () => window.removeEventListener('online', reload)
  }, [])
  return (
    <Page title="You are offline">
      <Text>This page was not loaded yet. It opens when you are online again.</Text>
    </Page>
  )
}

const reloadedKey = 'age-verification.reloaded'
/** A second failure this soon is no update. */
const reloadAgainAfterMs = 60_000

/** The file of a page is gone after an update: the reloaded dashboard knows the new one. */
function Updated() {
  const reloadedAt = Number(sessionStorage.getItem(reloadedKey) ?? 0)
  const isRepeated = Date.now() - reloadedAt < reloadAgainAfterMs
  useEffect(() => {
    if (isRepeated) return
    sessionStorage.setItem(reloadedKey, String(Date.now()))
    window.location.reload()
  }, [isRepeated])
  return (
    <Page title={isRepeated ? 'This page could not be loaded' : 'Updating the dashboard'}>
      <Text>
        {isRepeated ? 'The service did not respond. Check your connection and try again.' : 'One moment …'}
      </Text>
      {isRepeated && <ReloadButton />}
    </Page>
  )
}

/** Each browser has its own words for a module that it could not load. */
function isLoadError(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|importing a module|module script|preload CSS/i.test(error.message)
  )
}

function ReloadButton() {
  return (
    <Group>
      <Button onClick={() => window.location.reload()}>Reload</Button>
    </Group>
  )
}

export function NotFoundPage() {
  return (
    <Page title="Page not found">
      <EmptyState
        Icon={IconMapQuestion}
        title="This page doesn't exist"
        description="The link may be outdated or mistyped."
      >
        <Button component={Link} to="/">
          Go to overview
        </Button>
      </EmptyState>
    </Page>
  )
}
