/** One person's data, and the acts of operators. */

import {
  changePersonOrganization,
  deletePerson,
  endPersonSessions,
  exportPerson,
  impersonatePerson,
  lockPerson,
  type Person,
  type ResettableFactor,
  readPerson,
  resendPersonMessage,
  resetPersonFactor,
  unlockPerson,
} from '@portico/contracts/admin/people'
import { IMPERSONATION_MS } from '@portico/contracts/limits'
import { formatDate, formatNumber, formatTime } from '@portico/rules/format'
import { useLoad } from '@portico/shell/use-call'
import { Button } from '@portico/ui/button'
import { Checkbox } from '@portico/ui/checkbox'
import { EmailText } from '@portico/ui/email-text'
import { Fact, Facts } from '@portico/ui/facts'
import { LinkButton } from '@portico/ui/link-button'
import { SelectField } from '@portico/ui/select-field'
import { Skeleton } from '@portico/ui/skeleton'
import { useToast } from '@portico/ui/toast'
import { type ReactNode, useId, useState } from 'react'
import { ActDialog, type ActDialogProps } from '../act-dialog/act-dialog.tsx'
import { useEnvironment } from '../environment.ts'
import { LoadFailed, State, Table } from '../list/list.tsx'
import { openPage } from '../location.ts'
import { OrganizationNames } from '../name-text.tsx'
import { isPermitted, useOperator } from '../operator/operator.tsx'
import { PageHead } from '../page-head/page-head.tsx'
import { FACTOR_TEXTS, kindText, ROLE_TEXTS } from '../texts.ts'
import styles from './people.module.css'

const LIST = { href: '/console/people', title: 'People' }

/** The act whose dialog is open. */
type Act =
  | { readonly kind: 'unlock' | 'lock' | 'end-sessions' | 'move' | 'view' | 'export' | 'delete' }
  | { readonly kind: 'reset'; readonly factor: ResettableFactor }
  | { readonly kind: 'resend'; readonly messageUuid: string }

export function PersonPage({ identityUuid }: { identityUuid: string }) {
  const { client } = useOperator()
  const { reportError } = useEnvironment()
  const { result, failure, retry, reload } = useLoad(
    (signal) => client(readPerson, { query: { identityUuid }, signal }),
    reportError,
  )
  const [act, setAct] = useState<Act>()
  // Outdated data is not shown if loading it again after an act fails.
  if (result === undefined || failure !== undefined) {
    return (
      <>
        <PageHead title="Person" back={LIST} />
        {failure === undefined ? (
          <Skeleton shape="field" count={6} label="Loading the person" />
        ) : failure.reason === 'not-found' || failure.reason === 'invalid-request' ? (
          <p>This person does not exist, or your roles do not cover their organization.</p>
        ) : (
          <LoadFailed failure={failure} onRetry={retry} />
        )}
      </>
    )
  }
  return (
    <>
      <PersonView person={result} onAct={setAct} />
      {act && (
        <PersonAct
          act={act}
          person={result}
          onDone={() => {
            setAct(undefined)
            if (act.kind === 'delete') openPage(LIST.href)
            else reload()
          }}
          onClose={() => setAct(undefined)}
        />
      )}
    </>
  )
}

