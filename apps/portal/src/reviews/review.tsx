import { ApiError } from '@portico/client/api-error'
import { downloadPassportFile } from '@portico/contracts/passport-files'
import {
  decideReview,
  MAX_REVIEW_REASON,
  type Review,
  type ReviewDecision,
  readReview,
} from '@portico/contracts/passport-review'
import { formPages } from '@portico/contracts/passport-sections'
import { formatDate } from '@portico/rules/format'
import { FailureAlert } from '@portico/shell/failure-alert'
import { useCall, useLoad } from '@portico/shell/use-call'
import { Alert } from '@portico/ui/alert'
import { AnchorButton } from '@portico/ui/anchor-button'
import { Button } from '@portico/ui/button'
import { Dialog } from '@portico/ui/dialog'
import { EmailText } from '@portico/ui/email-text'
import { Fact, Facts } from '@portico/ui/facts'
import { Icon } from '@portico/ui/icon'
import { Link } from '@portico/ui/link'
import { LinkButton } from '@portico/ui/link-button'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import { TextArea } from '@portico/ui/text-area'
import { useToast } from '@portico/ui/toast'
import { type ReactNode, type SubmitEvent, useId, useRef, useState } from 'react'
import { useEnvironment } from '../environment.ts'
import { formatFileSize } from '../file-names.ts'
import { openPage } from '../page-location.ts'
import { answerText, fieldTexts, ROLE_LABELS, statusLabel, TYPE_LABELS } from '../passport-texts.ts'
import { REVIEWS_PATH, type ReviewKey, reviewPath } from '../routes.ts'
import {
  ENTRY_LABELS,
  investorText,
  REVIEWED_TITLES,
  reviewedPageTitle,
  waitText,
} from './review-texts.ts'
import styles from './reviews.module.css'

type DecisionEvent = ReviewDecision['event']

/** One submitted section: its answers, history and the decision. */
export function ReviewPage({
  passportUuid,
  section,
  supportPhone,
}: ReviewKey & { supportPhone: string }) {
  const { client, reportError } = useEnvironment()
  const showToast = useToast()
  const [now] = useState(() => Date.now())
  const [deciding, setDeciding] = useState<DecisionEvent>()
  const [isOutdated, setOutdated] = useState(false)
  const { result, failure, retry, reload } = useLoad(
    (signal) => client(readReview, { query: { passportUuid, section }, signal }),
    reportError,
  )
  if (result === undefined) {
    return (
      <Page title="Review">
        {failure === undefined ? (
          <Skeleton shape="card" count={2} label="Loading the review" />
        ) : failure.reason === 'not-found' ? (
          <p>You cannot review this passport, or it does not exist any more.</p>
        ) : (
          <>
            <FailureAlert failure={failure} supportPhone={supportPhone} />
            <Button onClick={retry}>Try again</Button>
          </>
        )}
      </Page>
    )
  }
  const decided = (event: DecisionEvent, next: ReviewKey | null) => {
    const what = `${investorText(result)}, ${REVIEWED_TITLES[section]}: ${ENTRY_LABELS[event]}.`
    showToast({ tone: 'ok', text: what })
    openPage(next === null ? REVIEWS_PATH : reviewPath(next))
  }
  const outdated = () => {
    setDeciding(undefined)
    setOutdated(true)
    // To the notice: the buttons of the decision are below the answers.
    window.scrollTo(0, 0)
    reload()
  }
  return (
    <>
      <ReviewView review={result} now={now} isOutdated={isOutdated} onDecide={setDeciding} />
      {deciding !== undefined && (
        <DecisionDialog
          event={deciding}
          review={result}
          supportPhone={supportPhone}
          onClose={() => setDeciding(undefined)}
          onDecided={(next) => decided(deciding, next)}
          onOutdated={outdated}
        />
      )}
    </>
  )
}

/** The heading keeps the focus while the content below it changes. */
function Page({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.review}>
      <Stack>
        <Stack gap="inside">
          <p>
            <Link href={REVIEWS_PATH}>All reviews</Link>
          </p>
          <h1 tabIndex={-1}>{title}</h1>
        </Stack>
        {children}
      </Stack>
    </div>
  )
}

