/** The audit log: the search and its export. The filters are in the URL. */

import { exportAudit, listAuditKinds, searchAudit } from '@portico/contracts/admin/audit'
import { findPeople } from '@portico/contracts/admin/people'
import type { Parsed } from '@portico/contracts/call'
import { parseJson } from '@portico/contracts/parse-json'
import { Uuid } from '@portico/contracts/text'
import { formatNumber, formatTime } from '@portico/rules/format'
import type { Here } from '@portico/rules/wallet-redirects'
import { useLoad } from '@portico/shell/use-call'
import { Button } from '@portico/ui/button'
import { TextField } from '@portico/ui/text-field'
import { type SubmitEvent, useId } from 'react'
import { Download } from '../download/download.tsx'
import { useEnvironment } from '../environment.ts'
import { Chips, List } from '../list/list.tsx'
import { addressWith, openPage, parameter, useHere } from '../location.ts'
import { NameText, OrganizationNames } from '../name-text.tsx'
import { isPermitted, useOperator } from '../operator/operator.tsx'
import { PageHead } from '../page-head/page-head.tsx'
import { objectPath } from '../routes.ts'
import { kindText } from '../texts.ts'
import styles from './audit.module.css'

type Line = Parsed<(typeof searchAudit)['answer']>['items'][number]

const FILTERS = ['person', 'operator', 'kind', 'network', 'from', 'until'] as const

const LABELS: Readonly<Record<(typeof FILTERS)[number], string>> = {
  person: 'Person',
  operator: 'Operator',
  kind: 'Event',
  network: 'Network',
  from: 'From',
  until: 'Until',
}

export function Audit() {
  const here = useHere()
  const { operator, client } = useOperator()
  const given = (name: string) => parameter(here, name)
  // The database compares IDs in small letters.
  const [person, by] = [given('person')?.toLowerCase(), given('operator')?.toLowerCase()]
  const rest = definedOf({
    kind: given('kind'),
    network: given('network'),
    organizationCode: given('organization'),
    from: timeOf(given('from')),
    until: timeOf(given('until')),
  })
  /** The query of the server's search; undefined if there is no such person. */
  const queryOf = async (signal: AbortSignal) => {
    const idOf = async (text: string | undefined) => {
      if (text === undefined || !text.includes('@')) return text
      const { items } = await client(findPeople, { query: { search: text }, signal })
      return items[0]?.identityUuid ?? null
    }
    const [identityUuid, operatorId] = [await idOf(person), await idOf(by)]
    // The server refuses invalid IDs instead of finding nothing.
    if (identityUuid === null || operatorId === null || !isId(identityUuid)) return undefined
    return { ...rest, ...definedOf({ identityUuid, operatorId }) }
  }
  const hasFile = isId(person) && !by?.includes('@')
  return (
    <>
      <PageHead
        title="Audit log"
        facts="Security events and the acts of operators, newest first. Times are in your time zone."
      >
        {/* The export takes IDs, not email addresses. */}
        {hasFile &&
          (['csv', 'ndjson'] as const).map((format) => (
            <Download
              key={format}
              name={`audit.${format}`}
              path={exportAudit.path}
              query={{
                ...rest,
                ...definedOf({ identityUuid: person, operatorId: by }),
                format,
              }}
            >
              Download {format.toUpperCase()}
            </Download>
          ))}
      </PageHead>
      <Filters key={here.query} here={here} />
      <List
        key={`${here.path} ${here.query}`}
        label="Audit log"
        empty="Events appear here as people log in and operators act."
        filters={[...FILTERS, 'organization']}
        load={async (signal, after) => {
          const query = await queryOf(signal)
          if (query === undefined) return { items: [], next: null }
          return client(searchAudit, { query: { ...query, ...definedOf({ after }) }, signal })
        }}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Event',
            renderCell: ({ kind }: Line) => (
              <a href={addressWith(here, { kind })}>{kindText(kind)}</a>
            ),
          },
          {
            title: 'Time',
            renderCell: ({ at }) => formatTime(at),
            isTime: true,
          },
          {
            title: 'Person',
            renderCell: ({ identityUuid, person: email }) =>
              identityUuid !== null && (
                <a
                  className={email === null ? styles.id : undefined}
                  href={
                    isPermitted(operator, 'people.read')
                      ? objectPath('people', identityUuid)
                      : addressWith(here, { person: identityUuid })
                  }
                >
                  <NameText>{email ?? identityUuid}</NameText>
                </a>
              ),
          },
          {
            title: 'Operator',
            renderCell: (line) =>
              line.operatorId !== null && (
                <a href={addressWith(here, { operator: line.operatorId })}>
                  <NameText>{line.operator ?? line.operatorId}</NameText>
                </a>
              ),
          },
          {
            title: 'Organization',
            renderCell: ({ organizationCode }) =>
              organizationCode && <OrganizationNames codes={[organizationCode]} all="All" />,
          },
          {
            title: 'Network',
            renderCell: ({ network }) => (
              <a className={styles.short} href={addressWith(here, { network })}>
                <bdi>{network}</bdi>
              </a>
            ),
            isDetail: true,
          },
          { title: 'Details', renderCell: (line) => <Details line={line} /> },
        ]}
      />
    </>
  )
}

