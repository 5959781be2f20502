/**
 * Editing organizations on top of their files: drafts, review, publishing and undo. A change states the revision it is based
 * on, so the second of two concurrent edits is refused and its operator gets both versions. Publishing is one transaction.
 */
import { randomInt } from 'node:crypto'
import type { OrganizationDraft, OrganizationError } from '@portico/contracts/admin/organizations'
import { Refusal } from '@portico/contracts/errors'
import { isInScope, type Scope } from '@portico/rules/operator-permissions'
import {
  applyChanges,
  changesBetween,
  differencesBetween,
  NO_CHANGES,
  type OrganizationChanges,
  type OrganizationDocument,
} from '@portico/rules/organization-changes'
import type { ActApproval } from '../../audit/audit.store.ts'
import type { AuditKind } from '../../audit/audit-events.ts'
import { type BrandError, brandErrorText, normalizeHost, readPicture } from '../../brands/brands.ts'
import type { Clock } from '../../clock.ts'
import type { TransactionalStores } from '../../stores.ts'
import type { BrandDraft } from './brand-edits.store.ts'
import type { LockedFields } from './locked-fields.ts'
import type { NameProofs } from './name-proofs.ts'
import {
  type PublishedBrands,
  parseChanges,
  storedName,
  type UnsavedSheet,
} from './published-brands.ts'

const ALL_ORGANIZATIONS: Scope = { all: true }
/** The same limit as for files. */
const MAX_DOCUMENT_BYTES = 64 * 1024
/** How often publishing is retried when another organization is published at the same moment. */
const MAX_ATTEMPTS = 10
/** Leaves room above the first revision, so that later ones stay safe integers. */
const MAX_FIRST_REVISION = 2 ** 40

/**
 * The next revision of a draft. The first one is random: if every draft began at 1, an approved publication could publish a
 * newer draft after the reviewed one was discarded or published.
 */
export const revisionAfter = (revision: number): number =>
  revision === 0 ? randomInt(1, MAX_FIRST_REVISION) : revision + 1

/** An operator, a service token or the command line. */
export interface Editor {
  /** The ID for the audit log; undefined for the command line. */
  readonly id: string | undefined
  /** Shown next to versions. */
  readonly name: string
  readonly network: string
  /** The organizations that the editor may edit; all by default. */
  readonly scope?: Scope
  /** Present if a second operator approved the act. */
  readonly approval?: ActApproval
}

export interface EditDeps {
  readonly stores: TransactionalStores<'audit' | 'brandEdits' | 'publishedData'>
  readonly publishedBrands: PublishedBrands
  readonly locked: LockedFields
  /** The installation's own host, which an organization may claim only in its file. */
  readonly ownHost: string | undefined
  /** Undefined on the command line, whose user can write the files, which need no proof. */
  readonly nameProofs: NameProofs | undefined
  readonly clock: Clock
}

/** The content of an organization as an operator entered it. */
export interface EditedContent {
  readonly orgCode: string
  readonly content: OrganizationDocument
  /** Replaces the style sheet that the content references; null removes it. */
  readonly styleSheet?: string | null | undefined
}

export type Published =
  | { readonly outcome: 'published'; readonly version: number }
  | { readonly outcome: 'invalid'; readonly errors: OrganizationError[] }

interface Publication {
  readonly orgCode: string
  readonly revision: number
  readonly reason: string
}

interface Undo {
  readonly orgCode: string
  readonly version: number
  /** The published version that the operator saw. */
  readonly current: number
  readonly reason: string
}

interface ReadyPublication {
  readonly changes: OrganizationChanges
  readonly document: OrganizationDocument | undefined
  readonly draft?: BrandDraft
  readonly current: number
  readonly restores: number | null
  readonly author: string
  readonly reason: string
}

/** The document to publish, or the response if nothing is published. */
type Prepared<Other> = { readonly other: Other } | ReadyPublication

export type OrganizationEdits = ReturnType<typeof organizationEdits>

