import { DEFAULT_REDIRECT, MAX_REVIEWS_COUNTED } from '@portico/contracts/limits'
import {
  REVIEW_STATES,
  type ReviewItem,
  type ReviewQueue,
  type ReviewState,
  readReviewQueue,
} from '@portico/contracts/passport-review'
import { formatDate, formatNumber } from '@portico/rules/format'
import type { Failure } from '@portico/shell/failure'
import { FailureAlert } from '@portico/shell/failure-alert'
import { useCall, useLoad } from '@portico/shell/use-call'
import { Button } from '@portico/ui/button'
import { Link } from '@portico/ui/link'
import { RowLink } from '@portico/ui/row-link'
import { SelectField } from '@portico/ui/select-field'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import { type ReactNode, useState } from 'react'
import { useEnvironment } from '../environment.ts'
import { openPage } from '../page-location.ts'
import { TYPE_LABELS } from '../passport-texts.ts'
import { REVIEWS_PATH, reviewPath } from '../routes.ts'
import { investorText, REVIEWED_TITLES, STATE_LABELS, waitText } from './review-texts.ts'
import styles from './reviews.module.css'

/** The queue's filters, which are kept in the URL. */
interface Filter {
  readonly state: ReviewState
  readonly organizationCode: string | undefined
}

function filterOf(query: string): Filter {
  const parameters = new URLSearchParams(query)
  const state = REVIEW_STATES.find((each) => each === parameters.get('state')) ?? 'waiting'
  return { state, organizationCode: parameters.get('organization') ?? undefined }
}

function filterPath({ state, organizationCode }: Filter): string {
  const query = new URLSearchParams({
    ...(state !== 'waiting' && { state }),
    ...(organizationCode !== undefined && { organization: organizationCode }),
  }).toString()
  return query === '' ? REVIEWS_PATH : `${REVIEWS_PATH}?${query}`
}

type Summary = Pick<ReviewQueue, 'counts' | 'organizations'>

/** The submitted sections that the user can decide on, and those already decided. */
export function Queue({ query, supportPhone }: { query: string; supportPhone: string }) {
  const filter = filterOf(query)
  // Kept while another state is loading.
  const [summary, setSummary] = useState<Summary>()
  return (
    <QueueView filter={filter} summary={summary} onFilter={(next) => openPage(filterPath(next))}>
      <Items
        key={filterPath(filter)}
        filter={filter}
        supportPhone={supportPhone}
        onSummary={setSummary}
      />
    </QueueView>
  )
}

