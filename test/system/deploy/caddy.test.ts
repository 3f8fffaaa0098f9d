import { tmpdir } from 'node:os'
import { expect } from 'chai'
import { describeWith, outcomeOf } from '../../harness/system-program.ts'
import { caddy } from './programs.ts'

describeWith([caddy], 'The configurations of Caddy', () => {
  for (const file of ['deploy/proxies/caddy.conf', 'deploy/compose/Caddyfile']) {
    it(`${file} is accepted`, async () => {
      const args = ['validate', '--adapter', 'caddyfile', '--config', file]
      const env = { PATH: process.env.PATH, HOME: tmpdir(), VERIFY_HOST: 'localhost' }
      expect(await outcomeOf('caddy', args, { env })).to.include({ code: 0 })
    })
  }
})
