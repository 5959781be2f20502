import type { AccountChoice } from '@portico/rules/account-sections'
import { chosenCredentials } from '@portico/rules/chosen-credentials'
import { type ConnectedWallet, connectionMatch } from '@portico/rules/connection-match'
import { FailureAlert } from '@portico/shell/failure-alert'
import { Alert } from '@portico/ui/alert'
import { LinkButton } from '@portico/ui/link-button'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import { AccountCard } from '../account-card/account-card.tsx'
import type { Event, Problem, State } from './wallet-modal.flow.ts'
import styles from './wallet-modal.module.css'

export type SelectViewProps = {
  state: Extract<State, { step: 'Select' }>
  send: (event: Event) => void
  connected: ConnectedWallet | undefined
  /** The remaining connection time in words (§4.1). */
  life: string | undefined
  supportPhone: string
}

/** The Select screen of the wallet modal (§2.7). */
export function SelectView(props: SelectViewProps) {
  const { state, send, supportPhone } = props
  const { list, problem } = state
  return (
    <Stack>
      <ProblemAlert problem={problem} supportPhone={supportPhone} />
      {list === 'reading' && <Skeleton shape="card" count={3} label="Reading your accounts" />}
      {list === 'unavailable' && (
        <p>
          <LinkButton onClick={() => send({ type: 'retried' })}>Try again</LinkButton>
        </p>
      )}
      {typeof list === 'object' && (
        <>
          <Section {...props} title="Individual Accounts" choices={list.individual} />
          <Section {...props} title="Organizational Accounts" choices={list.organizational} />
        </>
      )}
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

function Section({
  title,
  choices,
  state,
  send,
  connected,
  life,
}: SelectViewProps & { title: string; choices: readonly AccountChoice[] }) {
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
                life={
                  connectionMatch(connected, chosenCredentials(choice)) === 'matches'
                    ? life
                    : undefined
                }
                busy={state.choosing !== undefined && isSameChoice(state.choosing, choice)}
                onChoose={() => send({ type: 'accountChosen', choice })}
              />
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
