/** What other features use of the identity feature. */
export type { RequestSecondStep } from './admission.ts'
export { endProviderAccess } from './end-provider-access.ts'
export { loginOptions } from './two-factor/login-options.ts'
