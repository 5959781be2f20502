/** Editing banners: drafts, publishing and removal. Works like editing organizations. */
import { BannerContent, type BannerItem } from '@portico/contracts/admin/banners'
import { ALL_ORGANIZATIONS } from '@portico/contracts/admin/permissions'
import { type Banner, BannerList } from '@portico/contracts/banner'
import { Refusal } from '@portico/contracts/errors'
import { ADMIN_PAGE_SIZE } from '@portico/contracts/limits'
import { isInScope, type Scope } from '@portico/rules/operator-permissions'
import type { Clock } from '../../clock.ts'
import { type FieldError, fieldErrors, parseData } from '../../data-files/data-files.ts'
import type { TransactionalStores } from '../../stores.ts'
import { type Editor, revisionAfter } from '../organizations/edit-organization.ts'
import type { BannerDraft } from './banner-edits.store.ts'
import {
  isShownAt,
  type PublishedBanners,
  parseStored,
  type StoredBanner,
} from './published-banners.ts'

const GUIDE = 'docs/banners.md'
/** How often publishing is retried when another banner is published at the same moment. */
const MAX_ATTEMPTS = 10

export interface BannerDeps {
  readonly stores: TransactionalStores<'audit' | 'bannerEdits' | 'publishedData'>
  readonly publishedBanners: PublishedBanners
  /** The installation's banner file. */
  readonly file: { readonly read: () => Promise<{ readonly text: string }> }
  readonly isOrganization: (orgCode: string) => boolean
  readonly defaultOrgCode: string
  readonly clock: Clock
}

/** A banner's place in the list. */
interface Position {
  readonly rank: number
  readonly changedAt: number
  readonly id: string
}

interface Listed {
  readonly item: BannerItem
  readonly position: Position
}

