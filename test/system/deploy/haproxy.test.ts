import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { generate } from 'selfsigned'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { haproxy } from '../../harness/engines/haproxy.ts'
import { describeWith, findProgram, runProgram } from '../../harness/system-program.ts'

describeWith([haproxy], 'The configurations of HAProxy', () => {
  const folder = temporaryFolder()
  before('make a certificate', async () => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }])
    await writeFile(join(folder.path, 'certificate.pem'), key + cert)
  })

  for (const name of [
    'deploy/proxies/haproxy.cfg',
    'deploy/haproxy/postgresql.cfg',
    'deploy/haproxy/redis.cfg',
  ]) {
    it(`${name} is accepted without a warning`, async () => {
      const file = join(folder.path, 'haproxy.cfg')
      await writeFile(file, (await readFile(name, 'utf8')).replaceAll('/etc/haproxy', folder.path))
      const { stdout, stderr } = await runProgram(findProgram('haproxy')!, ['-c', '-f', file])
      expect(stderr + stdout).to.equal('Configuration file is valid\n')
    })
  }
})
