import { ApiError } from '@portico/client/api-error'
import type { Client } from '@portico/client/client'
import {
  type Passport,
  type PassportSummary,
  readCreatorPassportStatus,
  readPassport,
} from '@portico/contracts/passport'
import {
  PASSPORT_SECTIONS,
  type PassportSection,
  REVIEWED_SECTIONS,
  SECTION_TITLES,
} from '@portico/contracts/passport-sections'
import type { PassportStatus } from '@portico/contracts/passport-status'
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import { formatDate } from '@portico/rules/format'
import { passportPath, statusGroup } from '@portico/rules/gatekeeper'
import {
  isOpenForAnswers,
  isWaitingForReview,
  openDecisions,
} from '@portico/rules/passport-transitions'
import { shortAddress } from '@portico/rules/short-address'
import { FailureAlert } from '@portico/shell/failure-alert'
import { useCall, useLoad } from '@portico/shell/use-call'
import { AnchorButton } from '@portico/ui/anchor-button'
import { Button } from '@portico/ui/button'
import { Dialog } from '@portico/ui/dialog'
import { Icon } from '@portico/ui/icon'
import { LinkButton } from '@portico/ui/link-button'
import { RowLink } from '@portico/ui/row-link'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import { VisuallyHidden } from '@portico/ui/visually-hidden'
import { type ReactNode, useState } from 'react'
import { useEnvironment } from '../environment.ts'
import { EVENT_LABELS, statusLabel, TYPE_LABELS } from '../passport-texts.ts'
import { reopenSection } from './fill-in.services.ts'
import styles from './passport.module.css'
import { ReviewMessages } from './review-messages.tsx'
import { storedRequest, type Task, taskOf } from './stored-request.ts'

interface LandingData {
  readonly passport: Passport | undefined
  /** The user's other passports. */
  readonly others: readonly PassportSummary[]
  readonly task: Task
  /** Whether the page is navigating to the request's redirect URL. */
  readonly isLeaving: boolean
}

/** The account's passport: what is complete, what is left, and where to continue (§4.10). */
export function Landing({ supportPhone }: { supportPhone: string }) {
  const { client, deviceStorage, replace, reportError } = useEnvironment()
  const { result, failure, retry } = useLoad(async (signal): Promise<LandingData> => {
    const request = storedRequest(deviceStorage)
    const [passport, accessible] = await Promise.all([
      findPassport(client, request?.passportUuid, signal),
      client(readCreatorPassportStatus, { signal }),
    ])
    const task = taskOf(request, passport)
    const isComplete = passport !== undefined && task.open.length === 0
    const isLeaving = isComplete && task.edits === undefined && task.continueAt !== undefined
    if (isLeaving) {
      // A request is used once, so that the landing page can be opened again.
      deviceStorage.remove(STORAGE_KEYS.flowRequest)
      replace(task.continueAt)
    }
    const others = accessible.filter(({ passportUuid }) => passportUuid !== passport?.passportUuid)
    return { passport, others, task, isLeaving }
  }, reportError)
  if (failure !== undefined) {
    return (
      <Page>
        <FailureAlert failure={failure} supportPhone={supportPhone} />
        <Button wide onClick={retry}>
          Try again
        </Button>
      </Page>
    )
  }
  if (result === undefined || result.isLeaving) {
    return (
      <Page>
        <Skeleton shape="card" count={2} label="Loading your passport" />
      </Page>
    )
  }
  return (
    <Page>
      <Content {...result} supportPhone={supportPhone} />
    </Page>
  )
}

/** The heading keeps the focus while the content below it changes. */
function Page({ children }: { children: ReactNode }) {
  return (
    <div className={styles.narrow}>
      <Stack>
        <Stack gap="inside">
          <h1 tabIndex={-1}>Passport</h1>
          <p>Who you are and how you may invest, proven once for every offer.</p>
        </Stack>
        {children}
      </Stack>
    </div>
  )
}

/** The passport that a request names if the user may use it, or else the account's. */
async function findPassport(
  client: Client,
  passportUuid: string | undefined,
  signal: AbortSignal,
): Promise<Passport | undefined> {
  try {
    const query = passportUuid === undefined ? {} : { passportUuid }
    return await client(readPassport, { query, signal })
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason !== 'not-found') throw error
    return passportUuid === undefined ? undefined : findPassport(client, undefined, signal)
  }
}

