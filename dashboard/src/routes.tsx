import { createBrowserRouter, Navigate, type RouteObject } from 'react-router'
import { PageFailed } from './page/page-failed.tsx'
import { TenantOnly } from './session/tenant-only.tsx'
import { Shell } from './shell/shell.tsx'

/** Reads the address when it is made: only after a sign-in has brought the user back to it. */
export function createRouter() {
  return createBrowserRouter(routes, { basename: '/dashboard' })
}

/** Every page. Each is a file of its own that is fetched when it is first opened. */
const routes: RouteObject[] = [
  {
    path: '/',
    Component: Shell,
    ErrorBoundary: PageFailed,
    HydrateFallback: () => null,
    children: [
      { index: true, element: <Navigate to="/overview" replace /> },
      {
        ErrorBoundary: PageFailed,
        children: [
          {
            path: 'first-steps',
            lazy: async () => page((await import('./first-steps/first-steps-page.tsx')).FirstStepsPage),
          },
          {
            Component: TenantOnly,
            children: [
              {
                path: 'overview',
                lazy: async () => page((await import('./overview/overview-page.tsx')).OverviewPage),
              },
              {
                path: 'verifications/:verificationId?',
                lazy: async () =>
                  page((await import('./verifications/verifications-page.tsx')).VerificationsPage),
              },
              {
                path: 'api-keys',
                lazy: async () => page((await import('./api-keys/api-keys-page.tsx')).ApiKeysPage),
              },
              {
                path: 'settings',
                lazy: async () => page((await import('./settings/general/general-page.tsx')).GeneralPage),
              },
              {
                path: 'settings/webhook',
                lazy: async () => page((await import('./settings/webhook/webhook-page.tsx')).WebhookPage),
              },
              {
                path: 'settings/members',
                lazy: async () => page((await import('./settings/members/members-page.tsx')).MembersPage),
              },
              {
                path: 'billing',
                lazy: async () => page((await import('./billing/billing-page.tsx')).BillingPage),
              },
              {
                path: 'audit-log',
                lazy: async () => page((await import('./audit-log/audit-log-page.tsx')).AuditLogPage),
              },
            ],
          },
          { path: '*', lazy: async () => page((await import('./page/not-found-page.tsx')).NotFoundPage) },
        ],
      },
    ],
  },
]

function page(Component: () => React.ReactNode) {
  return { Component }
}