function PersonView({ person, onAct }: { person: Person; onAct: (act: Act) => void }) {
  const { operator } = useOperator()
  const { copy, now } = useEnvironment()
  const showToast = useToast()
  const { attempts, factors, email, identityUuid, lockedAt } = person
  const canUnlock =
    lockedAt !== null ||
    attempts.wrong > 0 ||
    attempts.isSecondStepClosed ||
    person.directoryLocks.length > 0
  const canWrite =
    isPermitted(operator, 'people.write') &&
    (!person.isOperator || isPermitted(operator, 'operators.write'))
  const walletName = (address: string) => {
    const wallet = person.wallets.find((each) => each.address === address)
    return wallet ? <bdi>{wallet.name}</bdi> : <code>{address}</code>
  }
  const canView =
    isPermitted(operator, 'people.impersonate') && !person.isOperator && lockedAt === null
  const copyId = async () => {
    const isCopied = await copy(identityUuid)
    showToast(isCopied ? { tone: 'ok', text: 'ID copied.' } : { tone: 'warn', text: identityUuid })
  }
  const set: readonly (readonly [ResettableFactor, ReactNode])[] = [
    ...(factors.totp ? [['totp', 'On'] as const] : []),
    ...(factors.passkeys.length > 0
      ? [['passkeys', factors.passkeys.map(({ name }) => name).join(', ')] as const]
      : []),
    ...(factors.phones.length > 0
      ? [['phones', factors.phones.map(({ value }) => value).join(', ')] as const]
      : []),
    ...(factors.email ? [['email', 'On'] as const] : []),
    ...(factors.questions > 0 ? [['questions', `${factors.questions} answered`] as const] : []),
    ...(factors.recoveryCodesLeft > 0
      ? [['recovery-codes', `${factors.recoveryCodesLeft} left`] as const]
      : []),
  ]
  return (
    <>
      <PageHead
        title={<EmailText>{email}</EmailText>}
        documentTitle={email}
        back={LIST}
        facts={
          <>
            <AccountState person={person} />
            <OrganizationNames codes={[person.organizationCode]} />
            <span className={styles.id}>
              <code>{identityUuid}</code>{' '}
              <LinkButton onClick={() => void copyId()}>Copy</LinkButton>
            </span>
          </>
        }
      >
        {canView && (
          <Button kind="secondary" onClick={() => onAct({ kind: 'view' })}>
            View as this person
          </Button>
        )}
        {canWrite && (
          <>
            <Button kind="secondary" onClick={() => onAct({ kind: 'end-sessions' })}>
              End sessions
            </Button>
            {lockedAt === null && (
              <Button kind="secondary" onClick={() => onAct({ kind: 'lock' })}>
                Lock
              </Button>
            )}
            {canUnlock && <Button onClick={() => onAct({ kind: 'unlock' })}>Unlock</Button>}
          </>
        )}
      </PageHead>
      {person.isOperator && (
        <p className={styles.note}>
          This person is an operator
          {/* Of other organizations only, if there are none. */}
          {person.roles.length > 0 &&
            ` (${person.roles.map(({ role }) => ROLE_TEXTS[role].title).join(', ')})`}
          . Only administrators can act on operators.
        </p>
      )}
      <div className={styles.columns}>
        <div className={styles.facts}>
          <Part title="Account">
            <Facts>
              {person.name !== null && (
                <Fact label="Name">
                  <bdi>{person.name}</bdi>
                </Fact>
              )}
              <Fact label="Type">
                {person.profileType === 'AGENT' ? 'Broker agent' : 'Borrower'}
              </Fact>
              <Fact label="Registered">{formatTime(person.createdAt)}</Fact>
              <Fact label="Organization">
                <OrganizationNames codes={[person.organizationCode]} />{' '}
                {canWrite && operator.organizations.length > 1 && (
                  <LinkButton onClick={() => onAct({ kind: 'move' })}>Change</LinkButton>
                )}
              </Fact>
            </Facts>
          </Part>
          <Part title="Sign-in">
            <Facts>
              <Fact label="Password">
                {!factors.hasPassword ? 'None' : factors.passwordExpired ? 'Expired' : 'Set'}
              </Fact>
              {set.map(([factor, text]) => (
                <Fact key={factor} label={FACTOR_TEXTS[factor]}>
                  {text}{' '}
                  {canWrite && (
                    <LinkButton
                      aria-label={`Reset: ${FACTOR_TEXTS[factor]}`}
                      onClick={() => onAct({ kind: 'reset', factor })}
                    >
                      Reset
                    </LinkButton>
                  )}
                </Fact>
              ))}
              {factors.providers.map(({ name, manages }) => (
                <Fact key={name} label="Identity provider">
                  {name}
                  {manages && ', which manages the account'}
                </Fact>
              ))}
            </Facts>
          </Part>
          <Part title="Sessions" empty={person.sessions.length === 0 && 'No session is open.'}>
            <Table
              label="Sessions"
              items={person.sessions}
              keyOf={({ uuid }) => uuid}
              columns={[
                { title: 'Device', renderCell: ({ device }) => device },
                { title: 'Network', renderCell: ({ network }) => network },
                { title: 'By', renderCell: ({ method }) => kindText(method), isTitled: true },
                {
                  title: 'Since',
                  renderCell: ({ signedInAt }) => formatTime(signedInAt),
                  isTime: true,
                },
              ]}
            />
          </Part>
          {person.devices.length > 0 && (
            <Part title="Devices">
              <Table
                label="Devices"
                items={person.devices}
                keyOf={({ firstSeenAt, lastSeenAt }) => `${firstSeenAt} ${lastSeenAt}`}
                columns={[
                  {
                    title: 'First login',
                    renderCell: ({ firstSeenAt }) => formatTime(firstSeenAt),
                    isTime: true,
                  },
                  {
                    title: 'Last login',
                    renderCell: ({ lastSeenAt }) => formatTime(lastSeenAt),
                    isTime: true,
                  },
                  {
                    title: 'Second step',
                    renderCell: ({ trustedUntil }) =>
                      trustedUntil === null || trustedUntil <= now()
                        ? 'Required'
                        : `Skipped until ${formatDate(trustedUntil)}`,
                    isTitled: true,
                  },
                ]}
              />
            </Part>
          )}
          <Part title="Wallets" empty={person.wallets.length === 0 && 'No wallet is attached.'}>
            <Table
              label="Wallets"
              items={person.wallets}
              keyOf={({ address }) => address}
              columns={[
                { title: 'Wallet', renderCell: ({ name }) => <bdi>{name}</bdi> },
                { title: 'Address', renderCell: ({ address }) => <code>{address}</code> },
                {
                  title: 'Verified',
                  renderCell: ({ verifiedAt }) =>
                    verifiedAt === null ? 'No' : formatDate(verifiedAt),
                  isTime: true,
                },
              ]}
            />
          </Part>
          {person.accounts.length > 0 && (
            <Part title="Accounts">
              <Table
                label="Accounts"
                items={person.accounts}
                keyOf={({ address }) => address}
                columns={[
                  { title: 'Account', renderCell: ({ name }) => <bdi>{name}</bdi> },
                  { title: 'Address', renderCell: ({ address }) => <code>{address}</code> },
                  {
                    title: 'Wallet',
                    renderCell: ({ walletAddress }) => walletName(walletAddress),
                    isTitled: true,
                  },
                ]}
              />
            </Part>
          )}
          {person.passports.length > 0 && (
            <Part title="Passports">
              <Table
                label="Passports"
                items={person.passports}
                keyOf={({ passportUuid }) => passportUuid}
                columns={[
                  { title: 'Type', renderCell: ({ type }) => kindText(type) },
                  {
                    title: 'Organization',
                    renderCell: ({ organizationCode }) => (
                      <OrganizationNames codes={[organizationCode]} />
                    ),
                  },
                  {
                    title: 'Started',
                    renderCell: ({ createdAt }) => formatDate(createdAt),
                    isTime: true,
                  },
                ]}
              />
            </Part>
          )}
          <Part
            title="Mail and text messages"
            empty={person.messages.length === 0 && 'No messages yet.'}
          >
            <Table
              label="Mail and text messages"
              items={person.messages}
              keyOf={({ messageUuid }) => messageUuid}
              columns={[
                { title: 'Message', renderCell: ({ kind }) => kindText(kind) },
                {
                  title: 'State',
                  renderCell: ({ state, attempts }) =>
                    state === 'sent' ? (
                      <State tone="neutral">Sent</State>
                    ) : state === 'dropped' ? (
                      <State tone="danger">Not delivered</State>
                    ) : (
                      <State tone="warn">
                        Waiting
                        {attempts > 0 &&
                          `, ${attempts} failed ${attempts === 1 ? 'attempt' : 'attempts'}`}
                      </State>
                    ),
                },
                {
                  title: 'Created',
                  renderCell: ({ createdAt }) => formatTime(createdAt),
                  isTime: true,
                },
                {
                  title: 'Action',
                  renderCell: ({ state, messageUuid }) =>
                    state === 'waiting' &&
                    canWrite && (
                      <LinkButton onClick={() => onAct({ kind: 'resend', messageUuid })}>
                        Send now
                      </LinkButton>
                    ),
                },
              ]}
            />
          </Part>
          {canWrite && (
            <Part title="Data">
              <div className={styles.data}>
                <Button kind="secondary" onClick={() => onAct({ kind: 'export' })}>
                  Export data
                </Button>
                <button
                  type="button"
                  className={styles.delete}
                  onClick={() => onAct({ kind: 'delete' })}
                >
                  Delete the account
                </button>
              </div>
            </Part>
          )}
        </div>
        <Part title="Activity" empty={person.events.length === 0 && 'No activity yet.'}>
          <ol className={styles.events}>
            {person.events.map(({ at, kind, network, operator: by, reason }) => (
              <li key={`${at} ${kind} ${network}`}>
                <strong>{kindText(kind)}</strong>
                <span>
                  {formatTime(at)} · {by === null ? network : `by ${by}`}
                </span>
                {reason && <bdi>{reason}</bdi>}
              </li>
            ))}
          </ol>
        </Part>
      </div>
    </>
  )
}

