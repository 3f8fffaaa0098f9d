import { globSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { generate } from 'selfsigned'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { describeWith, findProgram, outcomeOf } from '../../harness/system-program.ts'

const apache = { isMissing: !findProgram('apache2'), reason: 'no apache2 (apt-get install apache2)' }

describeWith([apache], 'The configuration of Apache', () => {
  const folder = temporaryFolder()

  it('deploy/proxies/apache.conf is accepted, with the modules that it names', async () => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }])
    await writeFile(join(folder.path, 'privkey.pem'), key)
    await writeFile(join(folder.path, 'fullchain.pem'), cert)
    const text = readFileSync('deploy/proxies/apache.conf', 'utf8')
    const site = text.replaceAll('/etc/letsencrypt/live/verify.example', folder.path)
    await writeFile(join(folder.path, 'site.conf'), site)
    const [, modules = ''] = /^# a2enmod (.*)$/m.exec(text)!
    const log = `ErrorLog ${folder.path}/error.log`
    const modulesLoaded = loadModules(modules.split(' '))
    const main = ['ServerName localhost', log, ...modulesLoaded, `Include ${folder.path}/site.conf`]
    await writeFile(join(folder.path, 'apache.conf'), `${main.join('\n')}\n`)
    const env = { APACHE_LOG_DIR: folder.path, APACHE_RUN_DIR: folder.path }
    const args = ['-t', '-f', join(folder.path, 'apache.conf')]
    expect(await outcomeOf(findProgram('apache2')!, args, { env })).to.include({ stderr: 'Syntax OK\n' })
  })
})

const available = '/etc/apache2/mods-available'
/** Of those that Debian enables. */
const initial = [
  'mpm_event',
  'authz_core',
  'alias',
  'deflate',
  'dir',
  'env',
  'filter',
  'mime',
  'reqtimeout',
  'setenvif',
]

/** The directives that load modules after those that they depend on, as a2enmod does. */
function loadModules(names: string[], loaded = new Set<string>()): string[] {
  return [...initial, ...names].flatMap(name => {
    if (loaded.has(name) || globSync(`${available}/${name}.load`).length === 0) return []
    loaded.add(name)
    const text = readFileSync(`${available}/${name}.load`, 'utf8')
    const [, dependencies = ''] = /^# Depends: (.*)$/m.exec(text) ?? []
    const needed = dependencies.split(' ').filter(Boolean)
    return [...(needed.length > 0 ? loadModules(needed, loaded) : []), `Include ${available}/${name}.load`]
  })
}
