import type { ComponentType } from 'react'
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router'
import { OverviewPage } from './overview/overview-page.tsx'
import { RequireTenant } from './session/require-tenant.tsx'
import { TenantRedirect } from './session/tenant-redirect.tsx'
import { ErrorPage, NotFoundPage } from './shell/error-pages.tsx'
import { Shell } from './shell/shell.tsx'

/**
 * The pages by their paths below `/dashboard`. Call this after the sign-in, which restores the URL that the router
 * reads when it is created. `Root` provides the session and the selected tenant's data to all of them.
 */
export function createRouter(Root: ComponentType) {
  return createBrowserRouter([{ Component: Root, ErrorBoundary: ErrorPage, children: [shell] }], {
    basename: '/dashboard',
  })
}

const firstSteps = async () => ({
  Component: (await import('./first-steps/first-steps-page.tsx')).FirstStepsPage,
})

/** The overview is most users' first page. The code of every other one is loaded when it is first opened. */
const tenantPages: RouteObject[] = [
  { index: true, Component: TenantRedirect },
  { path: 'first-steps', lazy: firstSteps },
  { path: 'overview', Component: OverviewPage },
  {
    path: 'verifications/:verificationId?',
    lazy: async () => ({
      Component: (await import('./verifications/verifications-page.tsx')).VerificationsPage,
    }),
  },
  {
    path: 'api-keys',
    lazy: async () => ({ Component: (await import('./api-keys/api-keys-page.tsx')).ApiKeysPage }),
  },
  {
    path: 'settings',
    lazy: async () => ({ Component: (await import('./settings/general/general-page.tsx')).GeneralPage }),
  },
  {
    path: 'settings/webhook',
    lazy: async () => ({ Component: (await import('./settings/webhook/webhook-page.tsx')).WebhookPage }),
  },
  {
    path: 'settings/members',
    lazy: async () => ({ Component: (await import('./settings/members/members-page.tsx')).MembersPage }),
  },
  { path: 'tools', element: <Navigate to="token" replace /> },
  {
    path: 'tools/token',
    lazy: async () => ({ Component: (await import('./tools/token-page.tsx')).TokenPage }),
  },
  {
    path: 'tools/signature',
    lazy: async () => ({ Component: (await import('./tools/signature-page.tsx')).SignaturePage }),
  },
  {
    path: 'billing',
    lazy: async () => ({ Component: (await import('./billing/billing-page.tsx')).BillingPage }),
  },
  {
    path: 'audit-log',
    lazy: async () => ({ Component: (await import('./audit-log/audit-log-page.tsx')).AuditLogPage }),
  },
]

const shell: RouteObject = {
  Component: Shell,
  HydrateFallback: () => null,
  children: [
    {
      ErrorBoundary: ErrorPage,
      children: [
        {
          path: 't/:tenantId',
          Component: RequireTenant,
          children: [...tenantPages, { path: '*', Component: NotFoundPage }],
        },
        { path: 'first-steps', Component: TenantRedirect, children: [{ index: true, lazy: firstSteps }] },
        {
          path: 'invitations',
          lazy: async () => ({
            Component: (await import('./invitation/invitation-page.tsx')).InvitationPage,
          }),
        },
        // Paths without a tenant lead to the tenant that was used last.
        ...['/', ...tenantPages.flatMap(({ path }) => path ?? [])]
          .filter(path => path !== 'first-steps')
          .map(path => ({ path, Component: TenantRedirect })),
        { path: '*', Component: NotFoundPage },
      ],
    },
  ],
}
