import { createBrowserRouter, Navigate, type RouteObject } from 'react-router'
import { RequireTenant } from './session/require-tenant.tsx'
import { ErrorPage, NotFoundPage } from './shell/error-pages.tsx'
import { Shell } from './shell/shell.tsx'

/** Call this after the sign-in, which restores the URL that the router reads when it is created. */
export function createRouter() {
  return createBrowserRouter(routes, { basename: '/dashboard' })
}

/** Each page is a separate chunk that is loaded when it is first opened. */
const routes: RouteObject[] = [
  {
    path: '/',
    Component: Shell,
    ErrorBoundary: ErrorPage,
    HydrateFallback: () => null,
    children: [
      { index: true, element: <Navigate to="/overview" replace /> },
      {
        ErrorBoundary: ErrorPage,
        children: [
          {
            path: 'first-steps',
            lazy: async () => page((await import('./first-steps/first-steps-page.tsx')).FirstStepsPage),
          },
          {
            path: 'invitations',
            lazy: async () => page((await import('./invitation/invitation-page.tsx')).InvitationPage),
          },
          {
            Component: RequireTenant,
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
          { path: '*', Component: NotFoundPage },
        ],
      },
    ],
  },
]

function page(Component: () => React.ReactNode) {
  return { Component }
}
