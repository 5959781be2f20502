/** Organizations in the admin API: edits over the files, publication, undo, export and import. */
import * as z from 'zod/mini'
import { Bytes, call } from '../call.ts'
import { ADMIN_PATH } from '../limits.ts'
import { OrgCode } from '../organization.ts'
import { PREVIEW_MAILS, PreviewBrand } from '../preview.ts'
import { After, Reason } from './operators.ts'
import { ApprovalNeeded } from './second-operator.ts'

const ORGANIZATIONS_PATH = `${ADMIN_PATH}/organizations`

/** A document of 64 kB with a style sheet of 32 kB, both escaped. */
const MAX_DOCUMENT_BYTES = 256 * 1024
const MAX_PICTURE_BYTES = 128 * 1024
const MAX_IMPORT_BYTES = 4 * 1024 * 1024

/** The content of an organization file; `docs/white-label.md` lists its fields. */
const Document = z.record(z.string(), z.unknown())

/** An error of a field. */
export const OrganizationError = z.object({
  /** The other organization that would be invalid; null for the edited one. */
  orgCode: z.nullable(z.string()),
  /** The path of the field, such as `companyInfo.termsUrl`; empty for the organization as a whole. */
  field: z.string(),
  /** Completes a sentence after the field's name: 'must be …'. */
  message: z.string(),
})

export type OrganizationError = z.output<typeof OrganizationError>

/** A field that differs. A side that lacks the field is absent. */
export const OrganizationDifference = z.object({
  field: z.string(),
  before: z.optional(z.unknown()),
  after: z.optional(z.unknown()),
})

/** `draft`: being edited. `review`: submitted for another operator's review. */
const DraftState = z.enum(['draft', 'review'])

/** Unpublished changes of an operator. */
export const OrganizationDraft = z.object({
  /** Increases with each change. A change states the revision it is based on. */
  revision: z.int(),
  state: DraftState,
  content: Document,
  /** The text of its own style sheet; null without one. */
  styleSheet: z.nullable(z.string()),
  author: z.string(),
  savedAt: z.number(),
  submittedBy: z.nullable(z.string()),
  submittedAt: z.nullable(z.number()),
  /** A message for the reviewer. */
  note: z.nullable(z.string()),
  /** The differences from the published version. */
  differences: z.array(OrganizationDifference),
  /** The published version that it replaces. If another version was published in the meantime, the draft must be saved again. */
  baseVersion: z.int(),
})

export type OrganizationDraft = z.output<typeof OrganizationDraft>

/** A revision of a draft; 0 if there is none. */
const Revision = z.int().check(z.gte(0))

const OrganizationItem = z.object({
  orgCode: z.string(),
  name: z.string(),
  brandColor: z.string(),
  /** Whether it has a file; an organization without one was created by operators. */
  hasFile: z.boolean(),
  /** Whether the whole organization is locked to its file. */
  isLocked: z.boolean(),
  /** The published version; 0 for the file alone. */
  version: z.int(),
  /** Whether the published version is invalid, so that the file applies. */
  isRejected: z.boolean(),
  draft: z.nullable(z.object({ state: DraftState, author: z.string(), savedAt: z.number() })),
})

export const listOrganizations = call({
  name: 'listOrganizations',
  summary: 'List organizations with the state of their edits, ordered by code.',
  method: 'GET',
  path: ORGANIZATIONS_PATH,
  auth: 'operator',
  permission: 'organizations.read',
  query: z.strictObject({
    /** A part of the code, the name or a host. */
    search: z.optional(z.string().check(z.maxLength(80))),
    after: z.optional(After),
  }),
  answer: z.object({ items: z.array(OrganizationItem), next: z.nullable(z.string()) }),
})

export const readOrganization = call({
  name: 'readOrganization',
  summary: 'Read an organization: its file, draft, published version and effective values.',
  method: 'GET',
  path: `${ORGANIZATIONS_PATH}/organization`,
  auth: 'operator',
  permission: 'organizations.read',
  query: z.strictObject({ orgCode: OrgCode }),
  answer: z.object({
    orgCode: z.string(),
    /** Null without a file. */
    file: z.nullable(Document),
    /** The fields locked to the file; `*` for all. */
    lockedFields: z.array(z.string()),
    /** The file overlaid with the published version. */
    published: z.object({
      /** 0 for the file alone. */
      version: z.int(),
      content: Document,
      styleSheet: z.nullable(z.string()),
    }),
    draft: z.nullable(OrganizationDraft),
    /** The organization as pages show it, fully inherited and merged. Null if it was never published. */
    effective: z.nullable(Document),
    /** Why the published version is not shown; empty if it is. */
    problems: z.array(OrganizationError),
  }),
  refusals: ['not-found'],
})

