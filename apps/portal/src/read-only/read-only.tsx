import type { PageSession } from '@portico/contracts/page-data'
import { Alert } from '@portico/ui/alert'
import { Stack } from '@portico/ui/stack'
import { type ReactNode, useId } from 'react'
import { routeOf, type Section } from '../routes.ts'
import { WalletView } from '../wallet/wallet.tsx'
import styles from './read-only.module.css'

/** Pages whose buttons and fields change something. On other pages they only load more or retry. */
const CHANGING: readonly Section[] = ['accounts', 'security']

/**
 * Disables controls that would change something while an operator views the page, and says why. The server refuses such
 * changes anyway.
 */
export function ReadOnly({
  session: { impersonation },
  path,
  children,
}: {
  session: PageSession
  path: string
  children: ReactNode
}) {
  const id = useId()
  const section = routeOf(path)?.section
  if (impersonation === undefined || section === undefined || !CHANGING.includes(section)) {
    return children
  }
  return (
    <>
      <div className={styles.reason} id={id}>
        <Alert tone="info">You can read this page. Only its owner can change something here.</Alert>
      </div>
      <fieldset className={styles.content} disabled aria-describedby={id}>
        {children}
      </fieldset>
    </>
  )
}

/** Shown in place of the passport pages. */
export function NotViewedPassport() {
  return (
    <Stack>
      <h1 tabIndex={-1}>Passport</h1>
      <p>
        The answers of a passport are shown to its owner and to reviewers only. Home says how far it
        is.
      </p>
    </Stack>
  )
}

/** Shown in place of the connected wallet's page. */
export function NotViewedWallet() {
  return (
    <WalletView>
      <p>
        A wallet is connected to the browser of its owner, so there is nothing to see here. The
        accounts are on the page Accounts, and payments on Activity.
      </p>
    </WalletView>
  )
}
