import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useRouteError } from 'react-router'
import { EmptyPage } from '../components/empty-state.tsx'
import { Page } from '../components/page.tsx'
import { useOnline } from '../components/query-state.tsx'
import { store } from '../components/store.ts'

/** For a page that threw an error, or whose code could not be loaded. */
export function ErrorPage() {
  const error = useRouteError()
  const text = error instanceof Error ? error.message : 'An unexpected error occurred.'
  if (loadError.test(text)) return <LoadFailedPage />
  return <Message title="Something went wrong" text={text} hasReload />
}

const loadError = /dynamically imported module|importing a module|module script|preload CSS/i

export function NotFoundPage() {
  return (
    <EmptyPage
      title="Page not found"
      description="The link may be outdated or mistyped."
      to="/"
      link="Go to overview"
    />
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
  const isMissing = responds === true && isRepeated && !wasAway.current
  const isReady = responds === true && isOnline && !isMissing
  useEffect(() => {
    if (!isReady) return
    // Not without a note of it, which ends a series of reloads.
    if (wasAway.current || store(sessionStorage, reloadedKey, String(Date.now()))) window.location.reload()
  }, [isReady])
  if (!isOnline) return <Message title="You are offline" text={`${waiting} you are online again.`} />
  if (responds === false) {
    return <Message title="The service is unreachable" text={`${waiting} the service responds.`} />
  }
  if (isMissing) return <Message title="This page could not be loaded" text={fileMissing} hasReload />
  return <Message title="Loading the page" text="One moment …" />
}

const waiting = 'This page was not loaded yet. It opens when'

const fileMissing =
  "A file of the dashboard is missing on the service, as during an update. Try again in a minute. If that doesn't help, contact the operator of this service."

function Message({ title, text, hasReload = false }: { title: string; text: string; hasReload?: boolean }) {
  return (
    <Page title={title}>
      <Text>{text}</Text>
      {hasReload && (
        <Group>
          <Button onClick={() => window.location.reload()}>Reload</Button>
        </Group>
      )}
    </Page>
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
async function serviceResponds(signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(window.location.href, {
      method: 'HEAD',
      cache: 'no-store',
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    return response.status < 500 && response.status !== 429
  } catch {
    return false
  }
}