type LandingViewProps = Omit<LandingData, 'isLeaving'> & { supportPhone: string }

/** The loaded page. */
export function LandingView(props: LandingViewProps) {
  return (
    <Page>
      <Content {...props} />
    </Page>
  )
}

function Content({ passport, others, task, supportPhone }: LandingViewProps) {
  // On a device where no account is chosen, the person's own passports are among the others.
  const hasOnlyOthers = passport === undefined && others.length > 0
  return (
    <Stack gap="sections">
      {hasOnlyOthers && <PassportList title="Passports that you work on" passports={others} />}
      {passport === undefined ? (
        <Stack>
          <p>Some offers are open only to investors with a passport. It takes about ten minutes.</p>
          <AnchorButton
            kind={hasOnlyOthers ? 'secondary' : 'primary'}
            wide
            href={passportPath({ page: 'type-of-investor' })}
          >
            {hasOnlyOthers ? 'Start another passport' : 'Start'}
          </AnchorButton>
        </Stack>
      ) : (
        <OwnPassport passport={passport} task={task} supportPhone={supportPhone} />
      )}
      {task.leaveAt !== undefined && (
        <AnchorButton kind="secondary" wide href={task.leaveAt}>
          Continue without completing it
        </AnchorButton>
      )}
      {passport !== undefined && others.length > 0 && (
        <PassportList title="Other passports that you work on" passports={others} />
      )}
    </Stack>
  )
}

function PassportList({
  title,
  passports,
}: {
  title: string
  passports: readonly PassportSummary[]
}) {
  return (
    <section className={styles.checked} aria-labelledby="passport-list">
      <h2 id="passport-list">{title}</h2>
      <ul>
        {passports.map(
          ({
            passportUuid = '',
            passportStructureType,
            ownerWalletAddress,
            status,
            decisions = [],
          }) => (
            <li key={passportUuid}>
              <RowLink
                href={passportPath({ page: 'resume', passportUuid })}
                title={`${TYPE_LABELS[passportStructureType ?? 'INDIVIDUAL']} ${shortAddress(ownerWalletAddress ?? '')}`}
                details={
                  decisions.some(({ event }) => event === 'returned')
                    ? 'A reviewer needs more from you'
                    : statusLabel(status.kycStatus)
                }
              />
            </li>
          ),
        )}
      </ul>
    </section>
  )
}