/** Whether the person can log in. A lockout concerns only the networks and browsers of the wrong attempts. */
function AccountState({ person: { lockedAt, attempts, directoryLocks } }: { person: Person }) {
  if (lockedAt !== null) return <State tone="danger">Locked since {formatTime(lockedAt)}</State>
  const [directory] = directoryLocks
  if (directory !== undefined) {
    return (
      <State tone="danger">
        Locked by the directory of {directory.name} since {formatTime(directory.since)}
      </State>
    )
  }
  const { wrong, lockedUntil, isSecondStepClosed } = attempts
  const count = wrong === 1 ? '1 wrong attempt' : `${formatNumber(wrong)} wrong attempts`
  return (
    <>
      {lockedUntil !== null ? (
        <State tone="danger">
          Locked out until {formatTime(lockedUntil)} after {count}
        </State>
      ) : wrong > 0 ? (
        <State tone="warn">Active, {count}</State>
      ) : (
        <State tone="ok">Active</State>
      )}
      {isSecondStepClosed && (
        <State tone="danger">Second step blocked after too many wrong codes</State>
      )}
    </>
  )
}

function Part({
  title,
  empty,
  children,
}: {
  title: string
  /** Shown instead of the content. */
  empty?: string | false
  children: ReactNode
}) {
  const id = useId()
  return (
    <section className={styles.part} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {empty ? <p className={styles.quiet}>{empty}</p> : children}
    </section>
  )
}

