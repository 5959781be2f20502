/**
 * The brands that pages show: the files, overlaid with the edits that operators published. A stored edit is validated by the
 * same code as files. If it is no longer valid, after a change of the files or of the rules, it is ignored and the file
 * applies, so no edit can prevent a start. Every second, each node checks for new publications.
 */
import { createHash } from 'node:crypto'
import {
  type OrganizationFile,
  OrganizationFile as OrganizationSchema,
} from '@portico/contracts/organization-file'
import {
  applyChanges,
  type OrganizationChanges,
  type OrganizationDocument,
} from '@portico/rules/organization-changes'
import type { Logger } from 'pino'
import type { BrandError } from '../../brands/brands.ts'
import {
  type BrandSource,
  type Brands,
  buildBrands,
  currentBrands,
  organizationNames,
  type Picture,
  readPicture,
  readStyleSheet,
  removeInvalidFields,
  type StyleSheet,
  sheetAt,
  type UnlistedFiles,
} from '../../brands/brands.ts'
import { fieldErrors, parseData, type ReadFile } from '../../data-files/data-files.ts'
import type { Stores } from '../../stores.ts'
import type { BrandVersion } from './brand-edits.store.ts'
import type { LockedFields } from './locked-fields.ts'

const GUIDE = 'docs/white-label.md'

/** Documents by organization code; undefined for one without a file whose edit was undone. */
type Documents = ReadonlyMap<string, OrganizationDocument | undefined>

/** The published edits, and those ignored because they are invalid. */
interface PublishedEdits {
  /** Counts publications. */
  readonly version: number
  readonly published: ReadonlyMap<string, BrandVersion>
  readonly rejected: ReadonlyMap<string, readonly BrandError[]>
}

/** A validated style sheet that is not stored yet. */
export interface UnsavedSheet {
  readonly name: string
  readonly text: string
}

interface BrandCheck {
  /** Undefined without a valid default organization. */
  readonly brands: Brands | undefined
  readonly errors: readonly BrandError[]
}

export interface PublishedBrands extends UnlistedFiles {
  readonly brands: Brands
  readonly edits: () => PublishedEdits
  /** The document of an organization's file; undefined without one. */
  readonly fileOf: (orgCode: string) => OrganizationDocument | undefined
  /** The document that results from changes to an organization's file. */
  readonly documentOf: (orgCode: string, changes: OrganizationChanges) => OrganizationDocument
  /** Validates documents in place of the published documents of these organizations. */
  readonly check: (documents: Documents, unsaved?: UnsavedSheet) => Promise<BrandCheck>
  /** The text of the style sheet that a document references; null without one. */
  readonly styleSheetOf: (document: OrganizationDocument) => Promise<string | null>
  /** Reloads the published edits if they have changed, or if `always`. */
  readonly refresh: (always?: 'always') => Promise<void>
}