export function QueueView({
  filter,
  summary,
  onFilter,
  children,
}: {
  filter: Filter
  summary: Summary | undefined
  onFilter: (filter: Filter) => void
  children: ReactNode
}) {
  return (
    <Stack>
      <Stack gap="inside">
        <h1 tabIndex={-1}>Reviews</h1>
        <p>Decide about the sections that investors have submitted.</p>
      </Stack>
      <nav aria-label="Reviews by state" className={styles.states}>
        <ul>
          {REVIEW_STATES.map((state) => (
            <li key={state}>
              <a
                href={filterPath({ ...filter, state })}
                aria-current={state === filter.state ? 'page' : undefined}
              >
                {STATE_LABELS[state]}
                {summary && (
                  <span className={styles.count}> {countText(summary.counts[state])}</span>
                )}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {summary !== undefined && summary.organizations.length > 1 && (
        <div className={styles.organization}>
          <SelectField
            label="Organization"
            value={filter.organizationCode ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onFilter({ ...filter, organizationCode: value || undefined })
            }
          >
            <option value="">All organizations</option>
            {summary.organizations.map(({ organizationCode, name }) => (
              <option key={organizationCode} value={organizationCode}>
                {name}
              </option>
            ))}
          </SelectField>
        </div>
      )}
      {children}
    </Stack>
  )
}

function Items({
  filter,
  supportPhone,
  onSummary,
}: {
  filter: Filter
  supportPhone: string
  onSummary: (summary: Summary) => void
}) {
  const { client, reportError } = useEnvironment()
  const [now] = useState(() => Date.now())
  const read = async (signal: AbortSignal, after?: string) => {
    const { state, organizationCode } = filter
    const page = await client(readReviewQueue, {
      query: {
        state,
        ...(organizationCode !== undefined && { organizationCode }),
        ...(after !== undefined && { after }),
      },
      signal,
    })
    onSummary(page)
    return page
  }
  const { result, failure, retry } = useLoad((signal) => read(signal), reportError)
  const more = useCall(reportError)
  const [added, setAdded] = useState<readonly ReviewQueue[]>([])
  const pages = result === undefined ? [] : [result, ...added]
  const next = pages.at(-1)?.next ?? undefined
  if (failure?.reason === 'not-found') {
    return filter.organizationCode === undefined ? (
      <Stack gap="inside">
        <p>You do not have the reviewer role.</p>
        <p>
          <Link href={DEFAULT_REDIRECT}>Go to Home</Link>
        </p>
      </Stack>
    ) : (
      <Stack gap="inside">
        <p>You are not a reviewer for the organization in this URL, or it does not exist.</p>
        <p>
          <Link href={filterPath({ ...filter, organizationCode: undefined })}>
            Show all your organizations
          </Link>
        </p>
      </Stack>
    )
  }
  return (
    <ItemsView
      state={filter.state}
      items={result && pages.flatMap(({ items }) => items)}
      now={now}
      failure={failure ?? more.failure}
      supportPhone={supportPhone}
      onRetry={result === undefined ? retry : undefined}
      isLoadingMore={more.pending}
      onMore={
        next === undefined
          ? undefined
          : () =>
              more.run(
                (signal) => read(signal, next),
                (page) => setAdded((before) => [...before, page]),
              )
      }
    />
  )
}

const EMPTY: Readonly<Record<ReviewState, string>> = {
  waiting: 'Nothing is waiting for a review. Sections appear here when investors submit them.',
  'with-investor': 'No section is waiting for an investor.',
  approved: 'Nothing is approved yet.',
  denied: 'Nothing was denied.',
}

/** `items` is undefined while they are loading. */
export function ItemsView({
  state,
  items,
  now,
  failure,
  supportPhone,
  onRetry,
  onMore,
  isLoadingMore,
}: {
  state: ReviewState
  items: readonly ReviewItem[] | undefined
  now: number
  failure: Failure | undefined
  supportPhone: string
  onRetry: (() => void) | undefined
  onMore: (() => void) | undefined
  isLoadingMore: boolean
}) {
  if (items === undefined && failure === undefined) {
    return <Skeleton shape="card" count={3} label="Loading the reviews" />
  }
  return (
    <Stack>
      {items?.length === 0 && <p className={styles.empty}>{EMPTY[state]}</p>}
      {items !== undefined && items.length > 0 && (
        <ul className={styles.items}>
          {items.map((item) => (
            <li key={`${item.passportUuid} ${item.section}`}>
              <RowLink
                href={reviewPath(item)}
                title={<bdi>{investorText(item)}</bdi>}
                details={`${REVIEWED_TITLES[item.section]} · ${TYPE_LABELS[item.passportStructureType]} · ${
                  state === 'waiting'
                    ? `waiting for ${waitText(item.submittedAt, now)}`
                    : `submitted on ${formatDate(item.submittedAt)}`
                }`}
              />
            </li>
          ))}
        </ul>
      )}
      <FailureAlert failure={failure} supportPhone={supportPhone} />
      {onRetry !== undefined && failure !== undefined && (
        <Button onClick={onRetry}>Try again</Button>
      )}
      {onMore !== undefined && (
        <div>
          <Button kind="secondary" busy={isLoadingMore} busyLabel="Loading…" onClick={onMore}>
            Show more
          </Button>
        </div>
      )}
    </Stack>
  )
}

const countText = (count: number) =>
  count < MAX_REVIEWS_COUNTED ? count : `${formatNumber(count)}+`
