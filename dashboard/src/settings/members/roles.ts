import type { Outputs } from '../../console/console.ts'

export type Member = Outputs['members']['list']['items'][number]
export type Role = Member['role']

export const roleMeanings: Record<Role, string> = {
  viewer: 'Reads everything, except secrets. Changes nothing.',
  developer:
    'Also creates and revokes keys, changes the settings, reveals and rotates the secret, revokes tokens.',
  owner: "Also adds and removes members, and changes the tenant's name.",
}

export const roles = Object.keys(roleMeanings) as Role[]

export function isRole(text: string): text is Role {
  return text in roleMeanings
}
