/** Exports published organizations as configuration files, and imports such files as drafts. */
import type { OrganizationError } from '@portico/contracts/admin/organizations'
import { OrgCode } from '@portico/contracts/organization'
import type { OrganizationDocument } from '@portico/rules/organization-changes'
import type { Stores } from '../../stores.ts'
import type { Editor, OrganizationEdits } from './edit-organization.ts'
import { fileNamesOf, type PublishedBrands } from './published-brands.ts'

/** A file in the configuration folder. */
export interface ConfigurationFile {
  /** Its path in the folder, such as `organizations/quincefield.json`. */
  readonly path: string
  /** Base64. */
  readonly content: string
}

export interface ImportedFile {
  readonly path: string
  readonly orgCode: string | null
  readonly isSaved: boolean
  readonly errors: OrganizationError[]
}

const LOGOS = '/brand/'

export function organizationTransfer({
  stores: { brandEdits },
  publishedBrands,
  edits,
}: {
  readonly stores: Pick<Stores, 'brandEdits'>
  readonly publishedBrands: PublishedBrands
  readonly edits: OrganizationEdits
}) {
  /** Stores the images that a document references, and returns the document with their new names. */
  async function withPictures(
    orgCode: string,
    value: unknown,
    {
      pictures,
      editor,
      errors,
    }: {
      pictures: ReadonlyMap<string, Buffer>
      editor: Editor
      errors: OrganizationError[]
    },
  ): Promise<unknown> {
    if (typeof value === 'string') {
      const bytes = value.startsWith(LOGOS) ? pictures.get(value.slice(LOGOS.length)) : undefined
      if (bytes === undefined || isListed(value, bytes)) return value
      const type = value.endsWith('.png') ? 'png' : 'svg'
      const stored = await edits.storePicture({ orgCode, type, bytes }, editor)
      if (stored.outcome === 'stored') return stored.path
      errors.push(...stored.errors.map((message) => ({ orgCode: null, field: value, message })))
      return value
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const entries: [string, unknown][] = []
    for (const [name, each] of Object.entries(value)) {
      entries.push([name, await withPictures(orgCode, each, { pictures, editor, errors })])
    }
    return Object.fromEntries(entries)
  }

  /** Whether the installation has the same image at this path. */
  function isListed(path: string, bytes: Buffer): boolean {
    return publishedBrands.brands.pictures.get(path)?.file.bytes.equals(bytes) ?? false
  }

  return {
    async exportFiles(orgCode: string): Promise<ConfigurationFile[]> {
      const { changes } = await edits.findCurrent(orgCode)
      const document = publishedBrands.documentOf(orgCode, changes)
      const names = fileNamesOf(document)
      const stored = names.length === 0 ? [] : await brandEdits.listFiles(names)
      const name = orgCode.toLowerCase().replaceAll('_', '-')
      return [
        {
          path: `organizations/${name}.json`,
          content: Buffer.from(`${JSON.stringify(document, undefined, 2)}\n`).toString('base64'),
        },
        ...stored.map((file) => ({
          path: file.name.startsWith(LOGOS)
            ? `logos/${file.name.slice(LOGOS.length)}`
            : `styles/${file.name}`,
          content: file.content,
        })),
      ]
    },

    /** Saves each organization file as a draft, unless there is one. */
    async importFiles(
      files: readonly ConfigurationFile[],
      editor: Editor,
      isAllowed: (orgCode: string) => boolean,
    ): Promise<ImportedFile[]> {
      const ofFolder = (folder: string) =>
        new Map(
          files
            .filter(({ path }) => path.startsWith(`${folder}/`))
            .map(({ path, content }) => [
              path.slice(folder.length + 1),
              Buffer.from(content, 'base64'),
            ]),
        )
      const pictures = ofFolder('logos')
      const styleSheets = ofFolder('styles')
      const imported: ImportedFile[] = []
      for (const [name, bytes] of ofFolder('organizations')) {
        const path = `organizations/${name}`
        const document = parseDocument(bytes)
        const orgCode = OrgCode.safeParse(document?.['orgCode']).data
        if (document === undefined || orgCode === undefined || !isAllowed(orgCode)) {
          const message =
            document === undefined
              ? 'is not a JSON object in UTF-8'
              : 'is not the file of an organization that you may edit'
          imported.push({ path, orgCode: null, isSaved: false, errors: [fileError(message)] })
          continue
        }
        const errors: OrganizationError[] = []
        // An object stays an object.
        const content = (await withPictures(orgCode, document, {
          pictures,
          editor,
          errors,
        })) as OrganizationDocument
        const { styleSheetPath } = content
        const sheet =
          typeof styleSheetPath === 'string' ? styleSheets.get(styleSheetPath) : undefined
        const styleSheet = sheet && textOf(sheet)
        if (sheet !== undefined && styleSheet === undefined) {
          errors.push({ orgCode: null, field: 'styleSheetPath', message: 'is not in UTF-8' })
          imported.push({ path, orgCode, isSaved: false, errors })
          continue
        }
        const saved = await edits.saveDraft(
          {
            orgCode,
            content,
            ...(styleSheet === undefined ? {} : { styleSheet }),
            revision: 0,
            baseVersion: (await edits.findCurrent(orgCode)).version,
          },
          editor,
        )
        const isSaved = saved.outcome === 'saved'
        if (saved.outcome === 'conflict') {
          errors.push(fileError('was not imported: the organization has a draft already'))
        } else errors.push(...saved.errors)
        imported.push({ path, orgCode, isSaved, errors })
      }
      return imported
    },
  }
}

const fileError = (message: string): OrganizationError => ({ orgCode: null, field: '', message })

// As for files on disk. Drops a byte order mark, which Windows editors write.
const UTF_8 = new TextDecoder('utf-8', { fatal: true })

function textOf(bytes: Buffer): string | undefined {
  try {
    return UTF_8.decode(bytes)
  } catch {
    return undefined // Reported by the caller.
  }
}

function parseDocument(bytes: Buffer): OrganizationDocument | undefined {
  try {
    const value: unknown = JSON.parse(textOf(bytes) ?? '')
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value))
      : undefined
  } catch {
    return undefined // Reported by the caller.
  }
}
