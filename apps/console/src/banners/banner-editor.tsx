/** Edits one banner: draft, preview, publication and history. */

import {
  type BannerContent,
  type BannerItem,
  discardBannerDraft,
  endBanner,
  publishBanner,
  readBannerHistory,
  saveBannerDraft,
} from '@portico/contracts/admin/banners'
import { formatTime, userTimeZone } from '@portico/rules/format'
import { FailureAlert } from '@portico/shell/failure-alert'
import { useCall, useLoad } from '@portico/shell/use-call'
import { Alert } from '@portico/ui/alert'
import { Banner } from '@portico/ui/banner'
import { Button } from '@portico/ui/button'
import { Checkbox } from '@portico/ui/checkbox'
import { LinkButton } from '@portico/ui/link-button'
import { SelectField } from '@portico/ui/select-field'
import { Skeleton } from '@portico/ui/skeleton'
import { TextArea } from '@portico/ui/text-area'
import { TextField } from '@portico/ui/text-field'
import { useToast } from '@portico/ui/toast'
import { useEffect, useId, useRef, useState } from 'react'
import { ActDialog } from '../act-dialog/act-dialog.tsx'
import { useEnvironment } from '../environment.ts'
import { LoadFailed, State, Table } from '../list/list.tsx'
import { openPage } from '../location.ts'
import { NameText } from '../name-text.tsx'
import { isPermitted, useOperator } from '../operator/operator.tsx'
import { PageHead } from '../page-head/page-head.tsx'
import { objectPath } from '../routes.ts'

import { useUnsavedEdits } from '../unsaved-edits.ts'
import styles from './banners.module.css'

type Content = Readonly<Record<string, unknown>>
type Errors = readonly { readonly field: string; readonly message: string }[]

const EMPTY: BannerContent = {
  message: '',
  apps: ['login', 'dashboard'],
  variant: 'info',
  dismissable: true,
  startsAt: null,
  endsAt: null,
  organizationCodes: null,
}

/** The applications that show banners. */
const APPS = { login: 'Before the login', dashboard: 'Signed-in pages' } as const

