/**
 * Edits an organization over its file: a draft that other operators see, a live preview, and publication with a list of
 * differences. Errors and changes by other operators never discard input.
 */

import {
  discardOrganizationDraft,
  exportOrganization,
  type OrganizationDraft,
  type OrganizationError,
  type OrganizationView,
  previewOrganization,
  publishOrganization,
  saveOrganizationDraft,
  submitOrganizationDraft,
  uploadOrganizationPicture,
} from '@portico/contracts/admin/organizations'
import type { PreviewBrand } from '@portico/contracts/preview'
import { formatTime } from '@portico/rules/format'
import { FailureAlert } from '@portico/shell/failure-alert'
import { useCall } from '@portico/shell/use-call'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { Dialog } from '@portico/ui/dialog'
import { Link } from '@portico/ui/link'
import { LinkButton } from '@portico/ui/link-button'
import { SelectField } from '@portico/ui/select-field'
import { Stack } from '@portico/ui/stack'
import { TextArea } from '@portico/ui/text-area'
import { TextField } from '@portico/ui/text-field'
import { useToast } from '@portico/ui/toast'
import { useEffect, useRef, useState } from 'react'
import { ActDialog } from '../act-dialog/act-dialog.tsx'
import { Differences } from '../differences/differences.tsx'
import { useEnvironment } from '../environment.ts'
import { State } from '../list/list.tsx'
import { NameText } from '../name-text.tsx'
import { isPermitted, useOperator } from '../operator/operator.tsx'
import {
  type Content,
  errorOf,
  FIELD_GROUPS,
  type FieldDeclaration,
  fieldLabel,
  fieldText,
  fieldValue,
  otherErrors,
  valueAt,
  withValue,
} from '../organization-fields.ts'
import { PageHead } from '../page-head/page-head.tsx'
import { objectPath } from '../routes.ts'

import { useUnsavedEdits } from '../unsaved-edits.ts'
import { BrandPreview, FIRST_VIEW, type PreviewedMail, previewedMail } from './brand-preview.tsx'
import styles from './organizations.module.css'

/** The delay after the last key press before the preview is updated. */
const PREVIEW_DELAY_MS = 60

interface Conflict {
  readonly theirs: OrganizationDraft | null
  readonly differences: Parameters<typeof Differences>[0]['differences']
  readonly publishedVersion: number
}