export async function openPublishedBrands({
  stores,
  source,
  brands: fileBrands,
  locked,
  log,
}: {
  readonly stores: Pick<Stores, 'brandEdits' | 'publishedData'>
  readonly source: BrandSource
  /** The brands as the files define them. */
  readonly brands: Brands
  readonly locked: LockedFields
  readonly log: Pick<Logger, 'info' | 'warn'>
}): Promise<PublishedBrands> {
  const files = new Map(source.organizations.map((file) => [file.content.orgCode, file.content]))
  const { brands, replace } = currentBrands(fileBrands)
  const storedFiles = openStoredFiles(stores)
  /** Style sheets of earlier brands, which open pages may still load. */
  const earlierSheets = new Map<string, string>()
  let edits: PublishedEdits = { version: -1, published: new Map(), rejected: new Map() }
  let accepted: Documents = new Map()
  let refreshing: Promise<void> | undefined

  const fileOf = (orgCode: string): OrganizationDocument | undefined => files.get(orgCode)
  const documentOf = (orgCode: string, changes: OrganizationChanges) =>
    applyChanges(fileOf(orgCode) ?? {}, changes, (field) => locked.has(orgCode, field))

  const check = (documents: Documents, unsaved?: UnsavedSheet) =>
    build(new Map([...accepted, ...documents]), unsaved)

  async function build(documents: Documents, unsaved?: UnsavedSheet): Promise<BrandCheck> {
    const stored = await storedFiles.load(documents, unsaved)
    const errors: BrandError[] = [...stored.sheetErrors]
    const merged = buildBrands(withDocuments(source, documents, { ...stored, errors }), errors)
    return { brands: merged, errors }
  }

  /** Builds brands from the valid published documents. */
  async function buildValid(documents: Documents) {
    const rejected = new Map<string, readonly BrandError[]>()
    let valid = documents
    // The brands of the files are already built.
    if (documents.size === 0) return { built: fileBrands, valid, rejected }
    for (;;) {
      const { brands: built, errors } = await build(valid)
      if (errors.length === 0 && built !== undefined) return { built, valid, rejected }
      const invalid = [...valid.keys()].filter((code) => errors.some(isOf(code)))
      if (invalid.length === 0) return { ...(await buildOneByOne(valid)), rejected }
      for (const code of invalid) rejected.set(code, errors.filter(isOf(code)))
      valid = new Map([...valid].filter(([code]) => !rejected.has(code)))
    }

    /** Finds the documents that cause errors in other organizations. */
    async function buildOneByOne(candidates: Documents) {
      let kept: Documents = new Map()
      let built = fileBrands
      let waiting = [...candidates]
      for (let isProgress = true; isProgress; ) {
        isProgress = false
        for (const [code, document] of waiting) {
          const next = new Map([...kept, [code, document]])
          const found = await build(next)
          if (found.errors.length > 0 || found.brands === undefined) {
            rejected.set(code, found.errors)
            continue
          }
          kept = next
          built = found.brands
          rejected.delete(code)
          isProgress = true
        }
        waiting = waiting.filter(([code]) => !kept.has(code))
      }
      return { built, valid: kept }
    }
  }

  async function load(version: number): Promise<void> {
    const published = new Map(
      (await stores.brandEdits.listPublished()).map((row) => [row.organizationCode, row]),
    )
    const documents = new Map(
      [...published.values()].flatMap((row) => {
        const changes = parseChanges(row.changes)
        const isUndone = Object.keys(changes.set).length === 0 && !files.has(row.organizationCode)
        return isUndone ? [] : [[row.organizationCode, documentOf(row.organizationCode, changes)]]
      }),
    )
    const { built, valid, rejected } = await buildValid(documents)
    for (const { href, css } of brands.styleSheets.values()) earlierSheets.set(href, css)
    for (const [href] of earlierSheets) {
      if (earlierSheets.size <= MAX_EARLIER_SHEETS) break
      earlierSheets.delete(href)
    }
    accepted = valid
    edits = { version, published, rejected }
    replace(built)
    for (const [organization, errors] of rejected) {
      log.warn(
        { organization, errors: errors.map(({ field, message }) => `${field} ${message}`.trim()) },
        'the published edit of an organization is not valid: its file applies',
      )
    }
    if (version > 0) log.info({ version, edits: valid.size }, 'organizations loaded')
  }

  async function refresh(always?: 'always'): Promise<void> {
    const { organizations: version } = await stores.publishedData.getVersions()
    if (version !== edits.version || always) await load(version)
  }

  const published: PublishedBrands = {
    brands,
    edits: () => edits,
    fileOf,
    documentOf,
    check,
    async refresh(always) {
      // One reload at a time, so that an older read cannot replace a newer one.
      const next = (refreshing ?? Promise.resolve())
        .catch(() => undefined)
        .then(() => refresh(always))
      refreshing = next
      await next
    },
    async styleSheetOf({ styleSheetPath }) {
      if (typeof styleSheetPath !== 'string') return null
      const listed = source.styleSheets.get(styleSheetPath)
      return listed?.text ?? (await storedFiles.sheet(styleSheetPath))?.text ?? null
    },
    picture: (path) => storedFiles.picture(path),
    async styleSheet(href) {
      const earlier = earlierSheets.get(href)
      if (earlier !== undefined) return earlier
      // Another node may have published it within the last second.
      await published.refresh()
      return sheetAt(brands.styleSheets, href)
    },
  }
  await published.refresh()
  return published
}

const MAX_EARLIER_SHEETS = 100

const isOf =
  (code: string) =>
  ({ orgCode }: BrandError): boolean =>
    orgCode === code

/** Only validated documents are stored. */
export function parseChanges(text: string): OrganizationChanges {
  return JSON.parse(text) as OrganizationChanges
}

interface StoredFiles {
  readonly pictures: ReadonlyMap<string, Picture>
  readonly styleSheets: ReadonlyMap<string, StyleSheet>
  readonly sheetErrors: readonly BrandError[]
}

/** The files' source with some documents replaced. Adds the documents' errors to `errors`. */
function withDocuments(
  source: BrandSource,
  documents: Documents,
  {
    pictures,
    styleSheets,
    errors,
  }: Omit<StoredFiles, 'sheetErrors'> & { readonly errors: BrandError[] },
): BrandSource {
  const organizations: ReadFile<OrganizationFile>[] = source.organizations.filter(
    ({ content }) => !documents.has(content.orgCode),
  )
  const replaced = new Set(
    source.organizations
      .filter(({ content }) => documents.has(content.orgCode))
      .map(({ name }) => name),
  )
  const names = source.names.filter(({ file }) => !replaced.has(file))
  for (const [orgCode, document] of documents) {
    if (document === undefined) continue
    const name = `organization ${orgCode}`
    names.push({ ...organizationNames(name, document), orgCode })
    const found = { source: name, orgCode }
    if (document['orgCode'] !== orgCode) {
      errors.push({
        ...found,
        field: 'orgCode',
        message: `must be ${orgCode}; it cannot be changed`,
      })
      continue
    }
    const parsed = parseData(OrganizationSchema, document)
    if (parsed.success) {
      organizations.push({ name, content: parsed.data })
      continue
    }
    errors.push(...fieldErrors(parsed.error.issues, GUIDE).map((error) => ({ ...found, ...error })))
    const rest = OrganizationSchema.safeParse(removeInvalidFields(document, parsed.error))
    if (rest.success) organizations.push({ name, content: rest.data })
  }
  return {
    ...source,
    organizations,
    names,
    pictures: {
      get: (path) => pictures.get(path) ?? source.pictures.get(path),
      has: (path) => pictures.has(path) || source.pictures.has(path),
    },
    styleSheets: new Map([...source.styleSheets, ...styleSheets]),
  }
}