export type OrganizationView = z.output<(typeof readOrganization)['answer']>

/** Content as entered by an operator. `styleSheet` replaces its style sheet; null removes it. */
const edited = {
  orgCode: OrgCode,
  content: Document,
  styleSheet: z.optional(z.nullable(z.string().check(z.maxLength(32 * 1024)))),
}

/** Another operator changed the draft or published in the meantime: both versions and their differences. */
const Conflict = z.object({
  outcome: z.literal('conflict'),
  /** Null if the draft was published or discarded. */
  theirs: z.nullable(OrganizationDraft),
  publishedVersion: z.int(),
  yours: Document,
  differences: z.array(OrganizationDifference),
})

const Invalid = z.object({ outcome: z.literal('invalid'), errors: z.array(OrganizationError) })

export const saveOrganizationDraft = call({
  name: 'saveOrganizationDraft',
  summary: 'Save a draft of a new or existing organization. It may be incomplete.',
  method: 'POST',
  path: `${ORGANIZATIONS_PATH}/draft`,
  auth: 'operator',
  permission: 'organizations.write',
  bodyBytesMaximum: MAX_DOCUMENT_BYTES,
  body: z.strictObject({
    ...edited,
    revision: Revision,
    /** The published version that the content is based on. */
    baseVersion: z.int().check(z.gte(0)),
  }),
  answer: z.discriminatedUnion('outcome', [
    z.object({
      outcome: z.literal('saved'),
      draft: OrganizationDraft,
      /** The errors to fix before publication. */
      errors: z.array(OrganizationError),
    }),
    // Nothing was saved, because it changes locked fields or is too large.
    Invalid,
    Conflict,
  ]),
  refusals: ['not-found'],
})

export const validateOrganization = call({
  name: 'validateOrganization',
  summary:
    'Validate the content of an organization without saving it. Returns all errors with their fields.',
  method: 'POST',
  path: `${ORGANIZATIONS_PATH}/validate`,
  auth: 'operator',
  permission: 'organizations.read',
  bodyBytesMaximum: MAX_DOCUMENT_BYTES,
  body: z.strictObject(edited),
  answer: z.object({ errors: z.array(OrganizationError) }),
  refusals: ['not-found'],
})

export const previewOrganization = call({
  name: 'previewOrganization',
  summary:
    'Render the brand of an unsaved organization for the screens of the preview, and a mail.',
  method: 'POST',
  path: `${ORGANIZATIONS_PATH}/preview`,
  auth: 'operator',
  permission: 'organizations.read',
  bodyBytesMaximum: MAX_DOCUMENT_BYTES,
  body: z.strictObject({
    ...edited,
    scheme: z.optional(z.enum(['light', 'dark'])),
    mail: z.optional(z.enum(Object.keys(PREVIEW_MAILS) as [keyof typeof PREVIEW_MAILS])),
  }),
  answer: z.object({
    /** To post to the preview frame. Null if the content is too incomplete to show. */
    brand: z.nullable(PreviewBrand),
    /** The mail as an HTML document, to post to the preview frame; null if no mail was requested. */
    mail: z.nullable(z.object({ subject: z.string(), html: z.string(), text: z.string() })),
    errors: z.array(OrganizationError),
  }),
  refusals: ['not-found'],
})

export const submitOrganizationDraft = call({
  name: 'submitOrganizationDraft',
  summary: 'Ask another operator to review a draft.',
  method: 'POST',
  path: `${ORGANIZATIONS_PATH}/submit`,
  auth: 'operator',
  permission: 'organizations.write',
  body: z.strictObject({ orgCode: OrgCode, revision: Revision, note: Reason }),
  answer: z.object({ draft: OrganizationDraft }),
  refusals: ['not-found', 'edit-outdated'],
})

export const discardOrganizationDraft = call({
  name: 'discardOrganizationDraft',
  summary: 'Discard the draft of an organization.',
  method: 'POST',
  path: `${ORGANIZATIONS_PATH}/discard`,
  auth: 'operator',
  permission: 'organizations.write',
  body: z.strictObject({ orgCode: OrgCode, revision: Revision, reason: Reason }),
  refusals: ['not-found', 'edit-outdated'],
})

const Published = z.object({ outcome: z.literal('published'), version: z.int() })

export const publishOrganization = call({
  name: 'publishOrganization',
  summary: 'Publish the draft of an organization; every node shows it within seconds.',
  method: 'POST',
  path: `${ORGANIZATIONS_PATH}/publish`,
  auth: 'operator',
  permission: 'organizations.publish',
  stepUp: true,
  body: z.strictObject({ orgCode: OrgCode, revision: Revision, reason: Reason }),
  answer: z.discriminatedUnion('outcome', [Published, Invalid, Conflict]),
  accepted: ApprovalNeeded,
  refusals: ['not-found'],
})

