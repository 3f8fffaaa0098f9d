import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { ConfigError, readConfig } from '#server/configuration/config.ts'
import { resolveFiles } from '#server/configuration/read-environment.ts'
import { temporaryFolder } from '../development/temporary-folder.ts'
import { findConfigErrors } from './config-errors.ts'

describe('A variable from a file', () => {
  const folder = temporaryFolder()
  let file: string
  before(async () => {
    file = join(folder.path, 'redis-url')
    await writeFile(file, 'redis://:secret@localhost:6379\n')
  })

  const findViolations = (env: Record<string, string>) => findConfigErrors(() => resolveFiles(env))

  it('has the content of the file', () => {
    const env = resolveFiles({ REDIS_URL_FILE: file, PORT: '8080', HOME: '/home/user' })
    expect(env).to.deep.equal({
      REDIS_URL: 'redis://:secret@localhost:6379',
      PORT: '8080',
      HOME: '/home/user',
    })
    expect(readConfig(env)).to.include({ redisUrl: 'redis://:secret@localhost:6379', port: 8080 })
  })

  for (const [name, surrounded] of Object.entries({
    'several line breaks': 'VALUE\n\n',
    'line breaks of Windows': 'VALUE\r\n\r\n',
    'a byte order mark and blanks': '\ufeff  VALUE \t',
    'a no-break space, and one without a width': '\u00a0VALUE\u200b',
  })) {
    it(`has no part of ${name} around its value, also without a file`, async () => {
      const url = 'postgres://me:a b@localhost/av'
      const text = surrounded.replace('VALUE', url)
      await writeFile(join(folder.path, 'surrounded'), text)
      for (const env of [{ DATABASE_URL: text }, { DATABASE_URL_FILE: join(folder.path, 'surrounded') }]) {
        expect(resolveFiles({ ...env, HOME: ' home ' })).to.deep.equal({ DATABASE_URL: url, HOME: ' home ' })
      }
      expect(resolveFiles({ DATABASE_URL_FILE: `${join(folder.path, 'surrounded')}\n` })).to.deep.equal({
        DATABASE_URL: url,
      })
    })
  }

  it('is an error if the file is missing, unreadable or empty, with one line per variable', async () => {
    const empty = join(folder.path, 'empty')
    await writeFile(empty, '\n')
    const lines = findViolations({
      DATABASE_URL_FILE: join(folder.path, 'missing'),
      ENCRYPTION_KEY_FILE: folder.path,
      VERIFF_API_KEY_FILE: empty,
    })
    expect(lines).to.have.length(3)
    expect(lines[0]).to.match(/^DATABASE_URL_FILE cannot be used: ENOENT/)
    expect(lines[1]).to.match(/^ENCRYPTION_KEY_FILE cannot be used: EISDIR/)
    expect(lines[2]).to.equal(`VERIFF_API_KEY_FILE cannot be used: ${empty} is empty`)
  })

  it('is an error if the variable is set too', () => {
    expect(findViolations({ REDIS_URL: 'redis://other', REDIS_URL_FILE: file })).to.deep.equal([
      'REDIS_URL_FILE and REDIS_URL are both set: unset one of them',
    ])
  })

  it('never appears in an error message', () => {
    expect(() => readConfig(resolveFiles({ DATABASE_URL_FILE: file })))
      .to.throw(ConfigError)
      .with.property('message')
      .that.does.not.include('secret')
  })
})
