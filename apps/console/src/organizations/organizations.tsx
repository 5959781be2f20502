/** Organizations: the list, the editor and the history. */

import {
  listOrganizations,
  readOrganization,
  readOrganizationHistory,
  undoOrganization,
} from '@portico/contracts/admin/organizations'
import { formatTime } from '@portico/rules/format'
import { useLoad } from '@portico/shell/use-call'
import { Button } from '@portico/ui/button'
import { Link } from '@portico/ui/link'
import { LinkButton } from '@portico/ui/link-button'
import { Skeleton } from '@portico/ui/skeleton'
import { useToast } from '@portico/ui/toast'
import { VisuallyHidden } from '@portico/ui/visually-hidden'
import { type SubmitEvent, useState } from 'react'
import { ActDialog } from '../act-dialog/act-dialog.tsx'
import { Differences } from '../differences/differences.tsx'
import { useEnvironment } from '../environment.ts'
import { Chips, List, LoadFailed, State } from '../list/list.tsx'
import { addressWith, openPage, parameter, useHere } from '../location.ts'
import { NameText } from '../name-text.tsx'
import { isPermitted, useOperator } from '../operator/operator.tsx'
import { PageHead } from '../page-head/page-head.tsx'
import { idIn, objectPath } from '../routes.ts'

import { Editor } from './editor.tsx'
import { CreateOrganization, ImportOrganizations } from './new-organizations.tsx'
import styles from './organizations.module.css'

const LIST = { href: '/console/organizations', title: 'Organizations' }

/** `rest` is the organization's code, or nothing for the list. */
export function Organizations({ rest }: { rest: string }) {
  const [code = '', part] = rest.split('/')
  const orgCode = idIn(code)
  if (orgCode === '') return <OrganizationList />
  return part === 'history' ? (
    <History key={orgCode} orgCode={orgCode} />
  ) : (
    <OrganizationPage key={orgCode} orgCode={orgCode} />
  )
}

function OrganizationList() {
  const here = useHere()
  const { operator, client } = useOperator()
  const [open, setOpen] = useState<'create' | 'import'>()
  const [loads, setLoads] = useState(0)
  const search = parameter(here, 'search')
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const entered = new FormData(event.currentTarget).get('search')
    openPage(addressWith(here, { search: typeof entered === 'string' ? entered.trim() : '' }))
  }
  return (
    <>
      <PageHead title="Organizations">
        {isPermitted(operator, 'organizations.write') && (
          <>
            <Button kind="secondary" onClick={() => setOpen('import')}>
              Import files…
            </Button>
            <Button onClick={() => setOpen('create')}>New organization…</Button>
          </>
        )}
      </PageHead>
      {open === 'create' && <CreateOrganization onClose={() => setOpen(undefined)} />}
      {open === 'import' && (
        <ImportOrganizations
          onClose={() => {
            setOpen(undefined)
            setLoads((count) => count + 1)
          }}
        />
      )}
      <div className={styles.filters}>
        <form role="search" aria-label="Organizations" onSubmit={onSubmit} key={search}>
          <label>
            <VisuallyHidden>Find an organization</VisuallyHidden>
            <input
              type="search"
              name="search"
              placeholder="Code, name or host"
              defaultValue={search}
              maxLength={80}
            />
          </label>
          <Button type="submit" kind="secondary">
            Find
          </Button>
        </form>
        <Chips
          chips={
            search === undefined
              ? []
              : [{ label: search, removeHref: addressWith(here, { search: undefined }) }]
          }
        />
      </div>
      <List
        key={`${here.query} ${loads}`}
        label="Organizations"
        empty="Organizations that you may edit appear here."
        filters={['search']}
        load={(signal, after) =>
          client(listOrganizations, {
            query: {
              ...(search !== undefined && { search }),
              ...(after !== undefined && { after }),
            },
            signal,
          })
        }
        keyOf={({ orgCode }) => orgCode}
        columns={[
          {
            title: 'Name',
            renderCell: ({ orgCode, name, brandColor }) => (
              <span className={styles.name}>
                <Swatch color={brandColor} />
                <a href={objectPath('organizations', orgCode)}>
                  <bdi>{name}</bdi>
                </a>
              </span>
            ),
          },
          { title: 'Code', renderCell: ({ orgCode }) => <code>{orgCode}</code> },
          {
            title: 'Draft',
            renderCell: ({ draft }) =>
              draft && (
                <State tone={draft.state === 'review' ? 'warn' : 'neutral'}>
                  {draft.state === 'review' ? 'Waits for review' : 'Being edited'} by{' '}
                  <NameText>{draft.author}</NameText>
                </State>
              ),
          },
          {
            title: 'Published',
            renderCell: ({ hasFile, isLocked, isRejected, version }) =>
              isRejected ? (
                <State tone="danger">Invalid, so pages use the file</State>
              ) : isLocked ? (
                'Managed in files'
              ) : version === 0 ? (
                hasFile ? (
                  'The file'
                ) : (
                  'Not yet'
                )
              ) : (
                `Version ${version}`
              ),
          },
        ]}
      />
    </>
  )
}

/** An SVG, because the page's policy allows no style attributes. */
const Swatch = ({ color }: { color: string }) => (
  <svg className={styles.swatch} viewBox="0 0 16 16" aria-hidden="true">
    <rect width="16" height="16" rx="3" fill={color} />
  </svg>
)

