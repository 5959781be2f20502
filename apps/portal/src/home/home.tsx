import { readSecurity, type SecurityOverview } from '@portico/contracts/account-security'
import { type PassportSummary, readCreatorPassportStatus } from '@portico/contracts/passport'
import { type NextStep, nextStep } from '@portico/rules/next-step'
import { useLoad } from '@portico/shell/use-call'
import { Stack } from '@portico/ui/stack'
import { useSyncExternalStore } from 'react'
import type { Accounts } from '../accounts.ts'
import { useActingAccount } from '../acting-account/acting-account.tsx'
import { useEnvironment } from '../environment.ts'
import styles from './home.module.css'
import { NextCard } from './next-card.tsx'
import {
  isIncomplete,
  isReturned,
  type Loaded,
  PassportCard,
  SecurityCard,
  WalletCard,
} from './summary-cards.tsx'

/** The first page after signing in: what to do next, and the state of wallet, passport and security. */
export function Home() {
  const { client, hasWalletConnection, reportError } = useEnvironment()
  const security = useLoad((signal) => client(readSecurity, { signal }), reportError)
  const passports = useLoad((signal) => client(readCreatorPassportStatus, { signal }), reportError)
  const { accounts, failure, retry } = useActingAccount()
  const isConnected = useSyncExternalStore(never, hasWalletConnection, () => false)
  return (
    <HomeView
      accounts={{ result: accounts, failure, retry }}
      security={security}
      passports={passports}
      isConnected={isConnected}
    />
  )
}

const never = () => () => undefined

export type HomeViewProps = {
  accounts: Loaded<Accounts>
  security: Loaded<SecurityOverview>
  passports: Loaded<readonly PassportSummary[]>
  /** Whether this browser has a wallet connection. */
  isConnected: boolean
}

export function HomeView({ accounts, security, passports, isConnected }: HomeViewProps) {
  return (
    <Stack>
      <h1 tabIndex={-1}>Home</h1>
      <Next accounts={accounts} security={security} passports={passports} />
      <div className={styles.cards}>
        <WalletCard accounts={accounts} isConnected={isConnected} />
        <PassportCard passports={passports} />
        <SecurityCard security={security} />
      </div>
    </Stack>
  )
}

/** Decides once everything is loaded or failed, so that the card does not change while the user reads it. */
function Next({ accounts, security, passports }: Omit<HomeViewProps, 'isConnected'>) {
  if ([accounts, security, passports].some(isLoading)) return <NextCard step="loading" />
  const returned = passports.result?.find(isReturned)
  const step: NextStep | 'nothing-due' | 'unknown' = nextStep({
    security: security.result,
    accounts: accounts.result?.items,
    passport:
      passports.result &&
      (returned ? 'returned' : passports.result.some(isIncomplete) ? 'incomplete' : 'none'),
  })
  return <NextCard step={step} wallets={accounts.result?.items} returned={returned?.passportUuid} />
}

const isLoading = ({ result, failure }: Loaded<unknown>) =>
  result === undefined && failure === undefined
