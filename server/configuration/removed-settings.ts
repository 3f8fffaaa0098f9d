/** Variables of other programs or plans that would be ignored, though somebody relies on them: with what to do instead. */
const removedSettings: Record<string, string> = {
  REQUEST_DATA_RETENTION_DAYS: 'remove it, as ip and userAgent are not stored',
  WEB_CONCURRENCY:
    'start several processes instead, by the template unit of systemd, or as replicas of Compose or Kubernetes (docs/deploying.md)',
}

/** One line for each of them that is set. */
export function describeRemovedSettings(env: Record<string, string | undefined>): string[] {
  return Object.entries(removedSettings)
    .filter(([name]) => env[name])
    .map(([name, instead]) => `${name} is not a setting: ${instead}`)
}