export function bannerEdits(deps: BannerDeps) {
  const { stores, publishedBanners, clock } = deps
  const drafts = stores.bannerEdits

  /** Every banner, in the order of the list: those that are shown, those that will be, drafts, and the rest, newest first. */
  async function listAll(): Promise<readonly Listed[]> {
    await publishedBanners.refresh()
    const published = publishedBanners.all()
    const saved = new Map((await drafts.listDrafts()).map((draft) => [draft.id, draft]))
    const { text } = await deps.file.read()
    const inFile = new Map(BannerList.parse(JSON.parse(text)).map((each) => [each.uuid, each]))
    const at = clock()
    return [...new Set([...inFile.keys(), ...published.keys(), ...saved.keys()])]
      .map((id) => {
        const version = published.get(id)
        const listed = inFile.get(id)
        const stored = version && parseStored(version.content)
        const content = stored ?? (listed && contentOf(listed))
        const draft = saved.get(id)
        const item: BannerItem = {
          id,
          origin: version === undefined && listed !== undefined ? 'file' : 'console',
          version: version?.version ?? 0,
          published: content ? operatorContent(content) : null,
          isShown: stored ? isShownAt(stored, at) : (listed?.active ?? false),
          draft: draft === undefined ? null : draftView(draft),
        }
        const { updatedAt, createdAt } = listed?.metadata ?? {}
        const changedAt =
          version?.publishedAt ?? (listed ? (updatedAt ?? createdAt) : draft?.savedAt) ?? 0
        return { item, position: { rank: rankOf(item, at), changedAt, id } }
      })
      .toSorted((a, b) => comparePositions(a.position, b.position))
  }

  function draftView({ revision, content, author, savedAt }: BannerDraft) {
    const entered = JSON.parse(content) as Record<string, unknown>
    return { revision, content: entered, author, savedAt, errors: errorsOf(entered) }
  }

  function errorsOf(content: unknown): FieldError[] {
    const parsed = parseData(BannerContent, content)
    if (!parsed.success) return fieldErrors(parsed.error.issues, GUIDE)
    const { endsAt, organizationCodes } = parsed.data
    const unknown = (organizationCodes ?? []).flatMap((code, index) =>
      deps.isOrganization(code)
        ? []
        : [{ field: `organizationCodes.${index}`, message: `${code} is not an organization` }],
    )
    // Published, it would never be shown, such as an ended banner whose end was not changed.
    const isOver = endsAt !== null && endsAt <= clock()
    return isOver ? [...unknown, { field: 'endsAt', message: 'must be in the future' }] : unknown
  }

  /** The banner, if the operator may edit it for its whole audience. */
  async function findAllowed(id: string, scope: Scope): Promise<BannerItem | undefined> {
    const item = (await listAll()).find((each) => each.item.id === id)?.item
    if (item !== undefined && !isAllowed(item, scope)) throw new Refusal('not-found')
    return item
  }

  async function findPublished(id: string, scope: Scope): Promise<BannerContent> {
    const published = (await findAllowed(id, scope))?.published
    if (!published) throw new Refusal('not-found')
    return published
  }

  /** The draft to publish, or the response if it cannot be published. */
  async function preparePublication(
    { id, revision }: { readonly id: string; readonly revision: number },
    scope: Scope,
  ) {
    const item = await findAllowed(id, scope)
    if (item === undefined) throw new Refusal('not-found')
    const draft = await drafts.findDraft(id)
    if (draft?.revision !== revision || draft.baseVersion !== item.version) {
      return { answer: { outcome: 'conflict' as const, theirs: item } }
    }
    const { errors, content } = draftView(draft)
    if (errors.length > 0) return { answer: { outcome: 'invalid' as const, errors } }
    return { item, draft, content }
  }

  async function publishVersion(
    id: string,
    {
      prepare,
      editor,
      reason,
    }: {
      readonly prepare: () => Promise<{
        readonly content: StoredBanner
        readonly current: number
        readonly draft?: BannerDraft
      }>
      readonly editor: Editor
      readonly reason: string
    },
  ): Promise<number> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      await publishedBanners.refresh()
      const expected = publishedBanners.version()
      const { content, current, draft } = await prepare()
      const version = current + 1
      const isPublished = await stores.atomically(async (transaction) => {
        if (!(await transaction.publishedData.advance('banners', expected))) return false
        if (draft && !(await transaction.bannerEdits.deleteDraft(id, draft.revision))) {
          throw new Refusal('edit-outdated')
        }
        await transaction.bannerEdits.insertVersion({
          id,
          version,
          content: JSON.stringify(content),
          author: draft?.author ?? editor.name,
          publishedBy: editor.name,
          publishedAt: clock(),
          reason,
        })
        await transaction.audit.record(
          'banner-published',
          {
            identityId: null,
            at: clock(),
            organizationCode: content.organizationCodes?.[0] ?? deps.defaultOrgCode,
            details: { by: editor.name, banner: id, version, reason },
            operator: editor,
          },
          { network: editor.network, organization: { orgCode: deps.defaultOrgCode } },
        )
        return true
      })
      if (!isPublished) continue
      // It is published even if the database becomes unavailable now; this node then sees it on its next poll.
      await publishedBanners.refresh().catch(() => undefined)
      return version
    }
    throw new Refusal('not-ready')
  }

  return {
    async list(scope: Scope, after?: string) {
      const start = after === undefined ? undefined : parsePosition(after)
      const listed = (await listAll()).filter(
        ({ item, position }) =>
          (start === undefined || comparePositions(position, start) > 0) && isAllowed(item, scope),
      )
      const page = listed.slice(0, ADMIN_PAGE_SIZE)
      const last = listed.length > page.length ? page.at(-1)?.position : undefined
      return {
        items: page.map(({ item }) => item),
        next: last ? `${last.rank}.${last.changedAt}.${last.id}` : null,
      }
    },

    async saveDraft(
      request: {
        readonly id: string
        readonly content: Readonly<Record<string, unknown>>
        readonly revision: number
        readonly baseVersion: number
      },
      { scope, editor }: { readonly scope: Scope; readonly editor: Editor },
    ) {
      const { id, content, revision, baseVersion } = request
      const item = await findAllowed(id, scope)
      if (!isAudienceIn(scope, content['organizationCodes'])) throw new Refusal('not-found')
      const draft = {
        id,
        revision: revisionAfter(revision),
        baseVersion,
        content: JSON.stringify(content),
        author: editor.name,
        savedAt: clock(),
      }
      const isSaved =
        (item?.version ?? 0) === baseVersion &&
        (revision === 0 ? await drafts.insertDraft(draft) : await drafts.updateDraft(draft))
      if (!isSaved) {
        return { outcome: 'conflict' as const, theirs: (await findAllowed(id, scope)) ?? null }
      }
      return { outcome: 'saved' as const, revision: draft.revision, errors: errorsOf(content) }
    },

    async discardDraft(id: string, revision: number, scope: Scope): Promise<void> {
      if ((await findAllowed(id, scope)) === undefined) throw new Refusal('not-found')
      if (!(await drafts.deleteDraft(id, revision))) throw new Refusal('edit-outdated')
    },

    async publish(
      request: {
        readonly id: string
        readonly revision: number
        readonly showAgain: boolean
        readonly reason: string
      },
      { scope, editor }: { readonly scope: Scope; readonly editor: Editor },
    ) {
      const { id, showAgain, reason } = request
      const prepared = await preparePublication(request, scope)
      if (prepared.answer !== undefined) return prepared.answer
      const { item, draft, content } = prepared
      const version = await publishVersion(id, {
        editor,
        reason,
        async prepare() {
          const published = publishedBanners.all().get(id)
          if ((published?.version ?? 0) !== item.version) throw new Refusal('edit-outdated')
          const before = published && parseStored(published.content)
          const at = clock()
          return {
            content: {
              ...BannerContent.parse(content),
              createdAt: before?.createdAt ?? at,
              updatedAt: before === undefined || showAgain ? at : before.updatedAt,
            },
            current: item.version,
            draft,
          }
        },
      })
      return { outcome: 'published' as const, version }
    },

    async end(
      { id, version: seen, reason }: { id: string; version: number; reason: string },
      { scope, editor }: { readonly scope: Scope; readonly editor: Editor },
    ): Promise<{ version: number }> {
      const ended = await findPublished(id, scope)
      const version = await publishVersion(id, {
        editor,
        reason,
        async prepare() {
          const before = publishedBanners.all().get(id)
          const current = before?.version ?? 0
          if (current !== seen) throw new Refusal('edit-outdated')
          const at = clock()
          const times = before === undefined ? undefined : parseStored(before.content)
          return {
            content: {
              ...ended,
              // A banner that was never shown must not start after its end.
              startsAt: (ended.startsAt ?? 0) < at ? ended.startsAt : null,
              endsAt: at,
              createdAt: times?.createdAt ?? at,
              updatedAt: times?.updatedAt ?? at,
            },
            current,
          }
        },
      })
      return { version }
    },

    /** The subject of a publication, or the response if the draft cannot be published. */
    async checkPublication(
      request: { readonly id: string; readonly revision: number },
      scope: Scope,
    ) {
      const prepared = await preparePublication(request, scope)
      if (prepared.answer !== undefined) return { answer: prepared.answer }
      const content = BannerContent.parse(prepared.content)
      const audiences = [content, ...(prepared.item.published ? [prepared.item.published] : [])]
      return subjectOf(content, audiences)
    },

    /** @throws Refusal - `not-found`, `edit-outdated` */
    async checkEnd({ id, version }: { id: string; version: number }, scope: Scope) {
      const published = await findPublished(id, scope)
      if ((publishedBanners.all().get(id)?.version ?? 0) !== version) {
        throw new Refusal('edit-outdated')
      }
      return subjectOf(published, [published])
    },

    async readHistory(id: string, scope: Scope) {
      if ((await findAllowed(id, scope)) === undefined) throw new Refusal('not-found')
      const rows = await drafts.listVersions(id)
      return {
        items: rows.map(({ version, content, author, publishedBy, publishedAt, reason }) => {
          return {
            version,
            content: operatorContent(parseStored(content)),
            author,
            publishedBy,
            publishedAt,
            reason,
          }
        }),
      }
    },

    /** The banner file overlaid with published banners, without those limited to some organizations. */
    async exportFile() {
      const { text } = await deps.file.read()
      return {
        banners: JSON.parse(publishedBanners.over(text, undefined)) as Record<string, unknown>[],
      }
    },
  }
}

