import type { Role } from '#domain/member/member.policy.ts'
import type { SignInUser } from './sign-in/options.ts'

interface DemoUser extends SignInUser {
  /** In the demo tenant; undefined for someone who has no tenant yet. */
  role: Role | undefined
}

/** Whom the local sign-in offers. */
export const demoUsers: DemoUser[] = [
  {
    subject: 'demo-owner',
    name: 'Olivia Owner',
    email: 'owner@demo.example',
    hint: 'Owner of the demo tenant: may do everything',
    role: 'owner',
  },
  {
    subject: 'demo-developer',
    name: 'Dana Developer',
    email: 'developer@demo.example',
    hint: 'Developer of the demo tenant: keys, settings and tokens',
    role: 'developer',
  },
  {
    subject: 'demo-viewer',
    name: 'Victor Viewer',
    email: 'viewer@demo.example',
    hint: 'Viewer of the demo tenant: reads only',
    role: 'viewer',
  },
  {
    subject: 'demo-newcomer',
    name: 'Nora Newcomer',
    email: 'newcomer@demo.example',
    hint: 'Has no tenant yet: sees the first steps',
    role: undefined,
  },
]
