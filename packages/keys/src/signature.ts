export { verify } from '#verify'
export type { VerifyOptions } from './signature-form.ts'
export { publicKeyOf, sign } from './signing.ts'
