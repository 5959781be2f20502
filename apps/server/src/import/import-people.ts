/**
 * Imports people from a file. Each line's account ID is derived from the file and the line, so that a process killed between
 * the commit and the report recognizes after a restart what it had added.
 */
import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../config.ts'
import { ConfigError } from '../config-error.ts'
import { openExistingDatabase } from '../database/database.ts'
import { DatabaseUnavailable } from '../database/database-unavailable.ts'
import { claimDatabase } from '../database/installation.ts'
import { loadData } from '../load-data.ts'
import { allStores, type TransactionalStores } from '../stores.ts'
import { openReport, type ReportLine } from './import-report.ts'
import type { NewPerson } from './imported-people.store.ts'
import { type Line, readLines } from './lines.ts'
import { FirebaseParameters, parsePerson } from './person-line.ts'

/** How many lines one transaction adds. */
const BATCH = 500

interface ImportOptions {
  readonly file: string
  /** By default next to the file. */
  readonly reportFile?: string | undefined
  /** The file with the hash parameters of a Firebase project. */
  readonly firebaseFile?: string | undefined
  /** Checks everything without adding accounts. */
  readonly isDryRun: boolean
}

export interface ImportSummary extends Readonly<Record<ReportLine['status'], number>> {
  readonly reportFile: string
  /** The lines that an earlier run completed. */
  readonly continuedAfter: number
}

/**
 * Imports a file, or continues an import of it.
 *
 * @throws ConfigError - when a file or the database cannot be used, or no longer
 */
export async function importPeople(
  config: Config,
  { file, firebaseFile, isDryRun, ...options }: ImportOptions,
): Promise<ImportSummary> {
  const firebase = firebaseFile === undefined ? undefined : readParameters(firebaseFile)
  const digest = await digestOf(file)
  const { organizations } = (await loadData(config)).brands
  const orgCodes = new Set(organizations.all.map(({ orgCode }) => orgCode))
  const database = await openExistingDatabase(config)
  const { reportFile = `${file}.${isDryRun ? 'dry-run' : 'report'}.ndjson` } = options
  let doneLine = 0
  try {
    await claimDatabase(database, {
      mode: config.production ? 'production' : 'demonstration',
      at: Date.now(),
    })
    using report = await openReport(reportFile, { digest, isDryRun })
    const continuedAfter = report.doneLine
    doneLine = continuedAfter
    const add = isDryRun ? checkBatch(allStores(database)) : addBatch(allStores(database), digest)
    let batch: CheckedLine[] = []
    const finish = async () => {
      report.add(await add(batch))
      doneLine = batch.at(-1)?.line ?? doneLine
      batch = []
    }
    for await (const line of readLines(file)) {
      if (line.number <= continuedAfter || line.text?.trim() === '') continue
      batch.push(check(line, { digest, orgCodes, firebase }))
      if (batch.length === BATCH) await finish()
    }
    if (batch.length > 0) await finish()
    return { ...report.counts, reportFile, continuedAfter }
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    const next = isDryRun
      ? 'No one was added. Run the same command again'
      : `The lines up to ${doneLine} are done. Run the same command again to continue with the next one`
    throw new ConfigError([`${error.message}. ${next}`])
  } finally {
    await database.destroy()
  }
}

interface CheckedLine {
  readonly line: number
  readonly person: NewPerson | undefined
  readonly error?: string
}

type AddBatch = (batch: readonly CheckedLine[]) => Promise<ReportLine[]>

function check(
  { number: line, text }: Line,
  { digest, ...options }: { readonly digest: string } & Parameters<typeof parsePerson>[1],
): CheckedLine {
  if (text === undefined) {
    return { line, person: undefined, error: 'the line is longer than 16 kB or not UTF-8' }
  }
  const parsed = parsePerson(text, options)
  return 'error' in parsed
    ? { line, person: undefined, error: parsed.error }
    : { line, person: { ...parsed, id: identityIdOf(digest, line) } }
}

/** The length of the part of an ID that no other part depends on: up to its last hyphen. */
const HEAD_LENGTH = 24

/** A UUID in which every digit looks random. Its last part shows that it belongs to the file. */
function identityIdOf(digest: string, line: number): string {
  const hex = hashOf(`${digest} ${line}`)
  const head = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(12, 15)}-8${hex.slice(15, 18)}-`
  return `${head}${tailOf(digest, head)}`
}

/** Whether a line of the file has this ID. */
const isOfFile = (digest: string, id: string) =>
  id.slice(HEAD_LENGTH) === tailOf(digest, id.slice(0, HEAD_LENGTH))

const tailOf = (digest: string, head: string) => hashOf(`${digest} ${head}`).slice(0, 12)

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

function addBatch(stores: TransactionalStores<'importedPeople'>, digest: string): AddBatch {
  return async (batch) => {
    // In address order, so that concurrent imports wait for each other instead of deadlocking.
    const people = peopleOf(batch).toSorted((one, other) => (one.email < other.email ? -1 : 1))
    const added = await stores.atomically(({ importedPeople }) =>
      importedPeople.insert(people, Date.now()),
    )
    const known = await stores.importedPeople.findIds(
      people.filter(({ id }) => !added.has(id)).map(({ email }) => email),
    )
    return batch.map(({ line, person, error }) => {
      if (person === undefined) return refusedLine(line, error)
      const identityId = added.has(person.id) ? person.id : (known.get(person.email) ?? person.id)
      if (identityId === person.id) return { line, status: 'imported', identityId }
      return { line, status: isOfFile(digest, identityId) ? 'duplicate' : 'exists', identityId }
    })
  }
}

/** Like `addBatch`, without adding accounts. */
function checkBatch(stores: TransactionalStores<'importedPeople'>): AddBatch {
  // Hashes take less memory than addresses.
  const seen = new Set<number>()
  return async (batch) => {
    const known = await stores.importedPeople.findIds(peopleOf(batch).map(({ email }) => email))
    return batch.map(({ line, person, error }) => {
      if (person === undefined) return refusedLine(line, error)
      const identityId = known.get(person.email)
      if (identityId !== undefined) return { line, status: 'exists', identityId }
      const key = createHash('sha256').update(person.email).digest().readUIntBE(0, 6)
      const isDuplicate = seen.has(key)
      seen.add(key)
      return { line, status: isDuplicate ? 'duplicate' : 'imported' }
    })
  }
}

const peopleOf = (batch: readonly CheckedLine[]) =>
  batch.flatMap(({ person }) => (person === undefined ? [] : [person]))

const refusedLine = (line: number, error = ''): ReportLine => ({ line, status: 'refused', error })

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(file), hash)
  } catch (error) {
    throw new ConfigError([`${file} cannot be read: ${(error as Error).message}`])
  }
  return hash.digest('hex')
}

function readParameters(file: string) {
  try {
    return FirebaseParameters.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    throw new ConfigError([
      `${file} must hold base64_signer_key, base64_salt_separator, rounds and mem_cost as JSON`,
    ])
  }
}
