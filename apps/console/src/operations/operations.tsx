/** Operations: the queues, the nodes with their relay, the rate limits, and certificates that expire soon. */

import {
  type Operations as Installation,
  listWaitingMessages,
  MAX_WAITING,
  readOperations,
  retryMessages,
  type WaitingMessages,
} from '@portico/contracts/admin/operations'
import { CERTIFICATE_WARNING_MS } from '@portico/contracts/limits'
import { formatDate, formatNumber, formatTime } from '@portico/rules/format'
import { useLoad } from '@portico/shell/use-call'
import { Button } from '@portico/ui/button'
import { Skeleton } from '@portico/ui/skeleton'
import { useToast } from '@portico/ui/toast'
import { type ReactNode, useId, useState } from 'react'
import { ActDialog } from '../act-dialog/act-dialog.tsx'
import { useEnvironment } from '../environment.ts'
import { List, LoadFailed, State, Table } from '../list/list.tsx'
import { NameText, OrganizationNames } from '../name-text.tsx'
import { isPermitted, useOperator } from '../operator/operator.tsx'
import { PageHead } from '../page-head/page-head.tsx'
import { kindText } from '../texts.ts'
import { DEPARTURE_TEXTS, REFUSAL_TEXTS, requestText } from './directory-texts.ts'
import styles from './operations.module.css'

type Message = WaitingMessages['items'][number]

export function Operations() {
  const { client } = useOperator()
  const { reportError } = useEnvironment()
  const { result, failure, retry, reload } = useLoad(
    (signal) => client(readOperations, { signal }),
    reportError,
  )
  const [isRetrying, setRetrying] = useState(false)
  const [loads, setLoads] = useState(0)
  return (
    <>
      <PageHead title="Operations" facts="The current state of the installation.">
        <Button
          kind="secondary"
          onClick={() => {
            setLoads(loads + 1)
            reload()
          }}
        >
          Refresh
        </Button>
      </PageHead>
      {failure !== undefined && <LoadFailed failure={failure} onRetry={retry} />}
      {failure === undefined && result === undefined && (
        <Skeleton shape="card" count={3} label="Loading the state" />
      )}
      {result && (
        <div className={styles.parts}>
          <Waiting state={result} onRetry={() => setRetrying(true)} loads={loads} />
          <Nodes state={result} />
          <RateLimits state={result} />
          <Certificates state={result} />
          <DirectoryRefusals state={result} />
        </div>
      )}
      {isRetrying && (
        <RetryDialog
          onClose={() => setRetrying(false)}
          onDone={() => {
            setRetrying(false)
            setLoads(loads + 1)
            reload()
          }}
        />
      )}
    </>
  )
}

function Part({ title, act, children }: { title: string; act?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={styles.part}>
      <header>
        <h2 id={id}>{title}</h2>
        {act}
      </header>
      {children}
    </section>
  )
}

const countText = (count: number) =>
  count >= MAX_WAITING ? `${formatNumber(MAX_WAITING)} or more` : formatNumber(count)

