import type { Outputs } from '../../trpc/trpc.ts'

export type Member = Outputs['members']['list']['items'][number]
export type Role = Member['role']

export const roleDescriptions: Record<Role, string> = {
  viewer: 'Can view everything except secrets.',
  developer:
    'Can also create and revoke API keys, change settings, reveal and rotate the signing secret, and revoke tokens.',
  owner: 'Can also manage members and rename the tenant.',
}

export const roles = Object.keys(roleDescriptions) as Role[]

export function isRole(text: string): text is Role {
  return text in roleDescriptions
}
