/**
 * Reads the data files that operators write. The server validates each against its schema at startup and reports every
 * error with its file and field.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type * as z from 'zod/mini'
import { errorText, fieldErrors, parseData } from './field-errors.ts'
import { printable, printablePath } from './printable.ts'

export { errorText, type FieldError, fieldErrors, parseData } from './field-errors.ts'
export { printable, printablePath } from './printable.ts'

const MAX_FILE_BYTES = 64 * 1024

/** The folders with JSON files, and the document that describes each one's fields. */
const GUIDES = {
  organizations: 'docs/white-label.md',
  labels: 'docs/white-label.md',
  experiments: 'docs/telemetry-and-experiments.md',
  webhooks: 'docs/webhooks.md',
  clients: 'docs/openid-provider.md',
} as const

type JsonFolder = keyof typeof GUIDES

const UTF_8 = new TextDecoder('utf-8', { fatal: true })

/** A parsed file, with the name that error messages use. */
export interface ReadFile<Content> {
  readonly name: string
  readonly content: Content
}

/** The files of a folder that match a pattern. */
interface DataFolder {
  readonly configDir: string
  readonly folder: string
  readonly pattern: RegExp
}

/** Lists the matching files of a folder in order; empty if the folder does not exist. */
export function listPaths(
  { configDir, folder, pattern }: DataFolder,
  errors: string[],
): readonly string[] {
  const path = join(configDir, folder)
  if (!existsSync(path)) return []
  try {
    return readdirSync(path)
      .filter((name) => pattern.test(name))
      .sort()
      .map((name) => join(path, name))
  } catch (error) {
    errors.push(`${printablePath(path)} cannot be read: ${errorReason(error)}`)
    return []
  }
}

/**
 * Reads every JSON file of a folder and adds their errors to `errors`.
 *
 * @param withoutInvalid - returns the content without its invalid fields, so that the rest is checked as well; undefined if the rest is meaningless without them
 */
export function readFiles<Content>(
  configDir: string,
  folder: JsonFolder,
  schema: z.ZodMiniType<Content>,
  errors: string[],
  withoutInvalid?: (value: unknown, error: z.core.$ZodError) => unknown,
): readonly ReadFile<Content>[] {
  return listPaths({ configDir, folder, pattern: /\.json$/i }, errors).flatMap((path) => {
    const name = printablePath(path)
    const bytes = readBytes(path, MAX_FILE_BYTES, errors)
    const json = bytes && parseJson(name, bytes, errors)
    if (json === undefined) return []
    const parsed = parseData(schema, json.value)
    if (parsed.success) return [{ name, content: parsed.data }]
    errors.push(...contentErrors(name, folder, parsed.error))
    const rest = schema.safeParse(withoutInvalid?.(json.value, parsed.error))
    return rest.success ? [{ name, content: rest.data }] : []
  })
}

/** Formats the schema errors of a file in `folder`. */
function contentErrors(name: string, folder: JsonFolder, error: z.core.$ZodError): string[] {
  return fieldErrors(error.issues, GUIDES[folder]).map((each) => `${name}: ${errorText(each)}`)
}

/** Reads the text of every JSON file of a folder. Errors are ignored here; `readFiles` reports them. */
export function readTexts(configDir: string, folder: JsonFolder): readonly ReadFile<string>[] {
  return listPaths({ configDir, folder, pattern: /\.json$/i }, []).map((path) => ({
    name: printablePath(path),
    content: new TextDecoder().decode(readBytes(path, MAX_FILE_BYTES, [])),
  }))
}

/** Reads a file of limited size. */
export function readBytes(path: string, maximum: number, errors: string[]): Buffer | undefined {
  const name = printablePath(path)
  let file: number | undefined
  try {
    // Without O_NONBLOCK, opening a named pipe would wait forever for a writer.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const found = fstatSync(file)
    if (!found.isFile()) throw new Error('it is not a regular file')
    if (found.size <= maximum) return readFileSync(file)
    errors.push(`${name} has ${found.size} bytes; the maximum is ${maximum}`)
  } catch (error) {
    errors.push(`${name} cannot be read: ${errorReason(error)}`)
  } finally {
    if (file !== undefined) closeSync(file)
  }
  return undefined
}

/** Decodes a file that must be UTF-8. */
export function decodeText(path: string, bytes: Buffer, errors: string[]): string | undefined {
  try {
    return UTF_8.decode(bytes)
  } catch {
    errors.push(`${printablePath(path)} is not valid UTF-8; save it as UTF-8`)
    return undefined
  }
}

function parseJson(name: string, bytes: Buffer, errors: string[]): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(UTF_8.decode(bytes)) }
  } catch (error) {
    errors.push(`${name} is not JSON: ${errorReason(error)}`)
    return undefined
  }
}

function errorReason(error: unknown): string {
  return printable(error instanceof Error ? error.message : String(error))
}
