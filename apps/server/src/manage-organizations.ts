/**
 * The command line for organizations, which works even if the server cannot start: view their history, undo a publication,
 * export and import files.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, resolve } from 'node:path'
import {
  type Editor,
  type OrganizationEdits,
  organizationEdits,
} from './admin/organizations/edit-organization.ts'
import { lockedFields } from './admin/organizations/locked-fields.ts'
import {
  openPublishedBrands,
  type PublishedBrands,
} from './admin/organizations/published-brands.ts'
import { organizationReader } from './admin/organizations/read-organization.ts'
import { organizationTransfer } from './admin/organizations/transfer-organization.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import { ConfigError } from './config-error.ts'
import { openExistingDatabase } from './database/database.ts'
import { type Data, loadData } from './load-data.ts'
import { requestFromServer } from './operations/operator-socket.ts'
import { type AllStores, allStores } from './stores.ts'

const USAGE = [
  'npm run organization -- history ORGANIZATION',
  'npm run organization -- undo ORGANIZATION [VERSION], by default the version before; 0 is the file alone',
  'npm run organization -- export ORGANIZATION FOLDER',
  'npm run organization -- import FOLDER',
]

const EDITOR: Editor = { id: undefined, name: 'command line', network: 'operator' }

interface OrganizationDeps {
  readonly stores: AllStores
  readonly publishedBrands: PublishedBrands
  readonly config: Pick<Config, 'organizationsLocked'>
  readonly clock: Clock
}

/**
 * Runs a command.
 *
 * @param text - the command's arguments, as JSON
 * @returns the output
 * @throws ConfigError - when an argument or the document to publish is invalid
 */
export async function manageOrganizations(deps: OrganizationDeps, text: string): Promise<string> {
  const [action, first, second, ...rest] = JSON.parse(text) as readonly string[]
  const { stores, publishedBrands } = deps
  const locked = lockedFields(deps.config.organizationsLocked)
  const edits = organizationEdits({ ...deps, locked, ownHost: undefined, nameProofs: undefined })
  const parts = { stores, publishedBrands, edits, locked }
  if (action === undefined || first === undefined || rest.length > 0) throw new ConfigError(USAGE)
  if (action === 'import' && second === undefined) return importFolder(parts, first)
  const { isKnown } = organizationReader(parts)
  if (!(await isKnown(first))) {
    throw new ConfigError([`There is no organization with the code ${first}`])
  }
  if (action === 'history' && second === undefined) return describeHistory(parts, first)
  if (action === 'undo') return undo(parts, first, second)
  if (action === 'export' && second !== undefined) return exportTo(parts, first, second)
  throw new ConfigError(USAGE)
}

type Parts = Parameters<typeof organizationReader>[0]

async function describeHistory(parts: Parts, orgCode: string): Promise<string> {
  const { items } = await organizationReader(parts).readHistory(orgCode)
  const problems = parts.publishedBrands.edits().rejected.get(orgCode) ?? []
  return [
    ...problems.map(
      ({ field, message }) => `The published version is not shown: ${`${field} ${message}`.trim()}`,
    ),
    ...items.map(({ version, publishedAt, publishedBy, reason, restores, differences }) =>
      [
        `${version}  ${new Date(publishedAt).toISOString()}  ${publishedBy}${restores === null ? '' : `  restores ${restores}`}  ${reason}`,
        ...differences.map(
          ({ field, before, after }) =>
            `   ${field}: ${JSON.stringify(before) ?? 'absent'} → ${JSON.stringify(after) ?? 'absent'}`,
        ),
      ].join('\n'),
    ),
    '0  the file alone',
  ].join('\n')
}

async function undo({ edits }: Parts, orgCode: string, word?: string): Promise<string> {
  const { version: current } = await edits.findCurrent(orgCode)
  if (current === 0)
    throw new ConfigError([`${orgCode} has no published version: its file applies`])
  const version = word === undefined ? current - 1 : Number(word)
  if (!Number.isInteger(version) || version < 0 || version >= current) {
    throw new ConfigError([`Specify a version from 0 to ${current - 1}`])
  }
  const undone = await edits.undo(
    { orgCode, version, current, reason: `Undone from the command line` },
    EDITOR,
  )
  assertValid(undone)
  return `${orgCode} shows ${version === 0 ? 'its file alone' : `version ${version}`} again, as version ${current + 1}.`
}

async function exportTo(parts: Parts, orgCode: string, folder: string): Promise<string> {
  const files = await organizationTransfer(parts).exportFiles(orgCode)
  for (const { path, content } of files) {
    const target = join(folder, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, Buffer.from(content, 'base64'))
  }
  return files.map(({ path }) => join(folder, path)).join('\n')
}

async function importFolder(parts: Parts, folder: string): Promise<string> {
  const files = ['organizations', 'logos', 'styles'].flatMap((name) =>
    namesIn(join(folder, name)).map((file) => ({
      path: `${name}/${file}`,
      content: readFileSync(join(folder, name, file)).toString('base64'),
    })),
  )
  const imported = await organizationTransfer(parts).importFiles(files, EDITOR, () => true)
  if (imported.length === 0) throw new ConfigError([`${folder} has no organizations`])
  return imported
    .flatMap(({ path, isSaved, errors }) => [
      `${path}  ${isSaved ? 'saved as a draft' : 'not saved'}`,
      ...errors.map(({ field, message }) => `   ${`${field} ${message}`.trim()}`),
    ])
    .join('\n')
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) =>
      ['.json', '.svg', '.png', '.css'].includes(extname(name)),
    )
  } catch {
    return [] // A folder that does not exist has no files.
  }
}

function assertValid(result: Awaited<ReturnType<OrganizationEdits['undo']>>): void {
  if (result.outcome === 'published') return
  throw new ConfigError(result.errors.map(({ field, message }) => `${field} ${message}`.trim()))
}

/** Sends a command to the running server, or runs it in this process if none is running. */
export async function requestOrganizations(
  config: Config,
  words: readonly string[],
): Promise<string> {
  // The server may run in another folder.
  const [action, first, second, ...rest] = words
  const text = JSON.stringify(
    action === 'import' && first !== undefined
      ? [action, resolve(first), ...words.slice(2)]
      : action === 'export' && second !== undefined
        ? [action, first, resolve(second), ...rest]
        : words,
  )
  const answer =
    config.databaseUrl === undefined
      ? await requestFromServer(config.dataDir, 'organization', text)
      : undefined
  if (answer !== undefined) return answer
  const { brands, brandSource }: Data = await loadData(config)
  const database = await openExistingDatabase(config)
  try {
    const stores = allStores(database)
    const publishedBrands = await openPublishedBrands({
      stores,
      source: brandSource,
      brands,
      locked: lockedFields(config.organizationsLocked),
      log: { info: () => undefined, warn: () => undefined },
    })
    return await manageOrganizations({ stores, publishedBrands, config, clock: Date.now }, text)
  } finally {
    await database.destroy()
  }
}
