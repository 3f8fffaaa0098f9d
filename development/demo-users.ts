import type { Role } from '#domain/permissions.ts'
import type { SignInUser } from './sign-in/sign-in-options.ts'

interface DemoUser extends SignInUser {
  /** In the demo tenant; undefined for a user without a tenant. */
  role: Role | undefined
}

/** The users that the local sign-in page offers. */
export const demoUsers: DemoUser[] = [
  {
    subject: 'demo-owner',
    name: 'Olivia Owner',
    email: 'owner@demo.example',
    hint: 'Owner of the demo tenant: full access',
    role: 'owner',
  },
  {
    subject: 'demo-developer',
    name: 'Dana Developer',
    email: 'developer@demo.example',
    hint: 'Developer of the demo tenant: manages keys, settings and tokens',
    role: 'developer',
  },
  {
    subject: 'demo-viewer',
    name: 'Victor Viewer',
    email: 'viewer@demo.example',
    hint: 'Viewer of the demo tenant: read-only access',
    role: 'viewer',
  },
  {
    subject: 'demo-newcomer',
    name: 'Nora Newcomer',
    email: 'newcomer@demo.example',
    hint: 'Not a member of any tenant: sees the first steps',
    role: undefined,
  },
]