export const readOrganizationHistory = call({
  name: 'readOrganizationHistory',
  summary: 'List the published versions of an organization and their changes, newest first.',
  method: 'GET',
  path: `${ORGANIZATIONS_PATH}/history`,
  auth: 'operator',
  permission: 'organizations.read',
  query: z.strictObject({ orgCode: OrgCode, after: z.optional(After) }),
  answer: z.object({
    items: z.array(
      z.object({
        version: z.int(),
        author: z.string(),
        submittedBy: z.nullable(z.string()),
        publishedBy: z.string(),
        publishedAt: z.number(),
        reason: z.string(),
        /** The earlier version that it published again; 0 for the file alone. */
        restores: z.nullable(z.int()),
        differences: z.array(OrganizationDifference),
      }),
    ),
    next: z.nullable(z.string()),
  }),
  refusals: ['not-found'],
})

export const undoOrganization = call({
  name: 'undoOrganization',
  summary: 'Publish an earlier version of an organization again, or go back to its file.',
  method: 'POST',
  path: `${ORGANIZATIONS_PATH}/undo`,
  auth: 'operator',
  permission: 'organizations.publish',
  stepUp: true,
  body: z.strictObject({
    orgCode: OrgCode,
    /** The version to publish again; 0 for the file alone. */
    version: Revision,
    /** The published version that the operator saw. */
    current: Revision,
    reason: Reason,
  }),
  answer: z.discriminatedUnion('outcome', [Published, Invalid]),
  accepted: ApprovalNeeded,
  refusals: ['not-found', 'edit-outdated'],
})

/** A file in the configuration folder, with its relative path. */
export const ConfigurationFile = z.object({
  path: z
    .string()
    .check(z.regex(/^(?:organizations|logos|styles)\/[a-z0-9][\w-]{0,100}\.(?:json|svg|png|css)$/)),
  /** Base64. */
  content: z.string().check(z.regex(/^[A-Za-z0-9+/]*={0,2}$/)),
})

export const exportOrganization = call({
  name: 'exportOrganization',
  summary: 'Export a published organization as files of the configuration folder.',
  method: 'GET',
  path: `${ORGANIZATIONS_PATH}/export`,
  auth: 'operator',
  permission: 'organizations.read',
  query: z.strictObject({ orgCode: OrgCode }),
  answer: z.object({ files: z.array(ConfigurationFile) }),
  refusals: ['not-found'],
})

export const importOrganizations = call({
  name: 'importOrganizations',
  summary: 'Save files of a configuration folder as drafts of their organizations.',
  method: 'POST',
  path: `${ORGANIZATIONS_PATH}/import`,
  auth: 'operator',
  permission: 'organizations.write',
  bodyBytesMaximum: MAX_IMPORT_BYTES,
  body: z.strictObject({ files: z.array(ConfigurationFile).check(z.maxLength(200)) }),
  answer: z.object({
    items: z.array(
      z.object({
        path: z.string(),
        /** Null if the file does not belong to an organization that the operator may edit. */
        orgCode: z.nullable(z.string()),
        /** Whether it was saved as a draft. A draft of another operator is not replaced. */
        isSaved: z.boolean(),
        errors: z.array(OrganizationError),
      }),
    ),
  }),
})

export const uploadOrganizationPicture = call({
  name: 'uploadOrganizationPicture',
  summary: 'Upload a logo or icon for an organization. Use the returned path in its content.',
  method: 'POST',
  path: `${ORGANIZATIONS_PATH}/picture`,
  auth: 'operator',
  permission: 'organizations.write',
  bodyBytesMaximum: MAX_PICTURE_BYTES,
  query: z.strictObject({ orgCode: OrgCode, type: z.enum(['svg', 'png']) }),
  body: Bytes,
  answer: z.discriminatedUnion('outcome', [
    z.object({ outcome: z.literal('stored'), path: z.string() }),
    z.object({ outcome: z.literal('invalid'), errors: z.array(z.string()) }),
  ]),
  refusals: ['not-found'],
})

export const ORGANIZATION_CALLS = [
  listOrganizations,
  readOrganization,
  saveOrganizationDraft,
  validateOrganization,
  previewOrganization,
  submitOrganizationDraft,
  discardOrganizationDraft,
  publishOrganization,
  readOrganizationHistory,
  undoOrganization,
  exportOrganization,
  importOrganizations,
  uploadOrganizationPicture,
] as const