function rankOf({ isShown, published }: BannerItem, at: number): number {
  if (isShown) return 0
  if (published === null) return 2
  return (published.startsAt ?? 0) > at ? 1 : 3
}

const comparePositions = (a: Position, b: Position): number =>
  a.rank - b.rank || b.changedAt - a.changedAt || (a.id < b.id ? -1 : Number(a.id > b.id))

/** @throws Refusal - `invalid-request` */
function parsePosition(text: string): Position {
  const [, rank, changedAt, id] = /^([0-3])\.(\d{1,15})\.(.+)$/.exec(text) ?? []
  if (id === undefined) throw new Refusal('invalid-request')
  return { rank: Number(rank), changedAt: Number(changedAt), id }
}

/** The message and the organizations that see it. */
function subjectOf({ message }: BannerContent, audiences: readonly BannerContent[]) {
  return {
    name: message,
    organizationCodes: audiences.flatMap(
      ({ organizationCodes }) => organizationCodes ?? [ALL_ORGANIZATIONS],
    ),
  }
}

/** Whether an operator's scope covers a banner's audience, both published and drafted. */
function isAllowed({ origin, published, draft }: BannerItem, scope: Scope): boolean {
  if (origin === 'file' || published !== null) {
    if (!isAudienceIn(scope, published?.organizationCodes)) return false
  } else if (draft === null) return scope.all === true
  return draft === null || isAudienceIn(scope, draft.content['organizationCodes'])
}

/** Anything but a list of organizations means everyone. */
function isAudienceIn(scope: Scope, codes: unknown): boolean {
  if (scope.all) return true
  return (
    Array.isArray(codes) &&
    codes.length > 0 &&
    codes.every((code) => typeof code === 'string' && isInScope(scope, code))
  )
}

function contentOf({ message, apps, variant, dismissable }: Banner): BannerContent {
  return {
    message,
    apps,
    variant,
    dismissable,
    startsAt: null,
    endsAt: null,
    organizationCodes: null,
  }
}

function operatorContent(content: BannerContent): BannerContent {
  const { message, apps, variant, dismissable, startsAt, endsAt, organizationCodes } = content
  return { message, apps, variant, dismissable, startsAt, endsAt, organizationCodes }
}