/** The images and style sheet that a document references. */
export function fileNamesOf(document: OrganizationDocument): string[] {
  const texts = (value: unknown): string[] =>
    typeof value === 'string'
      ? [value]
      : typeof value === 'object' && value !== null
        ? Object.values(value).flatMap(texts)
        : []
  return [document['companyInfo'], document['partner'], document['styleSheetPath']]
    .flatMap(texts)
    .filter((name) => STORED_NAME.test(name))
}

/** The names of stored files end with a hash of their content. */
const STORED_NAME =
  /^(?:\/brand\/[a-z0-9-]{1,31}[a-f0-9]{32}\.(?:svg|png)|[a-z0-9-]{1,31}[a-f0-9]{32}\.css)$/

/** The name of a file of an organization. */
export function storedName(
  orgCode: string,
  kind: 'svg' | 'png' | 'css',
  bytes: Uint8Array,
): string {
  const hash = createHash('sha256').update(orgCode).update('\n').update(bytes).digest('hex')
  const owner = orgCode.toLowerCase().replaceAll('_', '-').slice(0, 30)
  const name = `${owner}-${hash.slice(0, 32)}.${kind}`
  return kind === 'css' ? name : `/brand/${name}`
}

/** Reads stored images and style sheets. They never change, so those of the current documents stay in memory. */
function openStoredFiles({ brandEdits }: Pick<Stores, 'brandEdits'>) {
  type Stored = { readonly organizationCode: string } & (
    | { readonly picture: Picture }
    | { readonly sheet: StyleSheet; readonly errors: readonly string[] }
  )
  const known = new Map<string, Stored>()

  async function read(names: readonly string[]): Promise<void> {
    const missing = names.filter((name) => !known.has(name))
    if (missing.length === 0) return
    if (known.size > MAX_STORED_FILES) known.clear()
    for (const { name, organizationCode, content } of await brandEdits.listFiles(missing)) {
      const bytes = Buffer.from(content, 'base64')
      if (name.endsWith('.css')) {
        known.set(name, { organizationCode, ...(await parseSheet(name, bytes.toString())) })
      } else {
        const { picture, errors } = readPicture(name, bytes)
        if (errors.length === 0) known.set(name, { organizationCode, picture })
      }
    }
  }

  return {
    /** The files that documents reference and that belong to their organization. */
    async load(documents: Documents, unsaved?: UnsavedSheet): Promise<StoredFiles> {
      const named = [...documents].flatMap(([orgCode, document]) =>
        fileNamesOf(document ?? {}).map((name) => ({ orgCode, name })),
      )
      await read(named.map(({ name }) => name))
      const typed = unsaved && (await parseSheet(unsaved.name, unsaved.text))
      const pictures = new Map<string, Picture>()
      const styleSheets = new Map<string, StyleSheet>()
      const sheetErrors: BrandError[] = []
      for (const { orgCode, name } of named) {
        const stored =
          typed !== undefined && name === unsaved?.name
            ? { organizationCode: orgCode, ...typed }
            : known.get(name)
        if (stored === undefined || stored.organizationCode !== orgCode) continue
        if ('picture' in stored) pictures.set(name, stored.picture)
        else {
          styleSheets.set(name, stored.sheet)
          sheetErrors.push(
            ...stored.errors.map((error) => ({
              source: `organization ${orgCode}`,
              orgCode,
              field: 'styleSheetPath',
              message: error.replace(/^:(\d+): /, 'has an error in line $1: '),
            })),
          )
        }
      }
      return { pictures, styleSheets, sheetErrors }
    },

    async sheet(name: string): Promise<StyleSheet | undefined> {
      if (!STORED_NAME.test(name)) return undefined
      await read([name])
      const stored = known.get(name)
      return stored !== undefined && 'sheet' in stored ? stored.sheet : undefined
    },

    /** A draft's image. Its name cannot be guessed. */
    async picture(path: string): Promise<Picture | undefined> {
      if (!STORED_NAME.test(path)) return undefined
      await read([path])
      const stored = known.get(path)
      return stored !== undefined && 'picture' in stored ? stored.picture : undefined
    },
  }
}

/** An invalid style sheet yields an empty one and errors. */
async function parseSheet(name: string, text: string) {
  const read = await readStyleSheet(name, text, '')
  return 'errors' in read
    ? { sheet: { href: '', css: '', text }, errors: read.errors }
    : { sheet: read, errors: [] }
}

const MAX_STORED_FILES = 2000
