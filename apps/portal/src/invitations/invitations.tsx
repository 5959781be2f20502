import {
  acceptOrganization,
  declineOrganization,
  type OrganizationInvitation,
  readOrganizationInvitations,
} from '@portico/contracts/organization-account'
import type { AccountListItem } from '@portico/contracts/wallet'
import { shortAddress } from '@portico/rules/short-address'
import type { Failure } from '@portico/shell/failure'
import { FailureAlert } from '@portico/shell/failure-alert'
import { useCall, useLoad } from '@portico/shell/use-call'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { CardText } from '@portico/ui/card-text'
import { LinkButton } from '@portico/ui/link-button'
import { useToast } from '@portico/ui/toast'
import { useId, useState } from 'react'
import { useActingAccount } from '../acting-account/acting-account.tsx'
import { useEnvironment } from '../environment.ts'
import styles from './invitations.module.css'

type Account = OrganizationInvitation['account']

/** Invitations to organizations (§6): waiting ones, declined ones, and accounts that can be hidden. */
export function Invitations({ supportPhone }: { supportPhone: string }) {
  const { client, reportError } = useEnvironment()
  const { accounts, reload: reloadAccounts } = useActingAccount()
  const showToast = useToast()
  const [busy, setBusy] = useState<string>()
  const {
    result,
    failure: loading,
    retry,
    reload,
  } = useLoad((signal) => client(readOrganizationInvitations, { query: {}, signal }), reportError)
  const { pending, failure, run } = useCall(reportError)
  const more = useCall(reportError)
  /** The pages after the first. They start again when the first one is read again. */
  const [further, setFurther] = useState<{
    readonly of: typeof result
    readonly items: readonly OrganizationInvitation[]
  }>({ of: undefined, items: [] })
  const items = further.of === result ? further.items : []
  const invitations = [...(result ?? []), ...items]
  const showMore = (isDeclined: boolean) => {
    const after = invitations.findLast(({ declined }) => declined === isDeclined)?.next
    if (after === undefined) return undefined
    return () =>
      more.run(
        (signal) => client(readOrganizationInvitations, { query: { after }, signal }),
        (page) => setFurther({ of: result, items: [...items, ...page] }),
      )
  }

  const answer = (
    call: typeof acceptOrganization | typeof declineOrganization,
    account: Account,
    done: string,
  ) => {
    setBusy(account.address)
    run(
      async (signal) => {
        await client(call, { body: { accountAddress: account.address }, signal })
      },
      () => {
        showToast({ tone: 'ok', text: done })
        more.cancel()
        reload()
        reloadAccounts()
      },
    )
  }
  if (loading !== undefined) {
    return (
      <Alert tone="warn" title="We could not load your invitations">
        <p>
          <LinkButton onClick={retry}>Try again</LinkButton>
        </p>
      </Alert>
    )
  }
  return (
    <InvitationsView
      invitations={invitations}
      onMoreWaiting={showMore(false)}
      onMoreDeclined={showMore(true)}
      isLoadingMore={more.pending}
      organizations={(accounts?.items ?? []).filter(isGroup).map(({ account }) => account)}
      failure={failure ?? more.failure}
      supportPhone={supportPhone}
      busy={pending ? busy : undefined}
      onAccept={(account) => answer(acceptOrganization, account, `You joined ${account.name}.`)}
      onDecline={(account) =>
        answer(declineOrganization, account, 'Declined. You can still accept it later.')
      }
      onHide={(account) =>
        answer(declineOrganization, account, 'Hidden. You can show it again on this page.')
      }
    />
  )
}

const isGroup = ({ authorizedWallets }: AccountListItem) =>
  authorizedWallets.some(({ authorizationType }) => authorizationType === 'Group')