export function ReviewView({
  review,
  now,
  isOutdated,
  onDecide,
}: {
  review: Review
  now: number
  /** Whether the user's decision was refused, because the section has changed. */
  isOutdated: boolean
  onDecide: (event: DecisionEvent) => void
}) {
  const { section, passportStructureType: type, isWaiting, answers, members, sections } = review
  const others = sections.filter((each) => each.section !== section)
  return (
    <Page
      title={
        <>
          {REVIEWED_TITLES[section]}: <bdi>{investorText(review)}</bdi>
        </>
      }
    >
      {isOutdated && <OutdatedNotice review={review} />}
      <ReviewFacts review={review} now={now} />
      {formPages(section, type).map(({ page, fields, takesEvidence }) => (
        <Part key={page} title={reviewedPageTitle(page)}>
          <Facts>
            {fields.map(({ name, isOptional }) =>
              isOptional && !answers[name] ? null : (
                <Fact key={name} label={fieldTexts(name).label}>
                  <bdi>{answerText(name, answers[name] ?? '')}</bdi>
                </Fact>
              ),
            )}
          </Facts>
          {takesEvidence && <Files review={review} />}
        </Part>
      ))}
      {members.length > 0 && (
        <Part title="Members">
          <ul className={styles.entries}>
            {members.map(({ memberUuid, name, email, role, joinedAt }) => (
              <li key={memberUuid}>
                <bdi>{name}</bdi>, {ROLE_LABELS[role]}
                {joinedAt === null && ', invited'}
                <br />
                <span className={styles.muted}>
                  <EmailText>{email}</EmailText>
                </span>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {others.length > 0 && (
        <Part title="Other parts of this passport">
          <ul className={styles.entries}>
            {others.map((other) => (
              <li key={other.section}>
                <Link href={reviewPath({ ...review, ...other })}>
                  {REVIEWED_TITLES[other.section]}
                </Link>{' '}
                <span className={styles.muted}>{statusLabel(other.status)}</span>
              </li>
            ))}
          </ul>
        </Part>
      )}
      <History review={review} />
      {isWaiting ? (
        <div className={styles.actions}>
          <Button onClick={() => onDecide('approved')}>Approve</Button>
          <Button kind="secondary" onClick={() => onDecide('returned')}>
            Ask for more
          </Button>
          <Button kind="secondary" onClick={() => onDecide('denied')}>
            Deny
          </Button>
        </div>
      ) : (
        <AnchorButton kind="secondary" href={REVIEWS_PATH}>
          Go to what is waiting
        </AnchorButton>
      )}
    </Page>
  )
}

function OutdatedNotice({ review: { isWaiting, section, history } }: { review: Review }) {
  const last = history.findLast((each) => each.section === section)
  if (isWaiting) {
    return (
      <Alert tone="warn" title="The answers were submitted again">
        <p>Nothing was decided. Check the answers as they are now.</p>
      </Alert>
    )
  }
  return last === undefined || last.event === 'submitted' ? (
    <Alert tone="warn" title="The investor is changing the answers">
      <p>Nothing was decided. The answers wait for you again once they are submitted.</p>
    </Alert>
  ) : (
    <Alert tone="warn" title="Another reviewer decided first">
      <p>
        {last.by ?? 'A reviewer'} {ENTRY_LABELS[last.event]}. Your decision was not saved.
      </p>
    </Alert>
  )
}

function ReviewFacts({ review, now }: { review: Review; now: number }) {
  const { status, isWaiting, submittedAt, passportStructureType, creatorEmail } = review
  return (
    <Facts>
      <Fact label="Status">
        <span className={styles.status}>
          <Icon name={isWaiting ? 'clock' : status === 'DENIED' ? 'danger' : 'info'} />
          {isWaiting
            ? `Waiting for ${waitText(submittedAt, now)}, since ${formatDate(submittedAt)}`
            : statusLabel(status)}
        </span>
      </Fact>
      <Fact label="Investor">{TYPE_LABELS[passportStructureType]}</Fact>
      {creatorEmail !== null && (
        <Fact label="Filled in by">
          <EmailText>{creatorEmail}</EmailText>
        </Fact>
      )}
      <Fact label="Account">
        <bdi className={styles.address} dir="ltr">
          {review.ownerWalletAddress}
        </bdi>
      </Fact>
    </Facts>
  )
}

/** The evidence. Files are downloaded, never shown as a page. */
function Files({ review: { files } }: { review: Review }) {
  if (files.length === 0) return <p className={styles.muted}>No files were added.</p>
  return (
    <ul className={styles.entries} aria-label="Files">
      {files.map((file) => (
        <FileEntry key={file.fileUuid} file={file} />
      ))}
    </ul>
  )
}

function FileEntry({
  file: { fileUuid, name, bytes, addedAt },
}: {
  file: Review['files'][number]
}) {
  const { client, download, reportError } = useEnvironment()
  const { pending, failure, run } = useCall(reportError)
  const save = () =>
    run(
      (signal) => client(downloadPassportFile, { query: { fileUuid }, signal }),
      (content) => download(name, content),
    )
  return (
    <li>
      <LinkButton onClick={save} disabled={pending}>
        <bdi>{name}</bdi>
      </LinkButton>{' '}
      <span className={styles.muted}>
        {pending ? 'Downloading…' : `${formatFileSize(bytes)}, added on ${formatDate(addedAt)}`}
      </span>
      {failure !== undefined && (
        <p role="alert">We could not download this file. Please try again.</p>
      )}
    </li>
  )
}

function History({ review: { section, history } }: { review: Review }) {
  const entries = history.filter((each) => each.section === section)
  return (
    <Part title="What happened">
      <ol className={styles.entries}>
        {entries.map(({ at, event, reason, by }) => (
          <li key={`${at} ${event}`}>
            <time dateTime={new Date(at).toISOString()}>{formatDate(at)}</time>:{' '}
            {ENTRY_LABELS[event]}
            {by !== null && (
              <>
                {' by '}
                <EmailText>{by}</EmailText>
              </>
            )}
            {reason !== null && (
              <p className={styles.reason} dir="auto">
                {reason}
              </p>
            )}
          </li>
        ))}
      </ol>
    </Part>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles.part} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

interface DecisionTexts {
  readonly title: string
  readonly text: string
  readonly button: string
  readonly busyLabel: string
  /** The label and error of the message that the investor reads. */
  readonly reason?: { readonly label: string; readonly error: string }
}

const DECISIONS: Readonly<Record<DecisionEvent, DecisionTexts>> = {
  approved: {
    title: 'Approve these answers?',
    text: 'We mail the investor. You cannot take this back.',
    button: 'Approve',
    busyLabel: 'Approving…',
  },
  returned: {
    title: 'Ask for more',
    text: 'The investor can change the answers and submit them again. We send a mail that leads to your message.',
    button: 'Send',
    busyLabel: 'Sending…',
    reason: { label: 'What do you need?', error: 'Please say what you need.' },
  },
  denied: {
    title: 'Deny these answers?',
    text: 'We send the investor a mail that leads to your reason. You cannot take this back.',
    button: 'Deny',
    busyLabel: 'Denying…',
    reason: { label: 'Why?', error: 'Please give a reason.' },
  },
}

export function DecisionDialog({
  event,
  review: { passportUuid, section, version, ...review },
  supportPhone,
  onClose,
  onDecided,
  onOutdated,
}: {
  event: DecisionEvent
  review: Review
  supportPhone: string
  onClose: () => void
  onDecided: (next: ReviewKey | null) => void
  onOutdated: () => void
}) {
  const { client, reportError } = useEnvironment()
  const { pending, failure, run } = useCall(reportError)
  const [error, setError] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)
  const texts = DECISIONS[event]
  const onSubmit = (submitted: SubmitEvent<HTMLFormElement>) => {
    submitted.preventDefault()
    const reason = field.current?.value ?? ''
    if (texts.reason !== undefined && reason.trim() === '') {
      setError(texts.reason.error)
      field.current?.focus()
      return
    }
    setError(undefined)
    const decision: ReviewDecision = event === 'approved' ? { event } : { event, reason }
    run(
      async (signal) => {
        try {
          const body = { passportUuid, section, version, decision }
          return await client(decideReview, { body, signal })
        } catch (refused) {
          if (refused instanceof ApiError && refused.reason === 'review-outdated') return undefined
          throw refused
        }
      },
      (answer) => (answer === undefined ? onOutdated() : onDecided(answer.next)),
    )
  }
  return (
    <Dialog open title={texts.title} onClose={onClose}>
      <form method="post" noValidate onSubmit={onSubmit}>
        <Stack>
          <FailureAlert failure={failure} supportPhone={supportPhone} />
          <p>
            <strong dir="auto">{investorText(review)}</strong>, {REVIEWED_TITLES[section]}.{' '}
            {texts.text}
          </p>
          {texts.reason !== undefined && (
            <TextArea
              ref={field}
              label={texts.reason.label}
              hint="The investor reads this."
              error={error}
              rows={5}
              maxLength={MAX_REVIEW_REASON}
              dir="auto"
            />
          )}
          <Stack gap="inside">
            <Button
              type="submit"
              kind={event === 'denied' ? 'danger' : 'primary'}
              wide
              busy={pending}
              busyLabel={texts.busyLabel}
            >
              {texts.button}
            </Button>
            <Button kind="secondary" wide onClick={onClose}>
              Cancel
            </Button>
          </Stack>
        </Stack>
      </form>
    </Dialog>
  )
}
