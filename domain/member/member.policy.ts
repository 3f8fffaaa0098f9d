/** From the least to the most. */
export const roles = ['viewer', 'developer', 'owner'] as const
export type Role = (typeof roles)[number]
