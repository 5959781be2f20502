/**
 * A paginated list: loading, empty, failed, and the next page. The position is in the URL, so a refresh, the back button and
 * a copied link show the same page.
 */
import type { Failure } from '@portico/shell/failure'
import { FailureAlert } from '@portico/shell/failure-alert'
import { useLoad } from '@portico/shell/use-call'
import { AnchorButton } from '@portico/ui/anchor-button'
import { Button } from '@portico/ui/button'
import { Icon } from '@portico/ui/icon'
import { Link } from '@portico/ui/link'
import { Skeleton } from '@portico/ui/skeleton'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { useEnvironment } from '../environment.ts'
import { addressWith, parameter, useHere } from '../location.ts'
import styles from './list.module.css'

/** A page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly next: string | null
}

export interface Column<Item> {
  readonly title: string
  readonly renderCell: (item: Item) => ReactNode
  /** Right-aligned. */
  readonly isNumber?: true
  /** Stays on one line where there is room. */
  readonly isTime?: true
  /** Sentences or lists of words: wide enough that a long word is not broken. */
  readonly isProse?: true
  /** On phones, which hide the column titles, the title precedes the value. Numbers and times always have it. */
  readonly isTitled?: true
  /** Hidden on phones. */
  readonly isDetail?: true
}

interface ListTexts {
  /** What the list contains, such as 'People'. */
  readonly label: string
  /** The text of an empty list: what will appear here. */
  readonly empty: ReactNode
}

/** Parameters that narrow the list. If one is set, an empty list offers to clear them. */
type Filters = readonly string[]

interface ListProps<Item> extends ListTexts {
  readonly load: (signal: AbortSignal, after: string | undefined) => Promise<Page<Item>>
  readonly columns: readonly Column<Item>[]
  readonly keyOf: (item: Item) => string
  readonly filters?: Filters
}

/** A list that loads itself. The caller passes a new `key` to reload it, such as the URL's filters. */
export function List<Item>(props: ListProps<Item>) {
  const after = parameter(useHere(), 'after')
  return <ListPage key={after} {...props} after={after} />
}

function ListPage<Item>({
  load,
  filters = [],
  after,
  ...view
}: ListProps<Item> & { readonly after: string | undefined }) {
  const here = useHere()
  const { reportError } = useEnvironment()
  const { result, failure, retry } = useLoad((signal) => load(signal, after), reportError)
  const withoutFilters = addressWith(
    here,
    Object.fromEntries(filters.map((name) => [name, undefined])),
  )
  const isFiltered = filters.some((name) => parameter(here, name) !== undefined)
  return (
    <ListView
      {...view}
      page={result}
      failure={failure}
      onRetry={retry}
      clearHref={isFiltered ? withoutFilters : undefined}
      startHref={isFiltered || after !== undefined ? withoutFilters : undefined}
      firstHref={after === undefined ? undefined : addressWith(here, {})}
      nextHref={result?.next == null ? undefined : addressWith(here, { after: result.next })}
    />
  )
}

