/**
 * `npm ci` runs this last, on whichever Node is installed, hence plain JavaScript. The packages of the pinned Node, one
 * per platform, all name their binary `node`. npm 10 deletes that link when it discards the packages of other
 * platforms, so it is created again here. Where no package fits the machine, the installed Node is used. The headers,
 * 67 MB, are for compilers of native add-ons, of which there are none.
 */
import { existsSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const runtime = `node-${process.platform}-${process.arch}`
const binary = join(runtime, 'bin', 'node')
const link = join('node_modules', '.bin', 'node')

if (existsSync(join('node_modules', binary)) && !existsSync(link)) symlinkSync(join('..', binary), link)
rmSync(join('node_modules', runtime, 'include'), { recursive: true, force: true })
