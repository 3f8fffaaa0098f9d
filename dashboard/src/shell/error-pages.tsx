import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link, useRouteError } from 'react-router'
import { EmptyState } from '../components/empty-state.tsx'
import { Page } from '../components/page.tsx'
import { useOnline } from '../components/query-state.tsx'
import { store } from '../components/store.ts'

/** For a page that threw an error, or whose code could not be loaded. */
export function ErrorPage() {
  const error = useRouteError()
  if (isLoadError(error)) return <LoadFailedPage />
  return (
    <Page title="Something went wrong">
      <Text size="sm">{error instanceof Error ? error.message : 'An unexpected error occurred.'}</Text>
      <ReloadButton />
    </Page>
  )
}

function isLoadError(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|importing a module|module script|preload CSS/i.test(error.message)
  )
}

export function NotFoundPage() {
  return (
    <Page title="Page not found">
      <EmptyState
        icon="map-question"
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

const checkAgainAfterMs = 5_000

/**
 * For a page whose code could not be loaded. It says why, and loads the page again, at the same URL, as soon as that can
 * work: when the browser is online again, when the service responds again, or at once if the code is gone because the
 * dashboard was updated.
 */
function LoadFailedPage() {
  const isOnline = useOnline()
  const { data: responds } = useQuery({
    queryKey: ['service-responds'],
    queryFn: ({ signal }) => serviceResponds(signal),
    enabled: isOnline,
    refetchInterval: ({ state }) => (state.data ? false : checkAgainAfterMs),
    staleTime: 0,
    gcTime: 0,
  })
  const [isRepeated] = useState(wasReloaded)
  const wasAway = useRef(false)
  if (!isOnline || responds === false) wasAway.current = true
  if (!isOnline) return <Away title="You are offline" opens="when you are online again" />
  if (responds === false) return <Away title="The service is unreachable" opens="when the service responds" />
  if (responds && !wasAway.current && isRepeated) return <FileMissing />
  return <Reloading isReady={responds === true} isUpdate={!wasAway.current} />
}

function Away({ title, opens }: { title: string; opens: string }) {
  return (
    <Page title={title}>
      <Text size="sm">This page was not loaded yet. It opens {opens}.</Text>
    </Page>
  )
}

function Reloading({ isReady, isUpdate }: { isReady: boolean; isUpdate: boolean }) {
  useEffect(() => {
    if (!isReady) return
    // Not without a note of it, which ends a series of reloads.
    if (!isUpdate || store(sessionStorage, reloadedKey, String(Date.now()))) window.location.reload()
  }, [isReady, isUpdate])
  return (
    <Page title={isUpdate && isReady ? 'Updating the dashboard' : 'Loading the page'}>
      <Text size="sm">One moment …</Text>
    </Page>
  )
}

function FileMissing() {
  return (
    <Page title="This page could not be loaded">
      <Text size="sm">
        A file of the dashboard is missing on the service, as during an update. Try again in a minute. If that
        doesn't help, contact the operator of this service.
      </Text>
      <ReloadButton />
    </Page>
  )
}

function ReloadButton() {
  return (
    <Group>
      <Button onClick={() => window.location.reload()}>Reload</Button>
    </Group>
  )
}

const reloadedKey = 'age-verification.reloaded'
/** A second failure this soon is no update: the reloaded dashboard knows the files of the new one. */
const reloadAgainAfterMs = 60_000

function wasReloaded(): boolean {
  return Date.now() - Number(sessionStorage.getItem(reloadedKey) ?? 0) < reloadAgainAfterMs
}

/** No response for so long is none at all. */
const timeoutMs = 10_000

/**
 * Whether there is a page of the dashboard: of the service, or one by which something in front of it lets the user in,
 * which a reload shows.
 */
async function serviceResponds(signal?: AbortSignal): Promise<boolean> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(window.location.href, {
      method: 'HEAD',
      cache: 'no-store',
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    return response.status < 500 && response.status !== 429
  } catch {
    return false
  }
}
