/** Components shared by several pages and loaded on demand. */
import { part } from '@portico/shell/part'

export const OneTimeCode = part(async () => {
  const { OneTimeCode } = await import('./one-time-code/one-time-code.tsx')
  return OneTimeCode
})

export const OneTimeCodeModal = part(async () => {
  const { OneTimeCodeModal } = await import('./one-time-code/one-time-code.tsx')
  return OneTimeCodeModal
})

export const NewPassword = part(async () => {
  const { NewPassword } = await import('@portico/shell/new-password')
  return NewPassword
})

export const NewPasswordModal = part(async () => {
  const { NewPasswordModal } = await import('@portico/shell/new-password')
  return NewPasswordModal
})

export const Redirecting = part(async () => {
  const { Redirecting } = await import('./redirecting/redirecting.tsx')
  return Redirecting
})