function Waiting({
  state: { outbox, webhooks },
  loads,
  onRetry,
}: {
  state: Installation
  loads: number
  onRetry: () => void
}) {
  const { operator, client } = useOperator()
  if (outbox === null || webhooks === null) return null
  const queues = [
    { name: 'Mails', ...outbox.email, note: '' },
    { name: 'Text messages', ...outbox.sms, note: '' },
    {
      name: 'Webhooks',
      ...webhooks,
      note:
        webhooks.failing + webhooks.disabled === 0
          ? ''
          : `Endpoints: ${formatNumber(webhooks.failing)} failing, ${formatNumber(webhooks.disabled)} disabled`,
    },
  ]
  const isWaiting = outbox.email.waiting + outbox.sms.waiting > 0
  return (
    <Part
      title="Waiting to be sent"
      act={
        isWaiting &&
        isPermitted(operator, 'operations.write') && (
          <Button kind="secondary" onClick={onRetry}>
            Try to send now…
          </Button>
        )
      }
    >
      <Table
        label="Waiting to be sent"
        items={queues}
        keyOf={({ name }) => name}
        columns={[
          { title: 'Queue', renderCell: ({ name }) => name },
          { title: 'Waiting', renderCell: ({ waiting }) => countText(waiting), isNumber: true },
          {
            title: 'Since',
            renderCell: ({ since }) => (since === null ? '' : formatTime(since)),
            isTime: true,
          },
          {
            title: 'State',
            renderCell: ({ note }) => note !== '' && <State tone="warn">{note}</State>,
          },
        ]}
      />
      {isWaiting && (
        <List
          key={loads}
          label="Waiting messages"
          empty="Everything has been sent."
          load={(signal, after) =>
            client(listWaitingMessages, {
              query: after === undefined ? {} : { after },
              signal,
            })
          }
          keyOf={({ messageUuid }) => messageUuid}
          columns={[
            { title: 'Message', renderCell: ({ kind }: Message) => kindText(kind) },
            { title: 'To', renderCell: ({ recipient }) => <NameText>{recipient}</NameText> },
            {
              title: 'Created',
              renderCell: ({ createdAt }) => formatTime(createdAt),
              isTime: true,
            },
            {
              title: 'Attempts',
              renderCell: ({ attempts }) => formatNumber(attempts),
              isNumber: true,
            },
            {
              title: 'Next attempt',
              renderCell: ({ nextAttemptAt }) => formatTime(nextAttemptAt),
              isTime: true,
              isDetail: true,
            },
          ]}
        />
      )}
    </Part>
  )
}

function Nodes({ state: { nodes, database } }: { state: Installation }) {
  const versions = new Set(nodes.map(({ version }) => version))
  const waiting = nodes.find(({ relay }) => relay?.waitingTopics != null)?.relay?.waitingTopics
  return (
    <Part title="Nodes">
      <p className={styles.quiet}>
        {database.engine === 'embedded' ? 'Embedded database' : 'PostgreSQL'}, a query took{' '}
        {formatNumber(database.latencyMs, { digits: 1 })} ms.
        {waiting != null &&
          ` Messages of ${formatNumber(waiting)} wallet ${waiting === 1 ? 'connection wait' : 'connections wait'} at the relay.`}
        {versions.size > 1 && ' The nodes have different versions: an upgrade is in progress.'}
      </p>
      <Table
        label="Nodes"
        items={nodes}
        keyOf={({ nodeId }) => nodeId}
        columns={[
          {
            title: 'Node',
            renderCell: ({ nodeId }) => <code className={styles.id}>{nodeId}</code>,
          },
          { title: 'Version', renderCell: ({ version }) => version, isTitled: true },
          { title: 'Started', renderCell: ({ startedAt }) => formatTime(startedAt), isTime: true },
          { title: 'Last report', renderCell: ({ seenAt }) => formatTime(seenAt), isTime: true },
          {
            title: 'Relay connections',
            renderCell: ({ relay }) => relay && formatNumber(relay.connections),
            isNumber: true,
          },
          ...(nodes.some(({ redis }) => redis !== undefined && redis !== 'none')
            ? [
                {
                  title: 'Redis',
                  renderCell: ({ redis }: Installation['nodes'][number]) => redis && REDIS[redis],
                  isTitled: true as const,
                },
              ]
            : []),
        ]}
      />
    </Part>
  )
}

const REDIS = {
  none: <State tone="neutral">Not configured</State>,
  ready: <State tone="ok">Ready</State>,
  unreachable: <State tone="danger">Not reachable</State>,
}

function RateLimits({ state: { rateLimits } }: { state: Installation }) {
  if (rateLimits === null) return null
  return (
    <Part title="Rate limits">
      {rateLimits.length === 0 ? (
        <p className={styles.quiet}>No request was refused in the last 24 hours.</p>
      ) : (
        <>
          <p className={styles.quiet}>
            Requests refused in the last 24 hours. An occasional refusal is normal. Many refused
            logins can be an attack.
          </p>
          <Table
            label="Rate limits"
            items={rateLimits}
            keyOf={({ limit }) => limit}
            columns={[
              { title: 'Call or page', renderCell: ({ limit }) => kindText(limit) },
              {
                title: 'Refused',
                renderCell: ({ refused }) => formatNumber(refused),
                isNumber: true,
              },
              {
                title: 'Latest hour',
                renderCell: ({ lastHour }) => formatTime(lastHour),
                isTime: true,
              },
            ]}
          />
        </>
      )}
    </Part>
  )
}