type Result = Awaited<ReturnType<ActDialogProps<{ readonly file?: string }>['act']>>

function PersonAct({
  act,
  person: { identityUuid, email, organizationCode },
  onDone,
  onClose,
}: {
  act: Act
  person: Person
  onDone: () => void
  onClose: () => void
}) {
  const { operator } = useOperator()
  const { download, viewPages } = useEnvironment()
  const showToast = useToast()
  // The form holds only text fields.
  const [deletesWallets, setDeletesWallets] = useState(false)
  const finish =
    (text: string) =>
    ({ file }: Result) => {
      if (file !== undefined) download(`${email}.json`, file)
      showToast({ tone: 'ok', text })
      onDone()
    }
  const shared = { onClose }
  switch (act.kind) {
    case 'unlock':
      return (
        <ActDialog
          {...shared}
          texts={{
            title: (
              <>
                Unlock <EmailText>{email}</EmailText>?
              </>
            ),
            consequence: (
              <p>
                They can log in again, and wrong attempts no longer count. We notify them by mail.
              </p>
            ),
            button: 'Unlock',
            busyLabel: 'Unlocking…',
          }}
          act={(client, { reason }, signal) =>
            client(unlockPerson, { body: { identityUuid, reason }, signal })
          }
          onDone={({ changed }) =>
            finish(
              changed
                ? `${email} is unlocked and was notified by mail.`
                : `${email} was no longer locked.`,
            )({})
          }
        />
      )
    case 'lock':
      return (
        <ActDialog
          {...shared}
          texts={{
            title: (
              <>
                Lock <EmailText>{email}</EmailText>?
              </>
            ),
            consequence: (
              <p>Their sessions end, and they cannot log in until someone unlocks them.</p>
            ),
            button: 'Lock',
            busyLabel: 'Locking…',
            isDestructive: true,
          }}
          act={async (client, { reason }, signal) => {
            await client(lockPerson, { body: { identityUuid, reason }, signal })
            return {}
          }}
          onDone={finish(`${email} is locked.`)}
        />
      )
    case 'view':
      return (
        <ActDialog
          {...shared}
          texts={{
            title: (
              <>
                View as <EmailText>{email}</EmailText>?
              </>
            ),
            consequence: (
              <p>
                You see what they see for {IMPERSONATION_MS / 60_000} minutes. You cannot change or
                sign anything. We notify them by mail, and their activity shows it.
              </p>
            ),
            button: 'View as this person',
            busyLabel: 'Opening…',
          }}
          act={(client, { reason }, signal) =>
            client(impersonatePerson, { body: { identityUuid, reason }, signal })
          }
          onDone={({ jwt, sessionUuid }) => viewPages({ jwt, sessionUuid, organizationCode })}
        />
      )
    case 'end-sessions':
      return (
        <ActDialog
          {...shared}
          texts={{
            title: (
              <>
                End all sessions of <EmailText>{email}</EmailText>?
              </>
            ),
            consequence: (
              <p>
                This logs them out everywhere and forgets their remembered devices. We notify them
                by mail.
              </p>
            ),
            button: 'End sessions',
            busyLabel: 'Ending…',
          }}
          act={async (client, { reason }, signal) => {
            await client(endPersonSessions, { body: { identityUuid, reason }, signal })
            return {}
          }}
          onDone={finish(`The sessions of ${email} have ended. They were notified by mail.`)}
        />
      )
    case 'reset': {
      const { factor } = act
      return (
        <ActDialog
          {...shared}
          about={factor}
          texts={{
            title: (
              <>
                Reset {FACTOR_TEXTS[factor].toLowerCase()} for <EmailText>{email}</EmailText>?
              </>
            ),
            consequence: (
              <p>
                This removes it and ends their sessions. They can set it up again. We notify them by
                mail. First verify that you are talking to the right person.
              </p>
            ),
            button: 'Reset',
            busyLabel: 'Resetting…',
            isDestructive: true,
          }}
          act={async (client, { reason }, signal) => {
            await client(resetPersonFactor, { body: { identityUuid, reason, factor }, signal })
            return {}
          }}
          onDone={finish(`${FACTOR_TEXTS[factor]}: reset. ${email} was notified by mail.`)}
        />
      )
    }
    case 'move':
      return (
        <ActDialog
          {...shared}
          texts={{
            title: (
              <>
                Move <EmailText>{email}</EmailText> to another organization?
              </>
            ),
            consequence: <p>They see its brand from now on. We notify them by mail.</p>,
            button: 'Move',
            busyLabel: 'Moving…',
          }}
          rules={{
            organization: ({ organization }) =>
              organization ? undefined : 'Please choose an organization.',
          }}
          renderFields={(field) => (
            <SelectField {...field('organization')} label="Organization">
              <option value="">Choose…</option>
              {operator.organizations
                .filter((each) => each.organizationCode !== organizationCode)
                .map((each) => (
                  <option key={each.organizationCode} value={each.organizationCode}>
                    {each.name}
                  </option>
                ))}
            </SelectField>
          )}
          act={async (client, { reason, organization = '' }, signal) => {
            const body = { identityUuid, reason, organizationCode: organization }
            await client(changePersonOrganization, { body, signal })
            return {}
          }}
          onDone={finish(`${email} has moved and was notified by mail.`)}
        />
      )
    case 'resend':
      return (
        <ActDialog
          {...shared}
          about={act.messageUuid}
          texts={{
            title: 'Send this message now?',
            consequence: (
              <p>
                It is sent to <EmailText>{email}</EmailText> now instead of at the next scheduled
                attempt.
              </p>
            ),
            button: 'Send now',
            busyLabel: 'Sending…',
          }}
          act={async (client, { reason }, signal) => {
            const { messageUuid } = act
            await client(resendPersonMessage, {
              body: { identityUuid, reason, messageUuid },
              signal,
            })
            return {}
          }}
          onDone={finish('The message is being sent.')}
        />
      )
    case 'export':
      return (
        <ActDialog
          {...shared}
          texts={{
            title: (
              <>
                Export the data of <EmailText>{email}</EmailText>?
              </>
            ),
            consequence: <p>You download everything stored about them. We notify them by mail.</p>,
            button: 'Export',
            busyLabel: 'Exporting…',
          }}
          act={async (client, { reason }, signal) => {
            const data = await client(exportPerson, { body: { identityUuid, reason }, signal })
            return { file: JSON.stringify(data, null, 2) }
          }}
          onDone={finish(`The data of ${email} was exported. They were notified by mail.`)}
        />
      )
    case 'delete':
      return (
        <ActDialog
          {...shared}
          texts={{
            title: (
              <>
                Delete <EmailText>{email}</EmailText>?
              </>
            ),
            consequence: (
              <p>
                The account is deleted at once and cannot be restored. They can register again. We
                notify them by mail.
              </p>
            ),
            button: 'Delete',
            busyLabel: 'Deleting…',
            isDestructive: true,
            nameToEnter: email,
          }}
          renderFields={() => (
            <Checkbox
              label="Also delete the keys of hosted wallets; their funds are lost"
              checked={deletesWallets}
              onChange={({ currentTarget: { checked } }) => setDeletesWallets(checked)}
            />
          )}
          act={async (client, { reason, name = '' }, signal) => {
            const body = {
              identityUuid,
              reason,
              email: name.trim(),
              ...(deletesWallets && { deleteHostedWallets: true }),
            }
            await client(deletePerson, { body, signal })
            return {}
          }}
          onDone={finish(`The account ${email} was deleted, and its owner was notified by mail.`)}
        />
      )
  }
}
