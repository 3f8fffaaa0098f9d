/**
 * `npm ci` runs this last, on whichever Node is installed, hence plain JavaScript. The packages of the pinned Node, one
 * per platform, all name their binary `node`. npm 10 deletes that link when it discards the packages of other
 * platforms, so it is created again here. Where no package fits the machine, the installed Node is used.
 */
import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const binary = join(`node-${process.platform}-${process.arch}`, 'bin', 'node')
const link = join('node_modules', '.bin', 'node')

if (existsSync(join('node_modules', binary)) && !existsSync(link)) symlinkSync(join('..', binary), link)