function Certificates({ state: { certificates } }: { state: Installation }) {
  const { now } = useEnvironment()
  const stateOf = (expiresAt: number) => {
    if (expiresAt <= now()) return <State tone="danger">Expired</State>
    return expiresAt - now() <= CERTIFICATE_WARNING_MS ? (
      <State tone="warn">Expires soon</State>
    ) : (
      <State tone="ok">Valid</State>
    )
  }
  return (
    <Part title="Certificates of identity providers">
      {certificates.length === 0 ? (
        <p className={styles.quiet}>No identity provider signs with a certificate.</p>
      ) : (
        <Table
          label="Certificates of identity providers"
          items={certificates}
          keyOf={({ organizationCode, provider }) => `${organizationCode} ${provider}`}
          columns={[
            { title: 'Provider', renderCell: ({ provider }) => <bdi>{provider}</bdi> },
            {
              title: 'Organization',
              renderCell: ({ organizationCode }) => (
                <OrganizationNames codes={[organizationCode]} />
              ),
            },
            {
              title: 'Expires',
              renderCell: ({ expiresAt }) => formatDate(expiresAt),
              isTime: true,
            },
            { title: 'State', renderCell: ({ expiresAt }) => stateOf(expiresAt) },
          ]}
        />
      )}
    </Part>
  )
}

function DirectoryRefusals({ state: { directoryRefusals } }: { state: Installation }) {
  return (
    <Part title="Refused directory requests">
      {directoryRefusals.length === 0 ? (
        <p className={styles.quiet}>No request of a directory was refused in the last 30 days.</p>
      ) : (
        <>
          <p className={styles.quiet}>
            Requests that directories sent by SCIM and that were refused in the last 30 days. The
            directory’s own log has the values.
          </p>
          <Table
            label="Refused directory requests"
            items={directoryRefusals}
            keyOf={(each) =>
              [
                each.organizationCode,
                each.provider,
                each.method,
                each.resource,
                each.reason,
                each.attribute,
                each.isDepartureApplied,
              ].join(' ')
            }
            columns={[
              {
                title: 'Provider',
                renderCell: ({ provider, organizationCode }) => (
                  <>
                    <bdi>{provider}</bdi>, <OrganizationNames codes={[organizationCode]} />
                  </>
                ),
              },
              {
                title: 'Request',
                renderCell: ({ method, resource }) => requestText(method, resource),
                isTitled: true,
              },
              {
                title: 'Why',
                renderCell: ({ attribute, reason, resource, isDepartureApplied }) => (
                  <>
                    {attribute !== null && (
                      <>
                        <code>{attribute}</code>:{' '}
                      </>
                    )}
                    {REFUSAL_TEXTS[reason]}
                    {isDepartureApplied && ` ${DEPARTURE_TEXTS[resource]}`}
                  </>
                ),
                isProse: true,
              },
              {
                title: 'Refused',
                renderCell: ({ refused }) => formatNumber(refused),
                isNumber: true,
              },
              { title: 'Latest', renderCell: ({ lastAt }) => formatTime(lastAt), isTime: true },
            ]}
          />
        </>
      )}
    </Part>
  )
}

function RetryDialog({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const showToast = useToast()
  return (
    <ActDialog
      texts={{
        title: 'Try to send everything now?',
        consequence: (
          <p>
            Otherwise each message is tried at its next time. A message that is being sent at this
            moment may arrive twice.
          </p>
        ),
        button: 'Try now',
        busyLabel: 'One moment…',
      }}
      act={(client, { reason }, signal) => client(retryMessages, { body: { reason }, signal })}
      onDone={({ changed }) => {
        showToast({
          tone: 'ok',
          text: `${formatNumber(changed)} ${changed === 1 ? 'message is' : 'messages are'} being sent.`,
        })
        onDone()
      }}
      onClose={onClose}
    />
  )
}