function OrganizationPage({ orgCode }: { orgCode: string }) {
  const { client } = useOperator()
  const { reportError } = useEnvironment()
  const { result, failure, retry, reload } = useLoad(
    async (signal) => ({
      view: await client(readOrganization, { query: { orgCode }, signal }),
      // A new key resets the editor to the server's data.
      key: crypto.randomUUID(),
    }),
    reportError,
  )
  if (failure !== undefined) {
    return (
      <>
        <PageHead title={orgCode} back={LIST} />
        {failure.reason === 'not-found' || failure.reason === 'invalid-request' ? (
          <p>This organization does not exist, or your roles do not cover it.</p>
        ) : (
          <LoadFailed failure={failure} onRetry={retry} />
        )}
      </>
    )
  }
  if (result === undefined) {
    return (
      <>
        <PageHead title={orgCode} back={LIST} />
        <Skeleton shape="field" count={6} label="Loading the organization" />
      </>
    )
  }
  return <Editor key={result.key} view={result.view} onReload={reload} />
}

function History({ orgCode }: { orgCode: string }) {
  const { operator, client } = useOperator()
  const here = useHere()
  const showToast = useToast()
  const [undoing, setUndoing] = useState<number>()
  const [newest, setNewest] = useState<number>()
  const [hasFile, setHasFile] = useState(true)
  const [loads, setLoads] = useState(0)
  const canUndo = isPermitted(operator, 'organizations.publish')
  return (
    <>
      <PageHead
        title="Publication history"
        back={{ href: objectPath('organizations', orgCode), title: orgCode }}
      />
      <List
        key={`${here.query} ${loads}`}
        label="Published versions"
        empty={`Nothing has been published yet.${hasFile ? ' Pages use the file.' : ''}`}
        load={async (signal, after) => {
          const [answer, { file }] = await Promise.all([
            client(readOrganizationHistory, {
              query: { orgCode, ...(after !== undefined && { after }) },
              signal,
            }),
            client(readOrganization, { query: { orgCode }, signal }),
          ])
          setHasFile(file !== null)
          if (after === undefined) setNewest(answer.items[0]?.version)
          return answer
        }}
        keyOf={({ version }) => String(version)}
        columns={[
          {
            title: 'Version',
            renderCell: ({ version, restores }) =>
              restores === null
                ? `Version ${version}`
                : restores > 0
                  ? `Version ${version}, version ${restores} again`
                  : `Version ${version}, ${hasFile ? 'the file again' : 'removed'}`,
          },
          {
            title: 'Published',
            renderCell: ({ publishedAt }) => formatTime(publishedAt),
            isTime: true,
          },
          {
            title: 'By',
            renderCell: ({ publishedBy, author }) =>
              publishedBy === author ? (
                <NameText>{publishedBy}</NameText>
              ) : (
                <>
                  <NameText>{publishedBy}</NameText>, written by <NameText>{author}</NameText>
                </>
              ),
            isTitled: true,
          },
          { title: 'Reason', renderCell: ({ reason }) => <bdi>{reason}</bdi>, isProse: true },
          {
            title: 'Changes',
            renderCell: ({ differences }) => (
              <details>
                <summary>
                  {differences.length} {differences.length === 1 ? 'field' : 'fields'}
                </summary>
                <Differences differences={differences} />
              </details>
            ),
          },
          ...(canUndo && newest !== undefined
            ? [
                {
                  title: 'Undo',
                  renderCell: ({ version }: { version: number }) =>
                    version === newest ? (
                      <LinkButton onClick={() => setUndoing(0)}>
                        {hasFile ? 'Revert to the file' : 'Remove'}
                      </LinkButton>
                    ) : (
                      <LinkButton onClick={() => setUndoing(version)}>Publish again</LinkButton>
                    ),
                },
              ]
            : []),
        ]}
      />
      <p className={styles.below}>
        <Link href={objectPath('organizations', orgCode)}>Back to the editor</Link>
      </p>
      {undoing !== undefined && newest !== undefined && (
        <ActDialog
          about={`version ${undoing}`}
          texts={
            undoing === 0 && !hasFile
              ? {
                  title: `Remove ${orgCode}?`,
                  consequence: (
                    <p>
                      It has no file, so its addresses show the default organization within seconds.
                      You can publish a version again.
                    </p>
                  ),
                  button: 'Remove',
                  busyLabel: 'Removing…',
                  isDestructive: true,
                }
              : {
                  title:
                    undoing === 0 ? 'Revert to the file?' : `Publish version ${undoing} again?`,
                  consequence: <p>All pages and mails of {orgCode} show it within seconds.</p>,
                  button: 'Publish',
                  busyLabel: 'Publishing…',
                }
          }
          act={(acting, { reason }, signal) =>
            acting(undoOrganization, {
              body: { orgCode, version: undoing, current: newest, reason },
              signal,
            })
          }
          onDone={(answer) => {
            setUndoing(undefined)
            setLoads((count) => count + 1)
            showToast(
              answer.outcome === 'published'
                ? {
                    tone: 'ok',
                    subject: 'publication',
                    text: `Version ${answer.version} is published.`,
                  }
                : {
                    tone: 'warn',
                    text: 'This version is no longer valid, so nothing was published.',
                  },
            )
          }}
          onClose={() => setUndoing(undefined)}
        />
      )}
    </>
  )
}
