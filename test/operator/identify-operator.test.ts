import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { expect } from 'chai'
import { identifyOperator } from '#operator/identify-operator.ts'
import { ConfigError, readConfig } from '#server/configuration/config.ts'
import { resolveFiles } from '#server/configuration/read-environment.ts'
import { describeWith } from '../harness/system-program.ts'

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

const requirement = {
  isMissing: !canSetLoginUser() || existsSync('/run/.containerenv'),
  reason: 'needs the right to set the login user, outside of Podman',
}

function canSetLoginUser(): boolean {
  try {
    execFileSync('/bin/sh', ['-c', 'echo 65534 >/proc/self/loginuid'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describeWith([requirement], 'The audit log records who logged in', () => {
  const program = `
    const { identifyOperator } = await import('#operator/identify-operator.ts')
    console.log(identifyOperator({}, process.env).person)`

  /** What a session of the user with this id records, whose command runs as root. */
  function recorded(loginId: string, env: Record<string, string>): string {
    const args = [loginId, process.execPath, '--input-type=module', '--eval', program]
    const script = 'echo "$0" >/proc/self/loginuid && exec "$@"'
    return execFileSync('/bin/sh', ['-c', script, ...args], { env: { PATH: process.env.PATH!, ...env } })
      .toString()
      .trim()
  }

  it('and became root without sudo; never root itself', () => {
    expect(recorded('65534', {})).to.equal('nobody')
    expect(recorded('65534', { SUDO_USER: 'root' })).to.equal('nobody')
    expect(recorded('65534', { SUDO_USER: 'alice' })).to.equal('alice')
    expect(recorded('4242424', {})).to.equal('uid 4242424')
    expect(recorded('0', { SUDO_USER: 'root' })).to.equal('undefined')
  })
})
