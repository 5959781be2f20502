/** The list of organizations, one organization with its draft and published version, and its history. */
import type { OrganizationView } from '@portico/contracts/admin/organizations'
import { Refusal } from '@portico/contracts/errors'
import { ADMIN_PAGE_SIZE } from '@portico/contracts/limits'
import {
  differencesBetween,
  NO_CHANGES,
  type OrganizationDocument,
} from '@portico/rules/organization-changes'
import type { Stores } from '../../stores.ts'
import { type OrganizationEdits, viewOfError } from './edit-organization.ts'
import type { LockedFields } from './locked-fields.ts'
import { type PublishedBrands, parseChanges } from './published-brands.ts'

const HISTORY_PAGE_SIZE = 20

export function organizationReader({
  stores: { brandEdits },
  publishedBrands,
  edits,
  locked,
}: {
  readonly stores: Pick<Stores, 'brandEdits'>
  readonly publishedBrands: PublishedBrands
  readonly edits: OrganizationEdits
  readonly locked: LockedFields
}) {
  const { brands } = publishedBrands

  return {
    /** Whether the organization has a file, a draft or a version. */
    async isKnown(orgCode: string): Promise<boolean> {
      if (publishedBrands.fileOf(orgCode) !== undefined) return true
      if (publishedBrands.edits().published.has(orgCode)) return true
      return (await brandEdits.findDraft(orgCode)) !== undefined
    },

    async list({
      isAllowed,
      search = '',
      after = '',
    }: {
      readonly isAllowed: (orgCode: string) => boolean
      readonly search?: string | undefined
      readonly after?: string | undefined
    }) {
      const { published, rejected } = publishedBrands.edits()
      const shown = new Map(brands.organizations.all.map((each) => [each.orgCode, each]))
      const wanted = search.trim().toLowerCase()
      const codes = [...new Set([...shown.keys(), ...(await brandEdits.listCodes())])]
        .filter((code) => code > after && isAllowed(code))
        .filter((code) => {
          const { companyInfo, hosts } = shown.get(code) ?? {}
          const texts = [code, companyInfo?.name ?? '', ...(hosts ?? [])]
          return texts.some((text) => text.toLowerCase().includes(wanted))
        })
        .sort()
      const page = codes.slice(0, ADMIN_PAGE_SIZE)
      const drafts = new Map(
        page.length === 0
          ? []
          : (await brandEdits.listDrafts(page)).map((draft) => [draft.organizationCode, draft]),
      )
      return {
        items: page.map((orgCode) => {
          const organization = shown.get(orgCode)
          const draft = drafts.get(orgCode)
          return {
            orgCode,
            name: organization?.companyInfo.name ?? orgCode,
            brandColor:
              organization?.brandColor ?? brands.organizations.defaultOrganization.brandColor,
            hasFile: publishedBrands.fileOf(orgCode) !== undefined,
            isLocked: locked.hasOrganization(orgCode),
            version: published.get(orgCode)?.version ?? 0,
            isRejected: rejected.has(orgCode),
            draft:
              draft === undefined
                ? null
                : { state: draft.state, author: draft.author, savedAt: draft.savedAt },
          }
        }),
        next: codes.length > ADMIN_PAGE_SIZE ? (page.at(-1) ?? null) : null,
      }
    },

    async read(orgCode: string): Promise<OrganizationView> {
      const [current, draft] = await Promise.all([
        edits.findCurrent(orgCode),
        brandEdits.findDraft(orgCode),
      ])
      const content = publishedBrands.documentOf(orgCode, current.changes)
      return {
        orgCode,
        file: publishedBrands.fileOf(orgCode) ?? null,
        lockedFields: [...locked.of(orgCode)],
        published: {
          version: current.version,
          content,
          styleSheet: await publishedBrands.styleSheetOf(content),
        },
        draft: draft === undefined ? null : await edits.draftView(draft),
        effective: brands.organizations.withCode(orgCode) ?? null,
        problems: (publishedBrands.edits().rejected.get(orgCode) ?? []).map((error) =>
          viewOfError(orgCode, error),
        ),
      }
    },

    async readHistory(orgCode: string, after?: string) {
      if (after !== undefined && !/^\d{1,9}$/.test(after)) throw new Refusal('invalid-request')
      const before = after === undefined ? undefined : Number(after)
      // One extra row, to compare the last version with the one before it.
      const rows = await brandEdits.listVersions(orgCode, { before, limit: HISTORY_PAGE_SIZE + 1 })
      const documents: OrganizationDocument[] = [
        ...rows.map((row) => publishedBrands.documentOf(orgCode, parseChanges(row.changes))),
        publishedBrands.documentOf(orgCode, NO_CHANGES),
      ]
      const page = rows.slice(0, HISTORY_PAGE_SIZE)
      const last = page.at(-1)
      return {
        items: page.map(
          (
            { version, author, submittedBy, publishedBy, publishedAt, reason, restores },
            index,
          ) => ({
            version,
            author,
            submittedBy,
            publishedBy,
            publishedAt,
            reason,
            restores,
            differences: [
              ...differencesBetween(documents[index + 1] ?? {}, documents[index] ?? {}),
            ],
          }),
        ),
        next: rows.length > HISTORY_PAGE_SIZE && last !== undefined ? String(last.version) : null,
      }
    },
  }
}