export function Editor({ view, onReload }: { view: OrganizationView; onReload: () => void }) {
  const { orgCode, published, effective, lockedFields } = view
  const { operator, client } = useOperator()
  const { page, reportError, download } = useEnvironment()
  const showToast = useToast()
  const [draft, setDraft] = useState(view.draft)
  const { restored, write, clear } = useUnsavedEdits(`organizations ${orgCode}`)
  const [content, setContent] = useState<Content>(
    restored?.content ?? view.draft?.content ?? published.content,
  )
  const [styleSheet, setStyleSheet] = useState(
    restored?.styleSheet ??
      (view.draft === null ? published.styleSheet : view.draft.styleSheet) ??
      '',
  )
  const [isChanged, setChanged] = useState(restored !== undefined)
  // The draft that the next save replaces: restored edits may be based on an older draft, which is then a conflict.
  const [base, setBase] = useState({
    revision: restored?.revision ?? view.draft?.revision ?? 0,
    baseVersion: restored?.baseVersion ?? view.draft?.baseVersion ?? published.version,
  })
  const changes = useRef(0)
  const [errors, setErrors] = useState<readonly OrganizationError[]>(view.problems)
  const [brand, setBrand] = useState<PreviewBrand | null>(null)
  const [mail, setMail] = useState<PreviewedMail | null>(null)
  const [shown, setShown] = useState(FIRST_VIEW)
  const [conflict, setConflict] = useState<Conflict>()
  const [open, setOpen] = useState<'publish' | 'submit' | 'discard'>()
  const saving = useCall(reportError)
  const exporting = useCall(reportError)
  const canWrite = isPermitted(operator, 'organizations.write') && !lockedFields.includes('*')
  const canPublish = isPermitted(operator, 'organizations.publish') && canWrite
  const revision = draft?.revision ?? 0
  // A style sheet is sent only if there is or was one: null would remove a shared one.
  const hadStyleSheet = (view.draft?.styleSheet ?? published.styleSheet) !== null
  const edited = {
    orgCode,
    content,
    ...((styleSheet !== '' || hadStyleSheet) && { styleSheet: styleSheet || null }),
  }

  // The server derives the theme and finds the errors. An invalid value keeps the last valid preview.
  useEffect(() => {
    const current = new AbortController()
    const timer = setTimeout(() => {
      const { scheme } = shown
      const chosenMail = previewedMail(shown)
      client(previewOrganization, {
        body: { ...edited, scheme, ...(chosenMail && { mail: chosenMail }) },
        signal: current.signal,
      }).then(
        (answer) => {
          setErrors(answer.errors)
          if (answer.brand === null) return
          setBrand(answer.brand)
          setMail(answer.mail)
        },
        () => undefined, // Saving reports the error.
      )
    }, PREVIEW_DELAY_MS)
    return () => {
      clearTimeout(timer)
      current.abort()
    }
    // oxlint-disable-next-line react/exhaustive-deps -- `edited` is derived from the first two
  }, [content, styleSheet, shown.screen, shown.scheme])

  useEffect(() => {
    if (isChanged) write({ content, styleSheet, ...base })
    // oxlint-disable-next-line react/exhaustive-deps -- `write` is new in each render
  }, [isChanged, content, styleSheet, base])
  const reload = () => {
    clear()
    onReload()
  }
  const markChanged = () => {
    changes.current += 1
    setChanged(true)
  }

  const change = (declaration: FieldDeclaration, entered: string) => {
    setContent((before) => withValue(before, declaration.path, fieldValue(declaration, entered)))
    markChanged()
  }
  const save = (over = base) => {
    const sent = changes.current
    saving.run(
      (signal) => client(saveOrganizationDraft, { body: { ...edited, ...over }, signal }),
      (answer) => {
        switch (answer.outcome) {
          case 'saved':
            setDraft(answer.draft)
            setErrors(answer.errors)
            setBase({ revision: answer.draft.revision, baseVersion: answer.draft.baseVersion })
            setConflict(undefined)
            // Input entered during the save is not saved yet.
            setChanged(changes.current !== sent)
            clear()
            showToast({
              tone: 'ok',
              subject: 'publication',
              text: 'The draft is saved. Nothing is published yet.',
            })
            break
          case 'invalid':
            setErrors(answer.errors)
            break
          case 'conflict':
            if (answer.theirs !== null || answer.differences.length > 0) {
              setConflict(answer)
              break
            }
            // Such as after a publication whose response was lost.
            showToast({ tone: 'ok', subject: 'publication', text: 'This is already published.' })
            reload()
        }
      },
    )
  }
  const exportFiles = () =>
    exporting.run(
      (signal) => client(exportOrganization, { query: { orgCode }, signal }),
      ({ files }) => {
        for (const { path, content: bytes } of files) {
          download(
            path.slice(path.indexOf('/') + 1),
            Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0)),
          )
        }
      },
    )
  const others = otherErrors(errors)
  const name = valueAt(content, 'companyInfo.name')
  return (
    <>
      <PageHead
        title={typeof name === 'string' ? name : orgCode}
        back={{ href: '/console/organizations', title: 'Organizations' }}
        facts={
          <>
            <code>{orgCode}</code>
            <span>
              {published.version > 0
                ? `Version ${published.version}`
                : view.file === null
                  ? 'Not published yet'
                  : 'The file'}
            </span>
            {draft && (
              <State tone={draft.state === 'review' ? 'warn' : 'neutral'}>
                {draft.state === 'review' ? 'Waits for review' : 'Draft'} of{' '}
                <NameText>{draft.author}</NameText>, {formatTime(draft.savedAt)}
              </State>
            )}
            {isChanged && (
              <span>
                <State tone="warn">Not saved</State>{' '}
                <LinkButton onClick={reload}>Undo my changes</LinkButton>
              </span>
            )}
            <Link href={`${objectPath('organizations', orgCode)}/history`}>History</Link>
          </>
        }
      >
        <Button
          kind="secondary"
          busy={exporting.pending}
          busyLabel="Exporting…"
          onClick={exportFiles}
        >
          Export
        </Button>
        {draft !== null && canWrite && (
          <Button kind="secondary" onClick={() => setOpen('discard')}>
            Discard
          </Button>
        )}
        {canWrite && (
          <Button
            kind={isChanged || draft === null ? 'primary' : 'secondary'}
            busy={saving.pending}
            busyLabel="Saving…"
            onClick={() => save()}
          >
            Save draft
          </Button>
        )}
        {draft?.state === 'draft' && !isChanged && canWrite && (
          <Button kind={canPublish ? 'secondary' : 'primary'} onClick={() => setOpen('submit')}>
            Ask for review…
          </Button>
        )}
        {draft !== null && !isChanged && canPublish && (
          <Button onClick={() => setOpen('publish')}>Publish…</Button>
        )}
      </PageHead>
      <div className={styles.notices}>
        <FailureAlert failure={saving.failure} supportPhone={page.supportPhone} />
        <FailureAlert failure={exporting.failure} supportPhone={page.supportPhone} />
        {lockedFields.includes('*') && (
          <Alert tone="info" title="This organization is managed in files">
            The deployment does not allow edits here.
          </Alert>
        )}
        {draft?.note && (
          <Alert tone="info" title={`${draft.submittedBy ?? draft.author} asks for a review`}>
            <bdi>{draft.note}</bdi>
          </Alert>
        )}
        {others.length > 0 && (
          <Alert tone="danger" title="Fix the following before it can be published">
            <ul>
              {others.map((error) => (
                <li key={`${error.orgCode} ${error.field} ${error.message}`}>
                  {error.orgCode !== null && `${error.orgCode}: `}
                  {fieldLabel(error.field)} {error.message}
                </li>
              ))}
            </ul>
          </Alert>
        )}
      </div>
      <div className={styles.editor}>
        <form className={styles.form} onSubmit={(event) => event.preventDefault()}>
          {FIELD_GROUPS.map(({ title, fields }, index) => (
            <details
              key={title}
              open={index < 2 || fields.some(({ path }) => errorOf(path, errors))}
            >
              <summary>{title}</summary>
              {fields.map((declaration) => (
                <EditorField
                  key={declaration.path}
                  declaration={declaration}
                  orgCode={orgCode}
                  value={valueAt(content, declaration.path)}
                  inherited={effective === null ? undefined : valueAt(effective, declaration.path)}
                  error={errorOf(declaration.path, errors)}
                  isLocked={!canWrite || lockedFields.includes(declaration.path)}
                  onChange={(entered) => change(declaration, entered)}
                />
              ))}
            </details>
          ))}
          <details>
            <summary>Style sheet</summary>
            <TextArea
              label="Style sheet"
              hint="CSS, applied after the brand. The server removes anything that could contact other sites."
              error={errorOf('styleSheet', errors)}
              rows={12}
              spellCheck={false}
              value={styleSheet}
              disabled={!canWrite}
              onChange={({ currentTarget: { value } }) => {
                setStyleSheet(value)
                markChanged()
              }}
            />
          </details>
        </form>
        <BrandPreview brand={brand} mail={mail} shown={shown} onShow={setShown} />
      </div>
      {conflict && (
        <ConflictDialog
          conflict={conflict}
          isOwnDraft={conflict.theirs?.revision === base.revision}
          isChanged={isChanged}
          saving={saving}
          onTheirs={reload}
          onMine={() =>
            save({
              revision: conflict.theirs?.revision ?? 0,
              baseVersion: conflict.publishedVersion,
            })
          }
          onClose={() => setConflict(undefined)}
        />
      )}
      {open === 'publish' && draft && (
        <ActDialog
          texts={{
            title: `Publish ${orgCode}?`,
            consequence: (
              <>
                <p>All pages and mails of this organization show it within seconds.</p>
                <Differences differences={draft.differences} titles={['Current', 'New']} />
              </>
            ),
            button: 'Publish',
            busyLabel: 'Publishing…',
          }}
          act={(acting, { reason }, signal) =>
            acting(publishOrganization, { body: { orgCode, revision, reason }, signal })
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
                reload()
                break
              case 'invalid':
                setErrors(answer.errors)
                break
              case 'conflict':
                // The draft or the published version has changed. A save has the same conflict, with a comparison.
                save()
            }
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === 'submit' && (
        <ActDialog
          texts={{
            title: 'Ask for a review?',
            consequence: <p>Another operator sees your draft and can publish it.</p>,
            button: 'Ask',
            busyLabel: 'Asking…',
          }}
          act={(acting, { reason }, signal) =>
            acting(submitOrganizationDraft, { body: { orgCode, revision, note: reason }, signal })
          }
          onDone={({ draft: submitted }) => {
            setDraft(submitted)
            setBase({ revision: submitted.revision, baseVersion: submitted.baseVersion })
            setOpen(undefined)
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === 'discard' && (
        <ActDialog
          texts={{
            title: `Discard the draft of ${orgCode}?`,
            consequence: <p>The published version stays. The draft cannot be restored.</p>,
            button: 'Discard',
            busyLabel: 'Discarding…',
            isDestructive: true,
          }}
          act={(acting, { reason }, signal) =>
            acting(discardOrganizationDraft, { body: { orgCode, revision, reason }, signal })
          }
          onDone={() => {
            setOpen(undefined)
            reload()
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}

function EditorField({
  declaration,
  orgCode,
  value,
  inherited,
  error,
  isLocked,
  onChange,
}: {
  declaration: FieldDeclaration
  orgCode: string
  value: unknown
  /** The value that pages use if the field is empty. */
  inherited: unknown
  error: string | undefined
  isLocked: boolean
  onChange: (entered: string) => void
}) {
  // The text as typed, which may not be in the document yet: incomplete JSON, an empty line.
  const [typed, setTyped] = useState(() => fieldText(declaration, value))
  const standard = fieldText(declaration, inherited)
  const isInherited = typed === '' && standard !== ''
  const field = {
    label: declaration.label,
    hint: isInherited ? `Inherited: ${standard.slice(0, 80)}` : declaration.hint,
    error,
    disabled: isLocked,
    value: typed,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => {
      setTyped(currentTarget.value)
      onChange(currentTarget.value)
    },
  }
  switch (declaration.kind) {
    case 'choice':
      return (
        <SelectField {...field}>
          <option value="">Inherited</option>
          {Object.entries(declaration.options).map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </SelectField>
      )
    case 'lines':
    case 'json':
      return <TextArea {...field} rows={declaration.kind === 'json' ? 6 : 3} spellCheck={false} />
    case 'color': {
      const color = [typed || standard].find((each) => /^#[\da-f]{6}$/i.test(each))
      return (
        <div className={styles.color}>
          <TextField {...field} placeholder="#rrggbb" spellCheck={false} />
          <input
            type="color"
            aria-label={`Choose: ${declaration.label}`}
            // A color input cannot be empty; it would look black.
            data-empty={color === undefined || undefined}
            value={color ?? '#000000'}
            disabled={isLocked}
            onChange={field.onChange}
          />
        </div>
      )
    }
    case 'picture':
      return (
        <div className={styles.picture}>
          <TextField {...field} spellCheck={false} />
          {!isLocked && (
            <Upload
              orgCode={orgCode}
              label={declaration.label}
              onStored={(path) => field.onChange({ currentTarget: { value: path } })}
            />
          )}
        </div>
      )
    case 'text':
      return <TextField {...field} dir="auto" />
  }
}

function Upload({
  orgCode,
  label,
  onStored,
}: {
  orgCode: string
  label: string
  onStored: (path: string) => void
}) {
  const { client } = useOperator()
  const { page, reportError } = useEnvironment()
  const { pending, failure, run } = useCall(reportError)
  const [errors, setErrors] = useState<readonly string[]>([])
  const upload = (file: File) =>
    run(
      async (signal) =>
        client(uploadOrganizationPicture, {
          query: { orgCode, type: file.type === 'image/png' ? 'png' : 'svg' },
          body: new Uint8Array(await file.arrayBuffer()),
          signal,
        }),
      (answer) => {
        if (answer.outcome === 'stored') onStored(answer.path)
        setErrors(answer.outcome === 'stored' ? [] : answer.errors)
      },
    )
  return (
    <div className={styles.upload}>
      <label>
        {pending ? 'Uploading…' : 'Upload a picture'}
        <input
          type="file"
          accept="image/svg+xml,image/png"
          aria-label={`Upload: ${label}, SVG or PNG of at most 128 kB`}
          disabled={pending}
          // Otherwise choosing the same file again, after correcting it, is not a change.
          onClick={({ currentTarget }) => {
            currentTarget.value = ''
          }}
          onChange={({ currentTarget: { files } }) => files?.[0] && upload(files[0])}
        />
      </label>
      {errors.length > 0 && (
        <Alert tone="danger">
          {errors.map((error) => (
            <p key={error}>{error}</p>
          ))}
        </Alert>
      )}
      <FailureAlert failure={failure} supportPhone={page.supportPhone} />
    </div>
  )
}

function ConflictDialog({
  conflict: { theirs, differences, publishedVersion },
  isOwnDraft,
  isChanged,
  saving: { pending, failure },
  onTheirs,
  onMine,
  onClose,
}: {
  conflict: Conflict
  /** The draft has not changed, only the version that it is based on. */
  isOwnDraft: boolean
  isChanged: boolean
  saving: Pick<ReturnType<typeof useCall>, 'pending' | 'failure'>
  onTheirs: () => void
  onMine: () => void
  onClose: () => void
}) {
  const { page } = useEnvironment()
  const reason = isOwnDraft
    ? `Version ${publishedVersion} was published after this draft was begun. Save the draft again if it should replace that version. `
    : theirs === null
      ? 'The draft was published or discarded after you opened it. '
      : `${theirs.author} saved the draft at ${formatTime(theirs.savedAt)}, after you opened it. `
  // A draft that is based on an earlier version is not compared.
  const isPublished = theirs?.baseVersion !== publishedVersion
  return (
    <Dialog
      open
      title={isOwnDraft ? 'Another version was published' : 'Someone else changed this'}
      width="wide"
      onClose={onClose}
    >
      <Stack>
        <p>
          {reason}
          {isChanged
            ? 'Your changes are not saved yet, but nothing is lost.'
            : 'Nothing was published now.'}
        </p>
        <FailureAlert failure={failure} supportPhone={page.supportPhone} />
        <Differences
          differences={differences}
          titles={[isPublished ? 'Published' : 'Theirs', 'Yours']}
        />
        <div className={styles.choices}>
          {!isOwnDraft && (
            <Button kind="secondary" onClick={onTheirs}>
              Continue with theirs
            </Button>
          )}
          <Button busy={pending} busyLabel="Saving…" onClick={onMine}>
            {isOwnDraft ? 'Save it again' : 'Save mine over it'}
          </Button>
        </div>
      </Stack>
    </Dialog>
  )
}
