import {
  createTestTenant,
  startTestService,
  type TestService,
  type TestServiceOptions,
  type TestTenant,
  type TestTenantOptions,
} from './test-service.ts'
import { useOpened } from './use-opened.ts'

/**
 * Starts a test service before the tests of the surrounding `describe` and closes it after them. Options that other hooks
 * provide are given as a function.
 */
export function useService(options: TestServiceOptions | (() => TestServiceOptions) = {}): TestService {
  return useOpened(() => startTestService(typeof options === 'function' ? options() : options))
}

/** Creates one tenant for all tests of the surrounding `describe`. Its fields are set before the first of them. */
export function useTenant(service: TestService, options?: TestTenantOptions): TestTenant {
  const tenant = {} as TestTenant
  before('create a tenant', async () => {
    Object.assign(tenant, await createTestTenant(service, options))
  })
  return tenant
}

/** Creates a new tenant before each test of the surrounding `describe`, in the same object. */
export function useNewTenant(service: TestService, options?: TestTenantOptions): TestTenant {
  const tenant = {} as TestTenant
  beforeEach('create a tenant', async () => {
    Object.assign(tenant, await createTestTenant(service, options))
  })
  return tenant
}
