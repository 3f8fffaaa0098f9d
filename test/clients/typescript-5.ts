import { registerHooks } from 'node:module'

/**
 * Lets the generator of types have TypeScript 5, whose compiler API TypeScript 7 doesn't have. npm installs one version
 * under a name, so the other one has its own. Import it before the generator.
 */
registerHooks({
  resolve(specifier, context, next) {
    const isGenerator = /\/node_modules\/openapi-typescript\//.test(context.parentURL ?? '')
    return next(specifier === 'typescript' && isGenerator ? 'typescript-5' : specifier, context)
  },
})
