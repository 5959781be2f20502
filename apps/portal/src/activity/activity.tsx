import { readSecurity, type SecurityOverview } from '@portico/contracts/account-security'
import { formatTime } from '@portico/rules/format'
import { createWalletAddress } from '@portico/rules/wallet-redirects'
import { useLoad } from '@portico/shell/use-call'
import { Alert } from '@portico/ui/alert'
import { Link } from '@portico/ui/link'
import { LinkButton } from '@portico/ui/link-button'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import { type ReactNode, useId } from 'react'
import { type ActingAccount, useActingAccount } from '../acting-account/acting-account.tsx'
import { useEnvironment } from '../environment.ts'
import { eventLabel } from '../event-labels.ts'
import history from '../history.module.css'
import { PaymentHistory } from '../payment-history/payment-history.tsx'
import { ACCOUNTS_PATH, ACTIVITY_PATH, SECURITY_PATH } from '../routes.ts'
import styles from './activity.module.css'

/** The events shown; the security page lists all. */
const EVENTS_SHOWN = 10

/** The current account's payments and the latest security events. */
export function Activity() {
  const { client, chainNode, reportError } = useEnvironment()
  const acting = useActingAccount()
  const security = useLoad((signal) => client(readSecurity, { signal }), reportError)
  const account = acting.accounts?.acting?.account
  return (
    <ActivityView
      acting={acting}
      payments={
        account && (
          <PaymentHistory
            key={account.address}
            account={account.address}
            chainNode={chainNode}
            reportError={reportError}
          />
        )
      }
      events={
        security.failure === undefined ? (
          <Events events={security.result?.events} />
        ) : (
          <Alert tone="warn" title="We could not load your security events">
            <LinkButton onClick={security.retry}>Try again</LinkButton>
          </Alert>
        )
      }
    />
  )
}

export function ActivityView({
  acting,
  payments,
  events,
}: {
  acting: Pick<ActingAccount, 'accounts' | 'failure' | 'retry'>
  /** The current account's payments, if there is one. */
  payments: ReactNode
  events: ReactNode
}) {
  const name = acting.accounts?.acting?.account.name
  return (
    <Stack gap="sections">
      <h1 tabIndex={-1}>Activity</h1>
      <Section
        title={
          name === undefined ? (
            'Payments'
          ) : (
            <>
              Payments of <bdi>{name}</bdi>
            </>
          )
        }
      >
        {payments ?? <NoPayments {...acting} />}
      </Section>
      <Section title="Security">
        {events}
        <p>
          <Link href={SECURITY_PATH}>Review your security</Link>
        </p>
      </Section>
    </Stack>
  )
}

function NoPayments({
  accounts,
  failure,
  retry,
}: Pick<ActingAccount, 'accounts' | 'failure' | 'retry'>) {
  if (failure) {
    return (
      <Alert tone="warn" title="We could not load your accounts">
        <LinkButton onClick={retry}>Try again</LinkButton>
      </Alert>
    )
  }
  if (accounts === undefined)
    return <Skeleton shape="text" count={3} label="Loading your payments" />
  return (
    <>
      <p className={history.empty}>What you send and receive appears here.</p>
      <p>
        {accounts.items.length === 0 ? (
          <Link href={createWalletAddress(ACTIVITY_PATH)}>Get a wallet</Link>
        ) : (
          <Link href={ACCOUNTS_PATH}>Choose the account you act as</Link>
        )}
      </p>
    </>
  )
}

/** `events` is undefined while they are loading. */
export function Events({ events }: { events: SecurityOverview['events'] | undefined }) {
  if (events === undefined) {
    return <Skeleton shape="text" count={5} label="Loading your security events" />
  }
  if (events.length === 0) {
    return <p className={history.empty}>Sign-ins and changes of your settings appear here.</p>
  }
  return (
    <ul className={history.history}>
      {events.slice(0, EVENTS_SHOWN).map(({ at, kind, network }) => (
        <li key={`${at}-${kind}`}>
          <span>{eventLabel(kind)}</span>
          <span className={history.details}>
            <time dateTime={new Date(at).toISOString()}>{formatTime(at)}</time>, {network}
          </span>
        </li>
      ))}
    </ul>
  )
}

function Section({ title, children }: { title: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}