export function BannerEditor({
  id,
  banner,
  back,
  onReload,
}: {
  id: string
  /** Undefined for a new one. */
  banner: BannerItem | undefined
  back: { readonly href: string; readonly title: string }
  onReload: () => void
}) {
  const { operator, client } = useOperator()
  const { page, now, reportError } = useEnvironment()
  const showToast = useToast()
  const { restored, write, clear } = useUnsavedEdits(`banners ${banner === undefined ? 'new' : id}`)
  const [content, setContent] = useState<Content>(
    restored?.content ?? banner?.draft?.content ?? banner?.published ?? EMPTY,
  )
  const [revision, setRevision] = useState(restored?.revision ?? banner?.draft?.revision ?? 0)
  const [errors, setErrors] = useState<Errors>(banner?.draft?.errors ?? [])
  const [isChanged, setChanged] = useState(restored !== undefined)
  const [conflict, setConflict] = useState<{ readonly theirs: BannerItem | null }>()
  const [open, setOpen] = useState<'publish' | 'end'>()
  const [isShownAgain, setShownAgain] = useState(false)
  // Time fields are uncontrolled, so that they keep half a date; a new key resets them to an earlier version.
  const [timesKey, setTimesKey] = useState(0)
  const saving = useCall(reportError)
  const version = banner?.version ?? 0
  const baseVersion = restored?.baseVersion ?? version
  const changes = useRef(0)
  const change = (changed: Content) => {
    setContent((before) => ({ ...before, ...changed }))
    changes.current += 1
    setChanged(true)
  }
  useEffect(() => {
    if (isChanged) write({ content, revision, baseVersion })
    // oxlint-disable-next-line react/exhaustive-deps -- `write` is new in each render
  }, [isChanged, content, revision, baseVersion])
  const reload = () => {
    clear()
    onReload()
  }
  const errorOf = (field: string) =>
    errors.find((error) => error.field === field || error.field.startsWith(`${field}.`))?.message
  const saved = (next: number, found: Errors, sent: number) => {
    setRevision(next)
    setErrors(found)
    // Input entered during the save is not saved yet.
    setChanged(changes.current !== sent)
    clear()
    setConflict(undefined)
    showToast({
      tone: 'ok',
      subject: 'publication',
      text: 'The draft is saved. Nothing is published yet.',
    })
  }
  const save = (over = { revision, baseVersion }) => {
    const sent = changes.current
    saving.run(
      (signal) => client(saveBannerDraft, { body: { id, content, ...over }, signal }),
      (answer) => {
        if (answer.outcome === 'conflict') return setConflict(answer)
        saved(answer.revision, answer.errors, sent)
        if (banner === undefined) openPage(objectPath('banners', id))
        else if (over.baseVersion !== version) reload()
      },
    )
  }
  const discard = () =>
    saving.run(
      (signal) => client(discardBannerDraft, { body: { id, revision }, signal }),
      () => (version === 0 && banner?.origin !== 'file' ? openPage(back.href) : reload()),
    )
  return (
    <>
      <PageHead
        title={banner === undefined ? 'New banner' : 'Banner'}
        back={back}
        facts={
          <>
            {banner && <BannerState banner={banner} now={now()} />}
            {banner?.origin === 'file' && ' From the banner file. '}
            {version > 0 && <span> Version {version} </span>}
            {isChanged && (
              <span>
                <State tone="warn">Not saved</State>{' '}
                <LinkButton onClick={reload}>Undo my changes</LinkButton>
              </span>
            )}
          </>
        }
      >
        {revision > 0 && (
          <Button kind="secondary" busy={saving.pending} busyLabel="One moment…" onClick={discard}>
            Discard draft
          </Button>
        )}
        {banner !== undefined && isOpen(banner, now()) && (
          <Button kind="secondary" onClick={() => setOpen('end')}>
            End now…
          </Button>
        )}
        <Button
          kind={isChanged || revision === 0 ? 'primary' : 'secondary'}
          busy={saving.pending}
          busyLabel="Saving…"
          onClick={() => save()}
        >
          Save draft
        </Button>
        {revision > 0 && !isChanged && banner !== undefined && (
          <Button onClick={() => setOpen('publish')}>Publish…</Button>
        )}
      </PageHead>
      <FailureAlert failure={saving.failure} supportPhone={page.supportPhone} />
      {conflict && (
        <Conflict
          theirs={conflict.theirs}
          onTheirs={reload}
          onMine={() =>
            save({
              revision: conflict.theirs?.draft?.revision ?? 0,
              baseVersion: conflict.theirs?.version ?? 0,
            })
          }
        />
      )}
      <div className={styles.editor}>
        <form className={styles.form} onSubmit={(event) => event.preventDefault()}>
          <TextArea
            label="Message"
            hint="Plain text, 160 characters at most."
            rows={3}
            dir="auto"
            value={textOf(content['message'])}
            error={errorOf('message')}
            onChange={({ currentTarget }) => change({ message: currentTarget.value })}
          />
          <SelectField
            label="Kind"
            value={textOf(content['variant'])}
            error={errorOf('variant')}
            onChange={({ currentTarget }) => change({ variant: currentTarget.value })}
          >
            <option value="info">Information</option>
            <option value="warn">Warning</option>
          </SelectField>
          <Choices
            title="Where"
            error={errorOf('apps')}
            options={Object.entries(APPS)}
            chosen={listOf(content['apps'])}
            onChange={(apps) => change({ apps })}
          />
          <Checkbox
            label="Visitors can dismiss it"
            checked={content['dismissable'] === true}
            onChange={({ currentTarget }) => change({ dismissable: currentTarget.checked })}
          />
          <TextField
            key={`starts ${timesKey}`}
            type="datetime-local"
            label="First shown"
            hint={`In your time zone (${userTimeZone()}). Leave empty to show it as soon as it is published.`}
            defaultValue={localTime(content['startsAt'])}
            error={errorOf('startsAt')}
            onChange={({ currentTarget }) => change({ startsAt: timeOf(currentTarget.value) })}
          />
          <TextField
            key={`ends ${timesKey}`}
            type="datetime-local"
            label="Shown until"
            hint="Leave empty to show it until you end it."
            defaultValue={localTime(content['endsAt'])}
            error={errorOf('endsAt')}
            onChange={({ currentTarget }) => change({ endsAt: timeOf(currentTarget.value) })}
          />
          <Checkbox
            label="Only visitors of some organizations"
            checked={content['organizationCodes'] !== null}
            onChange={({ currentTarget }) =>
              change({ organizationCodes: currentTarget.checked ? [] : null })
            }
          />
          {content['organizationCodes'] !== null && (
            <Choices
              title="Organizations"
              error={errorOf('organizationCodes')}
              options={operator.organizations.map(({ organizationCode, name }) => [
                organizationCode,
                name,
              ])}
              chosen={listOf(content['organizationCodes'])}
              onChange={(organizationCodes) => change({ organizationCodes })}
            />
          )}
        </form>
        <Preview content={content} />
      </div>
      {banner !== undefined && banner.origin === 'console' && version > 0 && (
        <History
          id={id}
          onEdit={(earlier) => {
            change(earlier)
            setTimesKey(timesKey + 1)
            window.scrollTo(0, 0)
          }}
        />
      )}
      {open === 'publish' && (
        <ActDialog
          texts={{
            title: 'Publish this banner?',
            consequence: (
              <>
                <p>Visitors see it within seconds, or from its start time.</p>
                {version > 0 && (
                  <Checkbox
                    label="Show it again to visitors who dismissed it"
                    checked={isShownAgain}
                    onChange={({ currentTarget }) => setShownAgain(currentTarget.checked)}
                  />
                )}
              </>
            ),
            button: 'Publish',
            busyLabel: 'Publishing…',
          }}
          act={(acting, { reason }, signal) =>
            acting(publishBanner, {
              body: { id, revision, showAgain: isShownAgain, reason },
              signal,
            })
          }
          onDone={(answer) => {
            setOpen(undefined)
            switch (answer.outcome) {
              case 'published':
                showToast({
                  tone: 'ok',
                  subject: 'publication',
                  text: `Version ${answer.version} is published.`,
                })
                onReload()
                break
              case 'invalid':
                setErrors(answer.errors)
                break
              case 'conflict':
                setConflict(answer)
            }
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === 'end' && (
        <ActDialog
          texts={{
            title: 'End this banner?',
            consequence: <p>Visitors do not see it from now on. You can publish it again.</p>,
            button: 'End',
            busyLabel: 'Ending…',
            isDestructive: true,
          }}
          act={(acting, { reason }, signal) =>
            acting(endBanner, { body: { id, version, reason }, signal })
          }
          onDone={(ended) => {
            setOpen(undefined)
            // Unsaved edits are based on the version that was just published.
            if (isChanged && baseVersion === version) {
              write({ content, revision, baseVersion: ended.version })
            }
            showToast({ tone: 'ok', text: 'The banner has ended.' })
            onReload()
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}

/** Shown, or scheduled for later. */
const isOpen = ({ isShown, published }: BannerItem, now: number) =>
  isShown || isScheduled(published, now)

const isScheduled = (published: BannerItem['published'], now: number) =>
  published !== null && published.startsAt !== null && published.startsAt > now

export function BannerState({
  banner: { published, isShown },
  now,
}: {
  banner: BannerItem
  now: number
}) {
  if (isShown) return <State tone="ok">Shown</State>
  if (published === null) return <State tone="neutral">Draft</State>
  if (isScheduled(published, now)) return <State tone="neutral">Scheduled</State>
  return <State tone="neutral">{published.endsAt === null ? 'Hidden' : 'Ended'}</State>
}

/** The banner as visitors see it, on a wide page and on a phone. */
function Preview({ content }: { content: Content }) {
  const message = textOf(content['message']).trim()
  return (
    <section className={styles.preview} aria-label="Preview">
      <h2>Preview</h2>
      {(['wide', 'phone'] as const).map((width) => (
        <div key={width} className={styles.sample} data-width={width}>
          <Banner
            variant={content['variant'] === 'warn' ? 'warn' : 'info'}
            message={message === '' ? 'Your message' : message}
            onDismiss={content['dismissable'] === true ? () => undefined : undefined}
          />
        </div>
      ))}
    </section>
  )
}

/** A group of checkboxes. */
function Choices({
  title,
  error,
  options,
  chosen,
  onChange,
}: {
  title: string
  error: string | undefined
  options: readonly (readonly [value: string, text: string])[]
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}) {
  const id = useId()
  return (
    <fieldset className={styles.choices} aria-describedby={error === undefined ? undefined : id}>
      <legend>{title}</legend>
      <div>
        {options.map(([value, text]) => (
          <Checkbox
            key={value}
            label={text}
            checked={chosen.includes(value)}
            onChange={({ currentTarget }) =>
              onChange(
                currentTarget.checked
                  ? [...chosen, value]
                  : chosen.filter((each) => each !== value),
              )
            }
          />
        ))}
      </div>
      {error !== undefined && (
        <p id={id} className={styles.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

/** Shows another operator's change beside one's own, with the choice between both. */
function Conflict({
  theirs,
  onTheirs,
  onMine,
}: {
  theirs: BannerItem | null
  onTheirs: () => void
  onMine: () => void
}) {
  const message = textOf(theirs?.draft?.content['message'] ?? theirs?.published?.message)
  return (
    <Alert tone="warn" title="This banner was changed in the meantime">
      <p>
        {theirs === null ? (
          'It was discarded.'
        ) : (
          <>
            {theirs.draft === null
              ? `Version ${theirs.version}`
              : `The draft of ${theirs.draft.author}`}{' '}
            says: <q>{message}</q>
          </>
        )}
      </p>
      <p className={styles.actions}>
        <LinkButton onClick={onTheirs}>Continue with that one</LinkButton>
        <LinkButton onClick={onMine}>Save mine over it</LinkButton>
      </p>
    </Alert>
  )
}

function History({ id, onEdit }: { id: string; onEdit: (content: BannerContent) => void }) {
  const { client, operator } = useOperator()
  const { reportError } = useEnvironment()
  const { result, failure, retry } = useLoad(
    (signal) => client(readBannerHistory, { query: { id }, signal }),
    reportError,
  )
  return (
    <section className={styles.history}>
      <h2>Published before</h2>
      {failure !== undefined && <LoadFailed failure={failure} onRetry={retry} />}
      {failure === undefined && result === undefined && (
        <Skeleton shape="field" count={2} label="Loading the history" />
      )}
      {result && (
        <Table
          label="Published before"
          items={result.items}
          keyOf={({ version }) => String(version)}
          columns={[
            { title: 'Message', renderCell: ({ content }) => <bdi>{content.message}</bdi> },
            { title: 'Version', renderCell: ({ version }) => `Version ${version}` },
            { title: 'By', renderCell: ({ publishedBy }) => <NameText>{publishedBy}</NameText> },
            {
              title: 'Published',
              renderCell: ({ publishedAt }) => formatTime(publishedAt),
              isTime: true,
            },
            {
              title: 'Reason',
              renderCell: ({ reason }) => <bdi>{reason}</bdi>,
              isProse: true,
              isDetail: true,
            },
            ...(isPermitted(operator, 'banners.write')
              ? [
                  {
                    title: 'Edit',
                    renderCell: ({ content }: { content: BannerContent }) => (
                      <LinkButton onClick={() => onEdit(content)}>Edit again</LinkButton>
                    ),
                  },
                ]
              : []),
          ]}
        />
      )}
    </section>
  )
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

const listOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []

const timeOf = (text: string) => (text === '' ? null : Date.parse(text))

/** The value of a `datetime-local` field, in the operator's time zone. */
function localTime(at: unknown): string {
  if (typeof at !== 'number') return ''
  return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
