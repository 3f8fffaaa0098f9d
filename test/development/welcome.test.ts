import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect } from 'chai'
import type { Embedded } from '#development/start-embedded.ts'
import { welcome } from '#development/welcome.ts'
import { readConfig } from '#server/configuration/config.ts'
import { useService } from '../harness/use-service.ts'

describe('What a start prints', () => {
  const service = useService()
  const folder = mkdtempSync(join(tmpdir(), 'welcome-'))
  after(() => rmSync(folder, { recursive: true }))

  for (const [role, METRICS_PORT, names] of [
    ['all', undefined, ['Service', 'Dashboard', 'Data']],
    ['api', '9464', ['Service', 'Dashboard', 'Metrics', 'Data']],
    ['worker', '9464', ['Metrics', 'Data']],
    ['worker', undefined, ['Data']],
  ] as const) {
    it(`has the addresses at which something listens: ROLE=${role}, METRICS_PORT=${METRICS_PORT}`, async () => {
      const config = readConfig({ ROLE: role, HOST: '::1', ...(METRICS_PORT && { METRICS_PORT }) })
      const embedded = { folder, receiver: undefined, signInUrl: undefined } as unknown as Embedded
      const text = await welcome({ ...config, hasDemo: false }, embedded, service.services)
      const rows = stripVTControlCharacters(text).matchAll(/^ {2}(\w+) +(\S+)/gm)
      const addresses = Object.fromEntries([...rows].map(([, name, address]) => [name, address]))
      expect(Object.keys(addresses)).to.deep.equal(names)
      if (METRICS_PORT) expect(addresses.Metrics).to.equal('http://[::1]:9464/metrics')
    })
  }
})
