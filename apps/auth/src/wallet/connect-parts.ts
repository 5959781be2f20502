/** What connects a wallet and what verifies one; each is fetched while the list that leads to it is looked at. */
import { part } from '@portico/shell/part'

export const ConnectScreen = part(async () => {
  const { ConnectScreen } = await import('./connect/connect-screen.tsx')
  return ConnectScreen
})

export const Verify = part(async () => {
  const { Verify } = await import('./verify/verify.tsx')
  return Verify
})