export interface InvitationsViewProps {
  readonly invitations: readonly OrganizationInvitation[]
  /** The organizations among the user's accounts. */
  readonly organizations: readonly Account[]
  readonly failure: Failure | undefined
  readonly supportPhone: string
  /** The address of the organization whose change is pending. */
  readonly busy: string | undefined
  readonly onMoreWaiting: (() => void) | undefined
  readonly onMoreDeclined: (() => void) | undefined
  readonly isLoadingMore: boolean
  readonly onAccept: (account: Account) => void
  readonly onDecline: (account: Account) => void
  readonly onHide: (account: Account) => void
}

export function InvitationsView({
  invitations,
  organizations,
  failure,
  supportPhone,
  busy,
  onMoreWaiting,
  onMoreDeclined,
  isLoadingMore,
  onAccept,
  onDecline,
  onHide,
}: InvitationsViewProps) {
  const id = useId()
  const waiting = invitations.filter(({ declined }) => !declined)
  const declined = invitations.filter((each) => each.declined)
  if (waiting.length + declined.length + organizations.length === 0) return null
  return (
    <>
      <FailureAlert failure={failure} supportPhone={supportPhone} />
      {waiting.length > 0 && (
        <section className={styles.section} aria-labelledby={`${id}-waiting`}>
          <h2 id={`${id}-waiting`}>Invitations to organizations</h2>
          <p className={styles.muted}>
            Accept only if you know who invited you. Anyone can choose the name of an organization.
          </p>
          <ul className={styles.list}>
            {waiting.map(({ account, wallet }) => (
              <li key={`${account.address} ${wallet.address}`} className={styles.card}>
                <CardText
                  title={account.name}
                  detail={shortAddress(account.address)}
                  note={
                    <>
                      For your account <bdi>{wallet.name}</bdi>
                    </>
                  }
                />
                <span className={styles.actions}>
                  <Button
                    aria-label={`Accept ${account.name}`}
                    busy={busy === account.address}
                    onClick={() => onAccept(account)}
                  >
                    Accept
                  </Button>
                  <Button
                    kind="secondary"
                    aria-label={`Decline ${account.name}`}
                    onClick={() => onDecline(account)}
                  >
                    Decline
                  </Button>
                </span>
              </li>
            ))}
          </ul>
          <More label="Show more invitations" isLoading={isLoadingMore} onMore={onMoreWaiting} />
        </section>
      )}
      {(declined.length > 0 || organizations.length > 0) && (
        <section className={styles.section} aria-labelledby={`${id}-manage`}>
          <h2 id={`${id}-manage`}>Manage your organizations</h2>
          <p className={styles.muted}>
            A hidden organization keeps you as a member. To leave it, open “Groups” in your wallet.
          </p>
          <ul className={styles.list}>
            {organizations.map((account) => (
              <li key={account.address} className={styles.row}>
                <CardText title={account.name} detail={shortAddress(account.address)} />
                <LinkButton aria-label={`Hide ${account.name}`} onClick={() => onHide(account)}>
                  Hide
                </LinkButton>
              </li>
            ))}
            {declined.map(({ account, wallet }) => (
              <li key={`${account.address} ${wallet.address}`} className={styles.row}>
                <CardText
                  title={account.name}
                  detail={shortAddress(account.address)}
                  note="Declined or hidden"
                />
                <LinkButton aria-label={`Accept ${account.name}`} onClick={() => onAccept(account)}>
                  Accept
                </LinkButton>
              </li>
            ))}
          </ul>
          <More label="Show more organizations" isLoading={isLoadingMore} onMore={onMoreDeclined} />
        </section>
      )}
    </>
  )
}

function More({
  label,
  isLoading,
  onMore,
}: {
  readonly label: string
  readonly isLoading: boolean
  readonly onMore: (() => void) | undefined
}) {
  if (onMore === undefined) return null
  return (
    <div>
      <Button kind="secondary" busy={isLoading} busyLabel="Loading…" onClick={onMore}>
        {label}
      </Button>
    </div>
  )
}