/** Times in the form and the URL are local. */
function Filters({ here }: { here: Here }) {
  const { client } = useOperator()
  const { reportError } = useEnvironment()
  const { result } = useLoad((signal) => client(listAuditKinds, { signal }), reportError)
  const kindsId = useId()
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    openPage(
      addressWith(
        here,
        Object.fromEntries(FILTERS.map((name) => [name, textOf(name, data.get(name))])),
      ),
    )
  }
  const field = (name: (typeof FILTERS)[number]) => ({
    name,
    label: LABELS[name],
    defaultValue:
      name === 'kind' ? kindText(parameter(here, name) ?? '') : (parameter(here, name) ?? ''),
    autoComplete: 'off',
  })
  const set = FILTERS.filter((name) => parameter(here, name) !== undefined)
  return (
    <>
      <form className={styles.filters} onSubmit={onSubmit} aria-label="Search the audit log">
        <TextField {...field('person')} placeholder="Email or ID" />
        <TextField {...field('operator')} placeholder="Email or ID" />
        <TextField {...field('kind')} placeholder="Sign-in refused" list={kindsId} />
        <datalist id={kindsId}>
          {result?.kinds.map((kind) => (
            <option key={kind}>{kindText(kind)}</option>
          ))}
        </datalist>
        <TextField {...field('network')} placeholder="203.0.113.0" />
        <TextField {...field('from')} type="datetime-local" />
        <TextField {...field('until')} type="datetime-local" />
        <Button type="submit" kind="secondary">
          Search
        </Button>
      </form>
      <div className={styles.chips}>
        <Chips
          chips={set.map((name) => ({
            label: `${LABELS[name]}: ${shown(name, parameter(here, name) ?? '')}`,
            removeHref: addressWith(here, { [name]: undefined }),
          }))}
        />
      </div>
    </>
  )
}

function Details({ line: { id, details, sequence, identityUuid } }: { line: Line }) {
  const facts = Object.entries((parseJson(details) ?? {}) as Readonly<Record<string, unknown>>)
  return (
    <details className={styles.details}>
      <summary>{facts.length === 0 ? 'None' : shortOf(facts)}</summary>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{kindText(name)}</dt>
            <dd>
              <bdi>{wordOf(value)}</bdi>
            </dd>
          </div>
        ))}
        {identityUuid !== null && (
          <div>
            <dt>Person</dt>
            <dd className={styles.id}>{identityUuid}</dd>
          </div>
        )}
        <div>
          <dt>Entry</dt>
          <dd className={styles.id}>{id}</dd>
        </div>
        <div>
          <dt>In the chain</dt>
          <dd>{sequence === null ? 'Not yet' : `Number ${formatNumber(sequence)}`}</dd>
        </div>
      </dl>
    </details>
  )
}

/** Whether the text is an ID; undefined stands for everyone. */
const isId = (text: string | undefined) => text === undefined || Uuid.safeParse(text).success

const wordOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

const shortOf = (facts: readonly (readonly [string, unknown])[]) => {
  // A number needs its name; a text does not.
  const text = facts
    .map(([name, value]) =>
      typeof value === 'string' ? value : `${kindText(name)}: ${wordOf(value)}`,
    )
    .join(', ')
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}

/** The value of a field for the URL. Events may be typed as they are displayed. */
function textOf(name: (typeof FILTERS)[number], value: FormDataEntryValue | null) {
  const text = typeof value === 'string' ? value.trim() : ''
  return name === 'kind' ? text.toLowerCase().replaceAll(/\s+/g, '-') : text
}

const shown = (name: (typeof FILTERS)[number], text: string) => {
  if (name === 'kind') return kindText(text)
  const isTime = (name === 'from' || name === 'until') && !Number.isNaN(Date.parse(text))
  return isTime ? formatTime(Date.parse(text)) : text
}

/** A local time in epoch milliseconds. An invalid one stays, so that the server refuses it instead of finding everything. */
function timeOf(text: string | undefined): string | undefined {
  const at = Date.parse(text ?? '')
  return Number.isNaN(at) ? text : String(at)
}

const definedOf = <Name extends string, Value>(
  values: Readonly<Record<Name, Value | undefined>>,
): Partial<Record<Name, Value>> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<
    Record<Name, Value>
  > // Only undefined values are omitted.
