/** To be loaded before a service: prints at its end which packages of OpenTelemetry it has loaded. */
import { registerHooks } from 'node:module'

const loaded = new Set<string>()
registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('@opentelemetry/')) loaded.add(specifier)
    return next(specifier, context)
  },
})
process.on('exit', () => console.log(`loaded: ${JSON.stringify([...loaded])}`))
