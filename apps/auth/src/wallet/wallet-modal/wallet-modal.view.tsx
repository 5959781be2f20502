import { ERROR_CATALOG } from '@portico/contracts/error-catalog'
import type { AccountChoice, AccountSections } from '@portico/rules/account-sections'
import { chosenCredentials } from '@portico/rules/chosen-credentials'
import { type ConnectedWallet, connectionMatch } from '@portico/rules/connection-match'
import { AccountCard } from '@portico/shell/account-card'
import { FailureAlert } from '@portico/shell/failure-alert'
import { FailureWithRetry } from '@portico/shell/failure-with-retry'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { LinkButton } from '@portico/ui/link-button'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import type { ReactNode } from 'react'
import { BackToList } from '../back-to-list.tsx'
import { TargetWallet } from '../connect/target-wallet.tsx'
import { type Event, type Problem, type State, type Status } from './wallet-modal.flow.ts'
import styles from './wallet-modal.module.css'

export type WalletModalViewProps = {
  state: State
  send: (event: Event) => void
  connected: ConnectedWallet | undefined
  /** The remaining connection time in words (§4.1). */
  life: string | undefined
  supportPhone: string
  /** The connect or verify screen, which are flows of their own. */
  children: ReactNode
}

/** The title of each status (§2.7). */
export const TITLES: Readonly<Record<Status, string>> = {
  Select: 'Choose an Account',
  Connect: 'Connect Your Wallet',
  Verify: 'Connect your Wallet',
  Provenance: 'Convert your Provenance Wallet',
  Verification_Error: 'Wallet verification failed',
  Success: 'Choose an Account',
  left: 'Choose an Account',
}

/** The wallet modal (§2.7). */
export function WalletModalView(props: WalletModalViewProps) {
  const { state, send, supportPhone, children } = props
  const back = () => send({ type: 'back' })
  const list = { send, connected: props.connected, life: props.life }
  switch (state.step) {
    case 'reading':
      return <SelectView {...props} problem={state.problem} content={<ReadingAccounts />} />
    case 'readingToVerify':
      return <SelectView {...props} content={<ReadingAccounts />} />
    case 'unavailable':
      return (
        <SelectView
          {...props}
          problem={state.problem}
          content={
            <p>
              <LinkButton onClick={() => send({ type: 'retried' })}>Try again</LinkButton>
            </p>
          }
        />
      )
    case 'Select':
      return (
        <SelectView
          {...props}
          problem={state.problem}
          content={<AccountList {...list} list={state.list} />}
        />
      )
    case 'selecting':
      return (
        <SelectView
          {...props}
          content={
            state.list === undefined ? (
              <ReadingAccounts />
            ) : (
              <AccountList {...list} list={state.list} choosing={state.choice} />
            )
          }
        />
      )
    case 'readingToConnect':
      return <Skeleton shape="card" label="Loading your accounts" />
    case 'Connect':
    case 'Verify':
      return children
    case 'Provenance':
      return (
        <Stack>
          <Alert tone="warn" title={ERROR_CATALOG['wallet-type-not-supported'].message}>
            <p>
              Convert it to continue. Its accounts move to a new wallet, and you do not need to
              install anything.
            </p>
          </Alert>
          <TargetWallet {...state.clicked.account} />
          <Button wide onClick={() => send({ type: 'conversionRequested' })}>
            Continue
          </Button>
          <BackToList onBack={back} />
        </Stack>
      )
    case 'Verification_Error':
      return (
        <Stack>
          <FailureWithRetry
            failure={state.failure}
            supportPhone={supportPhone}
            onRetry={() => send({ type: 'retried' })}
          >
            <p>Nothing has changed, and the wallet has been disconnected.</p>
          </FailureWithRetry>
          <BackToList onBack={back} />
        </Stack>
      )
    case 'Success':
    case 'left':
      return null
  }
}

const ReadingAccounts = () => <Skeleton shape="card" count={3} label="Loading your accounts" />

type SelectViewProps = WalletModalViewProps & {
  /** What is shown above the links: the list, or a placeholder. */
  content: ReactNode
  problem?: Problem | undefined
}

function SelectView({ content, problem, send, supportPhone }: SelectViewProps) {
  return (
    <Stack>
      <ProblemAlert problem={problem} supportPhone={supportPhone} />
      {content}
      <footer className={styles.footer}>
        <p>Looking for something else?</p>
        <p className={styles.links}>
          <LinkButton onClick={() => send({ type: 'newWalletRequested' })}>
            Connect a Wallet
          </LinkButton>
          <LinkButton onClick={() => send({ type: 'organizationRequested' })}>
            Create an Organization
          </LinkButton>
        </p>
      </footer>
    </Stack>
  )
}

type ListProps = Pick<WalletModalViewProps, 'send' | 'connected' | 'life'> & {
  /** The account being selected. */
  choosing?: AccountChoice
}

function AccountList({ list, ...props }: ListProps & { list: AccountSections }) {
  return (
    <>
      <Section {...props} title="Individual Accounts" choices={list.individual} />
      <Section {...props} title="Organizational Accounts" choices={list.organizational} />
    </>
  )
}

function Section({
  title,
  choices,
  choosing,
  send,
  connected,
  life,
}: ListProps & { title: string; choices: readonly AccountChoice[] }) {
  return (
    <section className={styles.section}>
      <h3>{title}</h3>
      {choices.length === 0 ? (
        <p className={styles.none}>None yet.</p>
      ) : (
        <ul className={styles.list}>
          {choices.map((choice) => (
            <li key={`${choice.account.address} ${choice.wallet.address}`}>
              <AccountCard
                choice={choice}
                isBusy={choosing !== undefined && isSameChoice(choosing, choice)}
                onChoose={() => send({ type: 'accountChosen', choice })}
              >
                {life && connectionMatch(connected, chosenCredentials(choice)) === 'matches' && (
                  <span className={styles.life}>Connected, {life} left</span>
                )}
              </AccountCard>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function isSameChoice(one: AccountChoice, other: AccountChoice): boolean {
  return (
    one.account.address === other.account.address && one.wallet.address === other.wallet.address
  )
}

function ProblemAlert({
  problem,
  supportPhone,
}: {
  problem: Problem | undefined
  supportPhone: string
}) {
  if (problem?.title === undefined) {
    return <FailureAlert failure={problem?.failure} supportPhone={supportPhone} />
  }
  return (
    <Alert tone="danger" title={problem.title}>
      {problem.failure.notices.map((notice) => (
        <p key={notice}>{notice}</p>
      ))}
    </Alert>
  )
}