function OwnPassport({
  passport,
  task,
  supportPhone,
}: {
  passport: Passport
  task: Task
  supportPhone: string
}) {
  const { client, replace, reportError } = useEnvironment()
  const { pending, failure, run } = useCall(reportError)
  const [confirming, setConfirming] = useState<Passport['sections'][number]>()
  const { passportUuid, passportStructureType: type, access, sections, history } = passport
  const resume = passportPath({ page: 'resume', passportUuid })
  const rowOf = (section: PassportSection) => sections.find((each) => each.section === section)
  const shown = PASSPORT_SECTIONS.filter(
    (section) => task.sections.includes(section) || rowOf(section) !== undefined,
  )
  const isComplete = task.open.length === 0
  const isInReview = sections.some(({ status }) => isWaitingForReview(status))
  const isDenied = task.open.some((section) => rowOf(section)?.status === 'DENIED')
  const decisions = openDecisions(history)
  const isReturned = decisions.some(({ event }) => event === 'returned')
  const edit = (section: PassportSection) =>
    run(
      async (signal) => {
        const row = rowOf(section)
        if (row === undefined || isOpenForAnswers(row.status)) return
        await reopenSection(client, { passportUuid, section }, signal)
      },
      () => replace(resume),
    )
  return (
    <Stack>
      <FailureAlert failure={failure} supportPhone={supportPhone} />
      <p>
        {TYPE_LABELS[type]}{' '}
        <span className={styles.address}>{shortAddress(passport.ownerWalletAddress)}</span>
      </p>
      <ReviewMessages history={history} />
      <ul className={styles.statuses}>
        {shown.map((section) => {
          const row = rowOf(section)
          const tone = row && toneOf(row.status)
          const isEditable = row !== undefined && statusGroup(row.status) === 'complete'
          return (
            <li key={section} data-tone={tone}>
              <Icon name={tone ?? 'clock'} />
              <span>{SECTION_TITLES[section]}</span>
              <span className={styles.status}>{statusLabel(row?.status)}</span>
              {isEditable && access === 'owner' && section !== task.edits && (
                <LinkButton onClick={() => setConfirming(row)}>
                  Edit<VisuallyHidden> {SECTION_TITLES[section]}</VisuallyHidden>
                </LinkButton>
              )}
            </li>
          )
        })}
      </ul>
      {confirming !== undefined && (
        <EditDialog
          passportUuid={passportUuid}
          section={confirming}
          supportPhone={supportPhone}
          onClose={() => setConfirming(undefined)}
          onReopened={() => replace(`${resume}?section=${confirming.section}`)}
        />
      )}
      {!isComplete && (
        <AnchorButton wide href={resume}>
          {isReturned
            ? 'Answer the reviewer'
            : isDenied
              ? 'Edit your answers'
              : 'Continue filling in'}
        </AnchorButton>
      )}
      {task.edits !== undefined && access === 'owner' && isComplete && (
        <Button
          wide
          busy={pending}
          busyLabel="One moment…"
          onClick={() => task.edits && edit(task.edits)}
        >
          Edit: {SECTION_TITLES[task.edits]}
        </Button>
      )}
      {isComplete && task.continueAt !== undefined && (
        <AnchorButton
          kind={task.edits === undefined ? 'primary' : 'secondary'}
          wide
          href={task.continueAt}
        >
          Continue
        </AnchorButton>
      )}
      {type !== 'INDIVIDUAL' && access === 'owner' && (
        <RowLink
          href={passportPath({ page: 'add-member', passportUuid })}
          title="Members"
          details="Invite others who help to fill it in."
        />
      )}
      {history.length > 0 && (
        <section className={styles.checked} aria-labelledby="passport-history">
          <h2 id="passport-history">What happened</h2>
          {isInReview && (
            <p>A review takes one to two business days. We mail you when it is done.</p>
          )}
          <ol className={styles.history}>
            {history.map((entry) => (
              <li key={`${entry.at} ${entry.section} ${entry.event}`}>
                <time dateTime={new Date(entry.at).toISOString()}>{formatDate(entry.at)}</time>{' '}
                {SECTION_TITLES[entry.section]}: {EVENT_LABELS[entry.event]}
                {entry.reason !== null && !decisions.includes(entry) && (
                  <p className={styles.message} dir="auto">
                    {entry.reason}
                  </p>
                )}
              </li>
            ))}
          </ol>
        </section>
      )}
    </Stack>
  )
}

/** Says what editing a complete section means before it is reopened. */
function EditDialog({
  passportUuid,
  section: { section, status },
  supportPhone,
  onClose,
  onReopened,
}: {
  passportUuid: string
  section: Passport['sections'][number]
  supportPhone: string
  onClose: () => void
  onReopened: () => void
}) {
  const { client, reportError } = useEnvironment()
  const { pending, failure, run } = useCall(reportError)
  return (
    <Dialog open title={`Edit: ${SECTION_TITLES[section]}`} onClose={onClose}>
      <Stack>
        <FailureAlert failure={failure} supportPhone={supportPhone} />
        <p>
          {isWaitingForReview(status)
            ? 'This section has not been reviewed yet. If you edit it, the review stops. It starts again once you submit your changes.'
            : REVIEWED_SECTIONS.includes(section)
              ? 'This section is approved. If you edit it, it is incomplete until you submit it, and then it is reviewed again.'
              : 'This section is complete. If you edit it, it is incomplete until you submit it again.'}
        </p>
        <Stack gap="inside">
          <Button
            wide
            busy={pending}
            busyLabel="One moment…"
            onClick={() =>
              run((signal) => reopenSection(client, { passportUuid, section }, signal), onReopened)
            }
          >
            Edit
          </Button>
          <Button kind="secondary" wide onClick={onClose}>
            Cancel
          </Button>
        </Stack>
      </Stack>
    </Dialog>
  )
}

/** A section in review is complete for the investor (§4.9) but not approved. */
function toneOf(status: PassportStatus): 'ok' | 'danger' | undefined {
  if (status === 'DENIED') return 'danger'
  return statusGroup(status) === 'complete' && !isWaitingForReview(status) ? 'ok' : undefined
}
