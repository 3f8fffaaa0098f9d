import { execFileSync } from 'node:child_process'
import { userInfo } from 'node:os'
import { expect } from 'chai'
import { identifyOperator } from '#operator/identify-operator.ts'
import { ConfigError, readConfig } from '#server/configuration/config.ts'
import { resolveFiles } from '#server/configuration/read-environment.ts'

const identify = (env: Record<string, string>) => identifyOperator(readConfig(resolveFiles(env)), env)

describe('The audit log records who runs an operator’s command', () => {
  const persons: [env: Record<string, string>, person: string][] = [
    [{ OPERATOR_NAME: ' Łucja Ó Súilleabháin ', SUDO_USER: 'alice' }, 'Łucja Ó Súilleabháin'],
    [{ OPERATOR_NAME: 'root' }, 'root'],
    [{ OPERATOR_NAME: ' ', SUDO_USER: 'alice', DOAS_USER: 'bob' }, 'alice'],
    [{ SUDO_USER: String.raw`EXAMPLE\alice` }, String.raw`EXAMPLE\alice`],
    [{ DOAS_USER: 'bob' }, 'bob'],
    [{ PKEXEC_UID: '65534' }, execFileSync('id', ['-nu', '65534'], { encoding: 'utf8' }).trim()],
    [{ PKEXEC_UID: '4242424' }, 'uid 4242424'],
    [{ SUDO_USER: `\u001b[2J${'a'.repeat(300)}` }, `[2J${'a'.repeat(251)}`],
    [{ SUDO_USER: `${'a'.repeat(254)}😀` }, 'a'.repeat(254)],
  ]
  for (const [env, person] of persons) {
    it(`beside the system user, with ${JSON.stringify(env).slice(0, 70)}`, () => {
      expect(identify(env)).to.deep.equal({ osUser: userInfo().username, person })
    })
  }

  it('and refuses an OPERATOR_NAME that is long, or hides characters, with a line that names it', () => {
    for (const [name, reason] of [
      ['a'.repeat(256), 'must have at most 255 characters'],
      ['al\u202eice', 'must have no control or invisible characters'],
    ]) {
      expect(() => identify({ OPERATOR_NAME: name! })).to.throw(ConfigError, `OPERATOR_NAME ${reason}`)
    }
  })
})