export function organizationEdits(deps: EditDeps) {
  const { stores, publishedBrands, locked, clock } = deps
  const { brandEdits } = stores
  const fileOf = (orgCode: string) => publishedBrands.fileOf(orgCode) ?? {}

  /** An organization's latest published version; 0 for the file alone. */
  async function findCurrent(orgCode: string) {
    const [row] = await brandEdits.listVersions(orgCode, { limit: 1 })
    return {
      version: row?.version ?? 0,
      changes: row === undefined ? NO_CHANGES : parseChanges(row.changes),
    }
  }

  async function draftView(draft: BrandDraft): Promise<OrganizationDraft> {
    const { organizationCode, author, savedAt, revision, state, baseVersion } = draft
    const content = applyChanges(fileOf(organizationCode), parseChanges(draft.changes))
    const current = await findCurrent(organizationCode)
    const published = publishedBrands.documentOf(organizationCode, current.changes)
    return {
      revision,
      state,
      content,
      styleSheet: await publishedBrands.styleSheetOf(content),
      author,
      savedAt,
      submittedBy: draft.submittedBy,
      submittedAt: draft.submittedAt,
      note: draft.note,
      differences: [...differencesBetween(published, content)],
      baseVersion,
    }
  }

  /** The brands with one document replaced, and all errors, including those of other organizations. */
  async function checkDocument(
    orgCode: string,
    document: OrganizationDocument,
    unsaved?: UnsavedSheet,
  ) {
    const { brands, errors } = await publishedBrands.check(new Map([[orgCode, document]]), unsaved)
    return {
      brands,
      errors: [
        ...editErrors(orgCode, document),
        ...errors.map((error) => viewOfError(orgCode, error)),
      ],
    }
  }

  /** The content with its style sheet's name, and the sheet itself if it is not stored yet. */
  async function namedSheet({ orgCode, content, styleSheet }: EditedContent) {
    if (styleSheet === undefined) return { content }
    const { styleSheetPath: _replaced, ...rest } = content
    if (styleSheet === null || styleSheet.trim() === '') return { content: rest }
    // An unchanged style sheet from the files keeps its name.
    if ((await publishedBrands.styleSheetOf(content)) === styleSheet) return { content }
    const name = storedName(orgCode, 'css', Buffer.from(styleSheet))
    return { content: { ...rest, styleSheetPath: name }, sheet: { name, text: styleSheet } }
  }

  /** Rules that apply to edits but not to files. */
  function editErrors(orgCode: string, document: OrganizationDocument): OrganizationError[] {
    const { set, removed } = changesBetween(fileOf(orgCode), document)
    const error = (field: string, message: string) => ({ orgCode: null, field, message })
    if (locked.hasOrganization(orgCode)) {
      return [error('', 'is locked to its file by the setting ORGANIZATIONS_LOCKED')]
    }
    const errors = [...Object.keys(set), ...removed]
      .filter((field) => locked.has(orgCode, field))
      .map((field) =>
        error(field, 'is locked to the file by the setting ORGANIZATIONS_LOCKED; change the file'),
      )
    const { hosts } = set
    if (deps.ownHost !== undefined && Array.isArray(hosts)) {
      for (const [index, host] of hosts.entries()) {
        if (typeof host !== 'string' || normalizeHost(host) !== deps.ownHost) continue
        errors.push(
          error(`hosts.${index}`, 'is this installation’s own host, which only a file can claim'),
        )
      }
    }
    if (Buffer.byteLength(JSON.stringify(document)) > MAX_DOCUMENT_BYTES) {
      errors.push(error('', `has more than ${MAX_DOCUMENT_BYTES} bytes`))
    }
    return errors
  }

  /**
   * Fields that an editor of single organizations must not change: the hosts, because links with codes and tokens lead
   * there; the mail sender, because the mail server sends for every lender; the extended organization, because another
   * lender's content would be inherited; and the company, because pages and brand would be another lender's. Published values
   * may stay, and codes of the file may come back.
   */
  async function scopeErrors(
    orgCode: string,
    document: OrganizationDocument,
    { scope = ALL_ORGANIZATIONS }: Editor,
  ): Promise<OrganizationError[]> {
    if (scope.all) return []
    const published = publishedBrands.documentOf(orgCode, (await findCurrent(orgCode)).changes)
    const changed = differencesBetween(published, document)
    const errors: OrganizationError[] = []
    for (const [name, field] of [
      ['hosts', 'hosts'],
      ['mailFrom', 'mailFrom.address'],
    ] as const) {
      if (!changed.some((change) => change.field.split('.')[0] === name)) continue
      const message = 'can be changed only by operators of all organizations'
      errors.push({ orgCode: null, field, message })
    }
    for (const field of ['extends', 'canonicalOrgCode']) {
      const code = document[field]
      const isForeign =
        typeof code === 'string' && code !== fileOf(orgCode)[field] && !isInScope(scope, code)
      if (!isForeign || !changed.some((change) => change.field === field)) continue
      errors.push({ orgCode: null, field, message: 'is not an organization that you may edit' })
    }
    return errors
  }

  /** Errors for names that are neither in the file nor published, and that no DNS record proves. */
  async function proofErrors(
    orgCode: string,
    document: OrganizationDocument,
  ): Promise<OrganizationError[]> {
    const { changes } = await findCurrent(orgCode)
    const published = publishedBrands.documentOf(orgCode, changes)
    return deps.nameProofs?.errors(orgCode, document, [fileOf(orgCode), published]) ?? []
  }

  /** Stores the style sheet and returns the content with its name. */
  async function withStyleSheet(
    edited: EditedContent,
    editor: Editor,
  ): Promise<OrganizationDocument> {
    const { content, sheet } = await namedSheet(edited)
    if (sheet) await storeFile(edited.orgCode, sheet.name, Buffer.from(sheet.text), editor)
    return content
  }

  async function storeFile(orgCode: string, name: string, bytes: Buffer, editor: Editor) {
    await brandEdits.insertFile({
      name,
      organizationCode: orgCode,
      content: bytes.toString('base64'),
      author: editor.name,
      createdAt: clock(),
    })
  }

  async function conflict(orgCode: string, content: OrganizationDocument) {
    const theirs = await brandEdits.findDraft(orgCode)
    const current = await findCurrent(orgCode)
    const published = publishedBrands.documentOf(orgCode, current.changes)
    const view = theirs && (await draftView(theirs))
    // A draft based on an earlier version would overwrite what was published since.
    const isCurrent = view?.baseVersion === current.version
    return {
      outcome: 'conflict' as const,
      theirs: view ?? null,
      publishedVersion: current.version,
      yours: content,
      differences: [...differencesBetween(isCurrent ? view.content : published, content)],
    }
  }

  const record = (
    on: Pick<TransactionalStores<'audit'>, 'audit'>,
    kind: AuditKind,
    act: { orgCode: string; editor: Editor; details?: Readonly<Record<string, string | number>> },
  ) =>
    on.audit.record(
      kind,
      {
        identityId: null,
        at: clock(),
        organizationCode: act.orgCode,
        details: { by: act.editor.name, ...act.details },
        operator: act.editor,
      },
      { network: act.editor.network, organization: { orgCode: act.orgCode } },
    )

  async function preparePublication(
    { orgCode, revision, reason }: Publication,
    editor: Editor,
  ): Promise<Prepared<Published | Awaited<ReturnType<typeof conflict>>>> {
    const draft = await brandEdits.findDraft(orgCode)
    const { version: current } = await findCurrent(orgCode)
    const changes = draft === undefined ? NO_CHANGES : parseChanges(draft.changes)
    const document = applyChanges(fileOf(orgCode), changes)
    if (draft?.revision !== revision || draft.baseVersion !== current) {
      return { other: await conflict(orgCode, document) }
    }
    // The draft may have been written by an operator with more permissions.
    const errors = await scopeErrors(orgCode, document, editor)
    if (errors.length > 0) return { other: { outcome: 'invalid', errors } }
    return { changes, document, draft, current, restores: null, author: draft.author, reason }
  }

  async function prepareUndo(
    { orgCode, version, current: seen, reason }: Undo,
    editor: Editor,
  ): Promise<Prepared<Published>> {
    const earlier = version === 0 ? undefined : await brandEdits.findVersion(orgCode, version)
    const { version: current } = await findCurrent(orgCode)
    if (version !== 0 && earlier === undefined) throw new Refusal('not-found')
    if (current !== seen || version >= current) throw new Refusal('edit-outdated')
    const changes = earlier === undefined ? NO_CHANGES : parseChanges(earlier.changes)
    const isRemoved = earlier === undefined && publishedBrands.fileOf(orgCode) === undefined
    const errors = isRemoved
      ? []
      : await scopeErrors(orgCode, publishedBrands.documentOf(orgCode, changes), editor)
    if (errors.length > 0) return { other: { outcome: 'invalid', errors } }
    return {
      changes,
      document: isRemoved ? undefined : publishedBrands.documentOf(orgCode, changes),
      current,
      restores: version,
      author: earlier?.author ?? editor.name,
      reason,
    }
  }

  async function preparedErrors(
    orgCode: string,
    { document, restores }: ReadyPublication,
  ): Promise<OrganizationError[]> {
    const checked = await publishedBrands.check(new Map([[orgCode, document]]))
    const errors = [
      // Restoring the file cannot violate a lock.
      ...(document === undefined || restores === 0 ? [] : editErrors(orgCode, document)),
      ...checked.errors.map((error) => viewOfError(orgCode, error)),
    ]
    // Records are looked up last, for valid names alone.
    return errors.length > 0 || document === undefined ? errors : proofErrors(orgCode, document)
  }

  async function answerWithout<Other>(orgCode: string, prepared: Prepared<Other>) {
    if ('other' in prepared) return prepared.other
    const errors = await preparedErrors(orgCode, prepared)
    return errors.length > 0 ? { outcome: 'invalid' as const, errors } : undefined
  }

  /** Publishes the result of `prepare`, which runs again if another organization is published in the meantime. */
  async function publishPrepared<Other>(
    orgCode: string,
    editor: Editor,
    prepare: () => Promise<Prepared<Other>>,
  ): Promise<Other | Published> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      await publishedBrands.refresh()
      const expected = publishedBrands.edits().version
      const prepared = await prepare()
      if ('other' in prepared) return prepared.other
      const { changes, draft, current, restores, author, reason } = prepared
      const errors = await preparedErrors(orgCode, prepared)
      if (errors.length > 0) return { outcome: 'invalid', errors }
      const version = current + 1
      const isPublished = await stores.atomically(async (transaction) => {
        if (!(await transaction.publishedData.advance('organizations', expected))) return false
        if (draft && !(await transaction.brandEdits.deleteDraft(orgCode, draft.revision))) {
          // The draft was saved again after the check: roll back.
          throw new Refusal('edit-outdated')
        }
        await transaction.brandEdits.insertVersion({
          organizationCode: orgCode,
          version,
          changes: JSON.stringify(changes),
          restores,
          author,
          submittedBy: draft?.submittedBy ?? null,
          publishedBy: editor.name,
          publishedAt: clock(),
          reason,
        })
        await record(
          transaction,
          restores === null ? 'organization-published' : 'organization-undone',
          {
            orgCode,
            editor,
            details: { version, reason, ...(restores === null ? {} : { restores }) },
          },
        )
        return true
      })
      if (!isPublished) continue
      // It is published even if the database becomes unavailable now; this node then sees it on its next poll.
      await publishedBrands.refresh().catch(() => undefined)
      return { outcome: 'published', version }
    }
    throw new Refusal('not-ready')
  }

  return {
    findCurrent,
    draftView,

    /** Checks unsaved content, without the proofs of its names, which need DNS. */
    async check(edited: EditedContent) {
      const { content, sheet } = await namedSheet(edited)
      return checkDocument(edited.orgCode, content, sheet)
    },

    /** All errors of unsaved content. */
    async validate(edited: EditedContent): Promise<OrganizationError[]> {
      const { content, sheet } = await namedSheet(edited)
      const { errors } = await checkDocument(edited.orgCode, content, sheet)
      return errors.length > 0 ? errors : proofErrors(edited.orgCode, content)
    },

    async saveDraft(
      edited: EditedContent & { readonly revision: number; readonly baseVersion: number },
      editor: Editor,
    ) {
      const { orgCode, revision, baseVersion } = edited
      const refused = [
        ...editErrors(orgCode, edited.content),
        ...(await scopeErrors(orgCode, edited.content, editor)),
      ]
      if (refused.length > 0) return { outcome: 'invalid' as const, errors: refused }
      const content = await withStyleSheet(edited, editor)
      const current = await findCurrent(orgCode)
      if (current.version !== baseVersion) return conflict(orgCode, content)
      const draft: BrandDraft = {
        organizationCode: orgCode,
        revision: revisionAfter(revision),
        baseVersion,
        changes: JSON.stringify(changesBetween(fileOf(orgCode), content)),
        state: 'draft',
        author: editor.name,
        savedAt: clock(),
        submittedBy: null,
        submittedAt: null,
        note: null,
      }
      const isSaved =
        revision === 0 ? await brandEdits.insertDraft(draft) : await brandEdits.updateDraft(draft)
      if (!isSaved) return conflict(orgCode, content)
      const { errors } = await checkDocument(orgCode, content)
      return {
        outcome: 'saved' as const,
        draft: await draftView(draft),
        errors: errors.length > 0 ? errors : await proofErrors(orgCode, content),
      }
    },

    /** @throws Refusal - `edit-outdated` if it is not the present revision */
    async submitDraft(
      { orgCode, revision, note }: { orgCode: string; revision: number; note: string },
      editor: Editor,
    ): Promise<OrganizationDraft> {
      const found = await brandEdits.findDraft(orgCode)
      if (found?.revision !== revision) throw new Refusal('edit-outdated')
      const draft: BrandDraft = {
        ...found,
        revision: revision + 1,
        state: 'review',
        submittedBy: editor.name,
        submittedAt: clock(),
        note,
      }
      await stores.atomically(async (transaction) => {
        if (!(await transaction.brandEdits.updateDraft(draft))) throw new Refusal('edit-outdated')
        await record(transaction, 'organization-submitted', { orgCode, editor, details: { note } })
      })
      return draftView(draft)
    },

    /** @throws Refusal - `edit-outdated` if it is not the present revision */
    async discardDraft(
      { orgCode, revision, reason }: { orgCode: string; revision: number; reason: string },
      editor: Editor,
    ): Promise<void> {
      await stores.atomically(async (transaction) => {
        if (!(await transaction.brandEdits.deleteDraft(orgCode, revision))) {
          throw new Refusal('edit-outdated')
        }
        await record(transaction, 'organization-draft-discarded', {
          orgCode,
          editor,
          details: { reason },
        })
      })
    },

    publish(request: Publication, editor: Editor) {
      return publishPrepared<Published | Awaited<ReturnType<typeof conflict>>>(
        request.orgCode,
        editor,
        () => preparePublication(request, editor),
      )
    },

    /** The response of `publish` if it would fail; undefined if it would succeed. */
    async checkPublication(request: Publication, editor: Editor) {
      const { orgCode } = request
      return answerWithout(orgCode, await preparePublication(request, editor))
    },

    /**
     * Publishes an earlier version again; version 0 is the file alone.
     *
     * @throws Refusal - `not-found` for an unknown version, `edit-outdated` if `seen` is not the published version
     */
    undo(request: Undo, editor: Editor): Promise<Published> {
      return publishPrepared<Published>(request.orgCode, editor, () => prepareUndo(request, editor))
    },

    /** The response of `undo` if it would fail; undefined if it would succeed. Throws like `undo`. */
    async checkUndo(request: Undo, editor: Editor) {
      return answerWithout(request.orgCode, await prepareUndo(request, editor))
    },

    /** Stores an uploaded image if it is a plain SVG drawing or a readable PNG. */
    async storePicture(
      { orgCode, type, bytes }: { orgCode: string; type: 'svg' | 'png'; bytes: Buffer },
      editor: Editor,
    ) {
      const path = storedName(orgCode, type, bytes)
      const { errors } = readPicture(path, bytes)
      if (errors.length > 0) return { outcome: 'invalid' as const, errors: [...errors] }
      await storeFile(orgCode, path, bytes, editor)
      return { outcome: 'stored' as const, path }
    },
  }
}

/** An error as shown in the editor of an organization; an error of another organization is prefixed with its name. */
export function viewOfError(orgCode: string, error: BrandError): OrganizationError {
  if (error.orgCode === orgCode) {
    return { orgCode: null, field: error.field, message: error.message }
  }
  return { orgCode: error.orgCode ?? null, field: '', message: brandErrorText(error) }
}
