/** Components shared by several pages and loaded on demand. */
import { lazyComponent } from '@portico/shell/lazy-component'

export const OneTimeCode = lazyComponent(async () => {
  const { OneTimeCode } = await import('./one-time-code/one-time-code.tsx')
  return OneTimeCode
})

export const OneTimeCodeModal = lazyComponent(async () => {
  const { OneTimeCodeModal } = await import('./one-time-code/one-time-code.tsx')
  return OneTimeCodeModal
})

export const NewPassword = lazyComponent(async () => {
  const { NewPassword } = await import('@portico/shell/new-password')
  return NewPassword
})

export const NewPasswordModal = lazyComponent(async () => {
  const { NewPasswordModal } = await import('@portico/shell/new-password')
  return NewPasswordModal
})

export const Redirecting = lazyComponent(async () => {
  const { Redirecting } = await import('./redirecting/redirecting.tsx')
  return Redirecting
})
