import { WalletEnvironmentContext } from '@portico/wallet-kit/environment'
import type { ReactNode } from 'react'
import { type Environment, EnvironmentContext } from './environment.ts'

/** Provides the environment to this application's screens and to those that every wallet shares. */
export function EnvironmentProvider({
  environment,
  children,
}: {
  environment: Environment
  children: ReactNode
}) {
  return (
    <EnvironmentContext value={environment}>
      <WalletEnvironmentContext value={environment}>{children}</WalletEnvironmentContext>
    </EnvironmentContext>
  )
}
