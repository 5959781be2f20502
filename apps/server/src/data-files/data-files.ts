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
import { hasInvisibleCharacters } from '@portico/contracts/text'
import type * as z from 'zod/mini'

const FILE_BYTES_MAXIMUM = 64 * 1024
/** Paths are shown up to this length, because their end, the file name, matters most. */
const PATH_CHARACTERS_MAXIMUM = 4096

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
 * @param without - returns the content without its invalid fields, so that the rest is checked as well; undefined if the rest is meaningless without them
 */
export function readFiles<Content>(
  configDir: string,
  folder: string,
  schema: z.ZodMiniType<Content>,
  errors: string[],
  without?: (value: unknown, error: z.core.$ZodError) => unknown,
): readonly ReadFile<Content>[] {
  return listPaths({ configDir, folder, pattern: /\.json$/i }, errors).flatMap((path) => {
    const name = printablePath(path)
    const bytes = readBytes(path, FILE_BYTES_MAXIMUM, errors)
    const json = bytes && parseJson(name, bytes, errors)
    if (json === undefined) return []
    const parsed = schema.safeParse(json.value, { reportInput: true })
    if (parsed.success) return [{ name, content: parsed.data }]
    errors.push(...schemaErrors(name, parsed.error))
    const rest = schema.safeParse(without?.(json.value, parsed.error))
    return rest.success ? [{ name, content: rest.data }] : []
  })
}

/** Reads the text of every JSON file of a folder. Errors are ignored here; `readFiles` reports them. */
export function readTexts(configDir: string, folder: string): readonly ReadFile<string>[] {
  return listPaths({ configDir, folder, pattern: /\.json$/i }, []).map((path) => ({
    name: printablePath(path),
    content: new TextDecoder().decode(readBytes(path, FILE_BYTES_MAXIMUM, [])),
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

/** Formats the errors of a file, each with its field and what is required. */
export function schemaErrors(name: string, error: z.core.$ZodError): string[] {
  return error.issues.flatMap((issue) => {
    const field = (...more: readonly PropertyKey[]) => printable([...issue.path, ...more].join('.'))
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map(
        (key) =>
          `${name}: ${field(key)} is not a known field; see docs/white-label.md for the list`,
      )
    }
    if (issue.code === 'too_big' && typeof issue.input === 'string') {
      return [
        `${name}: ${field()} has ${issue.input.length} characters; the maximum is ${issue.maximum}`,
      ]
    }
    // The validator's default messages are for developers; a schema's own message is quoted below.
    const isOwnMessage = !issue.message.startsWith('Invalid input')
    if (issue.code === 'invalid_type' && (issue.input === undefined || !isOwnMessage)) {
      return [`${name}: ${field() || 'the file'} ${typeError(issue)}`]
    }
    return [`${name}: ${field() || 'the file'} ${issue.message}`]
  })
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object in braces',
}

function typeError({ input, expected }: z.core.$ZodIssueInvalidType): string {
  if (input === undefined) return 'is missing'
  const must = `must be ${TYPE_NAMES[expected] ?? expected}`
  return input === null ? `${must}; null removes only fields that may be absent` : must
}

/** A path in a form that is safe to print on a terminal. */
export function printablePath(path: string): string {
  return printable(path, PATH_CHARACTERS_MAXIMUM)
}

/** Makes untrusted text safe to print on a terminal: escapes invisible characters and limits the length. */
export function printable(text: string, maximum = 200): string {
  const visible = hasInvisibleCharacters(text) ? JSON.stringify(text) : text
  const escaped = visible.replaceAll(
    /[\p{Cc}\p{Cf}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return escaped.length > maximum ? `${escaped.slice(0, maximum)}…` : escaped
}
