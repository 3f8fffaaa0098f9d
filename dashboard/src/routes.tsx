import type { ComponentType } from 'react'
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router'
import { OverviewPage } from './overview/overview-page.tsx'
import { RequireTenant, TenantRedirect } from './session/require-tenant.tsx'
import { SessionProvider } from './session/session-provider.tsx'
import { ErrorPage, NotFoundPage } from './shell/error-pages.tsx'
import { Shell } from './shell/shell.tsx'
import { ShellPlaceholder } from './shell/shell-placeholder.tsx'

/**
 * The pages by their paths below `/dashboard`. Call this after the sign-in, which restores the URL that the router
 * reads when it is created.
 */
export function createRouter() {
  const element = <SessionProvider loading={<ShellPlaceholder />} />
  return createBrowserRouter([{ element, ErrorBoundary: ErrorPage, children: [shell] }], { basename: '/dashboard' })
}

/** The pages of a tenant whose code is loaded when they are first opened. */
const lazyPages = {
  'first-steps': async () => (await import('./first-steps/first-steps-page.tsx')).FirstStepsPage,
  'verifications/:verificationId?': async () =>
    (await import('./verifications/verifications-page.tsx')).VerificationsPage,
  'api-keys': async () => (await import('./api-keys/api-keys-page.tsx')).ApiKeysPage,
  settings: async () => (await import('./settings/general-page.tsx')).GeneralPage,
  'settings/webhook': async () => (await import('./settings/webhook/webhook-page.tsx')).WebhookPage,
  'settings/members': async () => (await import('./settings/members/members-page.tsx')).MembersPage,
  billing: async () => (await import('./billing/billing-page.tsx')).BillingPage,
  'audit-log': async () => (await import('./audit-log/audit-log-page.tsx')).AuditLogPage,
}

/** Loads the code of a page while the user is signed in. A failure is reported when the page is opened. */
export function preloadPage(pathname: string): void {
  const page = Object.entries(lazyPages).findLast(([path]) => pathname.includes(`/${path.split('/:')[0]}`))
  page?.[1]().catch(() => undefined)
}

const lazy = (load: () => Promise<ComponentType>) => async () => ({ Component: await load() })

/** The overview is most users' first page. */
const tenantPages: RouteObject[] = [
  { index: true, Component: TenantRedirect },
  { path: 'overview', Component: OverviewPage },
  { path: 'settings/general', element: <Navigate to=".." relative="path" replace /> },
  ...Object.entries(lazyPages).map(([path, load]) => ({ path, lazy: lazy(load) })),
]

const shell: RouteObject = {
  Component: Shell,
  HydrateFallback: ShellPlaceholder,
  children: [
    {
      ErrorBoundary: ErrorPage,
      children: [
        {
          path: 't/:tenantId',
          Component: RequireTenant,
          children: [...tenantPages, { path: '*', Component: NotFoundPage }],
        },
        {
          path: 'first-steps',
          Component: TenantRedirect,
          children: [{ index: true, lazy: lazy(lazyPages['first-steps']) }],
        },
        {
          path: 'create-tenant',
          lazy: lazy(async () => (await import('./first-steps/create-tenant.tsx')).CreateTenantPage),
        },
        {
          path: 'invitations',
          lazy: lazy(async () => (await import('./settings/members/invitation-page.tsx')).InvitationPage),
        },
        // Paths without a tenant lead to the tenant that was used last.
        ...tenantPages
          .filter(({ path }) => path !== 'first-steps')
          .map(({ path = '/' }) => ({ path, Component: TenantRedirect })),
        { path: '*', Component: NotFoundPage },
      ],
    },
  ],
}
