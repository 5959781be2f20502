import type { SecurityOverview } from '@portico/contracts/account-security'
import { DEFAULT_REDIRECT } from '@portico/contracts/limits'
import type { PassportSummary } from '@portico/contracts/passport'
import { signerText } from '@portico/rules/account-sections'
import { statusGroup } from '@portico/rules/gatekeeper'
import { hasSecondStep, isManaged } from '@portico/rules/next-step'
import { isWaitingForReview } from '@portico/rules/passport-transitions'
import { shortAddress } from '@portico/rules/short-address'
import { createWalletAddress } from '@portico/rules/wallet-redirects'
import type { Failure } from '@portico/shell/failure'
import { CardText } from '@portico/ui/card-text'
import { Icon, type IconName } from '@portico/ui/icon'
import { Link } from '@portico/ui/link'
import { LinkButton } from '@portico/ui/link-button'
import { Skeleton } from '@portico/ui/skeleton'
import { type ReactNode, useId } from 'react'
import type { Accounts } from '../accounts.ts'
import { PASSPORT_PATH, SECURITY_PATH, WALLET_PATH } from '../routes.ts'
import styles from './home.module.css'

/** A card's content: loading while there is neither a result nor a failure. */
export interface Loaded<Result> {
  readonly result: Result | undefined
  readonly failure: Failure | undefined
  readonly retry: () => void
}

export function WalletCard({
  accounts,
  isConnected,
}: {
  accounts: Loaded<Accounts>
  isConnected: boolean
}) {
  return (
    <LoadedCard title="Wallet" icon="wallet" loaded={accounts} label="Loading your accounts">
      {({ items, acting }) => {
        if (items.length === 0) {
          return (
            <>
              <State tone="info">No wallet yet</State>
              <p>A wallet holds your accounts and signs for you.</p>
              <Action href={createWalletAddress(DEFAULT_REDIRECT)}>Get a wallet</Action>
            </>
          )
        }
        return (
          <>
            {acting === undefined ? (
              <p>
                {items.length === 1
                  ? 'You have one account.'
                  : `You have ${items.length} accounts.`}{' '}
                Choose the one you act as.
              </p>
            ) : (
              <div className={styles.account}>
                <p className={styles.eyebrow}>Acting as</p>
                <CardText
                  title={acting.account.name}
                  badge={acting.authorizedWallet.verified && 'Verified'}
                  detail={shortAddress(acting.account.address)}
                  note={signerText({ wallet: acting.authorizedWallet })}
                />
              </div>
            )}
            {isConnected ? (
              <State tone="ok">Connected in this browser</State>
            ) : (
              <State tone="info">Not connected in this browser</State>
            )}
            <Action href={WALLET_PATH}>Open your wallet</Action>
          </>
        )
      }}
    </LoadedCard>
  )
}

/** Whether a section of the passport is in progress (§4.9). */
export const isIncomplete = ({ status }: PassportSummary): boolean =>
  Object.values(status).some((each) => statusGroup(each) === 'in-progress')

/** Whether a reviewer asked for more. */
export const isReturned = ({ decisions = [] }: PassportSummary): boolean =>
  decisions.some(({ event }) => event === 'returned')

export function PassportCard({ passports }: { passports: Loaded<readonly PassportSummary[]> }) {
  return (
    <LoadedCard title="Passport" icon="passport" loaded={passports} label="Loading your passport">
      {(summaries) => {
        const withReason = summaries
          .flatMap(({ decisions = [] }) => decisions)
          .filter(({ reason }) => reason !== null)
        // The reason belongs to the state above it.
        const decided = withReason.find(({ event }) => event === 'returned') ?? withReason[0]
        return (
          <>
            <PassportState summaries={summaries} />
            {decided === undefined ? (
              <p>Who you are and how you may invest, proven once for every offer.</p>
            ) : (
              <p className={styles.message} dir="auto">
                {decided.reason}
              </p>
            )}
            <Action href={PASSPORT_PATH}>Open your passport</Action>
          </>
        )
      }}
    </LoadedCard>
  )
}

/** Sections that need the user's action come first. */
function PassportState({ summaries }: { summaries: readonly PassportSummary[] }) {
  const statuses = summaries.flatMap(({ status }) => Object.values(status))
  if (summaries.some(isReturned)) return <State tone="warn">A reviewer needs more from you</State>
  if (statuses.includes('DENIED')) return <State tone="danger">Not approved</State>
  if (summaries.some(isIncomplete)) return <State tone="warn">Not complete yet</State>
  if (statuses.some(isWaitingForReview)) return <State tone="info">In review</State>
  if (statuses.some((status) => statusGroup(status) === 'complete')) {
    return <State tone="ok">Approved</State>
  }
  return null
}

export function SecurityCard({ security }: { security: Loaded<SecurityOverview> }) {
  return (
    <LoadedCard title="Security" icon="shield" loaded={security} label="Loading your settings">
      {(overview) => (
        <>
          {isManaged(overview) ? (
            <State tone="ok">Protected by your organization</State>
          ) : hasSecondStep(overview) ? (
            <State tone="ok">Protected by a second step</State>
          ) : (
            <State tone="warn">No second step</State>
          )}
          <p>{devicesText(overview.sessions.length)}</p>
          <Action href={SECURITY_PATH}>Review your security</Action>
        </>
      )}
    </LoadedCard>
  )
}

const devicesText = (count: number) =>
  count === 1 ? 'You are logged in on this device only.' : `You are logged in on ${count} devices.`

/** A card that loads and fails independently. */
function LoadedCard<Result>({
  title,
  icon,
  loaded: { result, failure, retry },
  label,
  children,
}: {
  title: string
  icon: IconName
  loaded: Loaded<Result>
  label: string
  children: (result: Result) => ReactNode
}) {
  return (
    <Card title={title} icon={icon}>
      {result !== undefined ? (
        children(result)
      ) : failure === undefined ? (
        <Skeleton shape="text" count={3} label={label} />
      ) : (
        <>
          <State tone="warn">We could not load this</State>
          <p className={styles.link}>
            <LinkButton onClick={retry}>Try again</LinkButton>
          </p>
        </>
      )}
    </Card>
  )
}

function Card({ title, icon, children }: { title: string; icon: IconName; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles.card} aria-labelledby={id}>
      <h2 id={id}>
        <Icon name={icon} />
        {title}
      </h2>
      {children}
    </section>
  )
}

const STATE_ICONS = { ok: 'ok', warn: 'warning', danger: 'danger', info: 'info' } as const

function State({ tone, children }: { tone: keyof typeof STATE_ICONS; children: ReactNode }) {
  return (
    <p className={styles.state} data-tone={tone}>
      <Icon name={STATE_ICONS[tone]} />
      {children}
    </p>
  )
}

function Action({ href, children }: { href: string; children: ReactNode }) {
  return (
    <p className={styles.link}>
      <Link href={href}>{children}</Link>
    </p>
  )
}