/** Replaces content that failed to load. Loads again on request, or when the browser is back online. */
export function LoadFailed({ failure, onRetry }: { failure: Failure; onRetry: () => void }) {
  const { network, page } = useEnvironment()
  const onChange = useEffectEvent(() => {
    if (network.isOnline()) onRetry()
  })
  useEffect(() => network.watch(() => onChange()), [network])
  return (
    <div className={styles.failed}>
      <FailureAlert failure={failure} supportPhone={page.supportPhone} />
      <Button kind="secondary" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}

function ListView<Item>({
  label,
  empty,
  page,
  failure,
  onRetry,
  columns,
  keyOf,
  clearHref,
  startHref,
  firstHref,
  nextHref,
}: ListTexts & {
  readonly page: Page<Item> | undefined
  readonly failure?: Failure | undefined
  readonly onRetry: () => void
  readonly columns: readonly Column<Item>[]
  readonly keyOf: (item: Item) => string
  readonly clearHref?: string | undefined
  /** The list without filters and from its start; undefined if this already is that list. */
  readonly startHref: string | undefined
  readonly firstHref?: string | undefined
  readonly nextHref?: string | undefined
}) {
  if (failure !== undefined) {
    // A filter or position that was edited in the URL may be invalid.
    if (failure.reason !== 'invalid-request' || !startHref) {
      return <LoadFailed failure={failure} onRetry={onRetry} />
    }
    return (
      <div className={styles.empty}>
        <p>The filters in this address are not valid.</p>
        <Link href={startHref}>Clear filters</Link>
      </div>
    )
  }
  if (page === undefined) {
    return (
      <div className={styles.loading}>
        <Skeleton shape="field" count={6} label={`Loading ${label.toLowerCase()}`} />
      </div>
    )
  }
  if (page.items.length === 0) {
    return (
      <div className={styles.empty}>
        {clearHref === undefined ? (
          <p>{empty}</p>
        ) : (
          <>
            <p>Nothing matches.</p>
            <Link href={clearHref}>Clear filters</Link>
          </>
        )}
        {firstHref && <Link href={firstHref}>Back to the start</Link>}
      </div>
    )
  }
  return (
    <>
      <Table label={label} columns={columns} items={page.items} keyOf={keyOf} />
      {(firstHref ?? nextHref) !== undefined && (
        <nav className={styles.pages} aria-label={`Pages of ${label.toLowerCase()}`}>
          {firstHref && <Link href={firstHref}>Back to the start</Link>}
          {nextHref && (
            <AnchorButton kind="secondary" href={nextHref}>
              Next
            </AnchorButton>
          )}
        </nav>
      )}
    </>
  )
}

/** The first column names the row. On phones each row has two lines. */
export function Table<Item>({
  label,
  columns,
  items,
  keyOf,
}: {
  readonly label: string
  readonly columns: readonly Column<Item>[]
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
}) {
  const attributes = ({ isNumber, isTime, isProse, isTitled, isDetail }: Column<Item>) => ({
    'data-number': isNumber,
    'data-time': isTime,
    'data-prose': isProse,
    'data-titled': isNumber ?? isTime ?? isTitled,
    'data-detail': isDetail,
  })
  return (
    <table className={styles.table} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.title} scope="col" {...attributes(column)}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={keyOf(item)}>
            {columns.map((column, index) =>
              index === 0 ? (
                <th
                  key={column.title}
                  scope="row"
                  data-title={column.title}
                  {...attributes(column)}
                >
                  {column.renderCell(item)}
                </th>
              ) : (
                <td key={column.title} data-title={column.title} {...attributes(column)}>
                  {column.renderCell(item)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The active filters, each removable. */
export function Chips({
  chips,
}: {
  chips: readonly { readonly label: string; readonly removeHref: string }[]
}) {
  if (chips.length === 0) return null
  return (
    <ul className={styles.chips} aria-label="Active filters">
      {chips.map(({ label, removeHref }) => (
        <li key={label}>
          <a href={removeHref} aria-label={`Remove the filter ${label}`}>
            <bdi>{label}</bdi>
            <Icon name="close" />
          </a>
        </li>
      ))}
    </ul>
  )
}

/** The length of a state that stays on one line. */
const SHORT_STATE = 16

/** A state as colored text. */
export function State({
  tone,
  children,
}: {
  tone: 'ok' | 'warn' | 'danger' | 'neutral'
  children: ReactNode
}) {
  const icons = { ok: 'ok', warn: 'warning', danger: 'danger' } as const
  const isShort = typeof children === 'string' && children.length <= SHORT_STATE
  return (
    <span className={styles.state} data-tone={tone} data-short={isShort || undefined}>
      {tone !== 'neutral' && <Icon name={icons[tone]} />}
      <span>{children}</span>
    </span>
  )
}
