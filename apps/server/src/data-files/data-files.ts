/**
 * Files of data that an operator writes: read when the server starts, each held against its schema, and every fault told
 * with the file and the field.
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

/** The largest file that is taken. */
const FILE_BYTES_MAXIMUM = 64 * 1024
/** As much of a path as a terminal is shown: its end, the file's name, is what matters. */
const PATH_CHARACTERS_MAXIMUM = 4096

const UTF_8 = new TextDecoder('utf-8', { fatal: true })

/** A file that was read, under the name that faults call it by. */
export interface ReadFile<Content> {
  readonly name: string
  readonly content: Content
}

/** A folder of data, and which of its files are meant. */
interface DataFolder {
  readonly configDir: string
  readonly folder: string
  readonly pattern: RegExp
}

/** The paths of a folder's files that match, in order; none where there is no such folder. */
export function pathsIn(
  { configDir, folder, pattern }: DataFolder,
  faults: string[],
): readonly string[] {
  const path = join(configDir, folder)
  if (!existsSync(path)) return []
  try {
    return readdirSync(path)
      .filter((name) => pattern.test(name))
      .sort()
      .map((name) => join(path, name))
  } catch (error) {
    faults.push(`${shownPath(path)} cannot be read: ${reasonOf(error)}`)
    return []
  }
}

/**
 * Reads every JSON file of a folder; what is wrong with one is added to the faults.
 *
 * @param without - what a file says but for its errors, so that the rest of it is checked as well; undefined where the
 *   rest means nothing by itself
 */
export function readFiles<Content>(
  configDir: string,
  folder: string,
  schema: z.ZodMiniType<Content>,
  faults: string[],
  without?: (value: unknown, error: z.core.$ZodError) => unknown,
): readonly ReadFile<Content>[] {
  return pathsIn({ configDir, folder, pattern: /\.json$/i }, faults).flatMap((path) => {
    const name = shownPath(path)
    const bytes = bytesOf(path, FILE_BYTES_MAXIMUM, faults)
    const json = bytes && jsonOf(name, bytes, faults)
    if (json === undefined) return []
    const parsed = schema.safeParse(json.value, { reportInput: true })
    if (parsed.success) return [{ name, content: parsed.data }]
    faults.push(...faultsOf(name, parsed.error))
    const rest = schema.safeParse(without?.(json.value, parsed.error))
    return rest.success ? [{ name, content: rest.data }] : []
  })
}

/** The text of every JSON file of a folder, as far as it can be read; errors are for `readFiles` to report. */
export function readTexts(configDir: string, folder: string): readonly ReadFile<string>[] {
  return pathsIn({ configDir, folder, pattern: /\.json$/i }, []).map((path) => ({
    name: shownPath(path),
    content: new TextDecoder().decode(bytesOf(path, FILE_BYTES_MAXIMUM, [])),
  }))
}

/** The bytes of a file that is not too large. */
export function bytesOf(path: string, maximum: number, faults: string[]): Buffer | undefined {
  const name = shownPath(path)
  let file: number | undefined
  try {
    // Opening a pipe would else wait, for ever, for somebody who writes into it.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const found = fstatSync(file)
    if (!found.isFile()) throw new Error('it is not a file')
    if (found.size <= maximum) return readFileSync(file)
    faults.push(`${name} has ${found.size} bytes; the most is ${maximum}`)
  } catch (error) {
    faults.push(`${name} cannot be read: ${reasonOf(error)}`)
  } finally {
    if (file !== undefined) closeSync(file)
  }
  return undefined
}

/** What a file says that must be written in UTF-8. */
export function textOf(path: string, bytes: Buffer, faults: string[]): string | undefined {
  try {
    return UTF_8.decode(bytes)
  } catch {
    faults.push(`${shownPath(path)} is not written in UTF-8; save it so`)
    return undefined
  }
}

function jsonOf(name: string, bytes: Buffer, faults: string[]): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(UTF_8.decode(bytes)) }
  } catch (error) {
    faults.push(`${name} is not JSON: ${reasonOf(error)}`)
    return undefined
  }
}

function reasonOf(error: unknown): string {
  return shown(error instanceof Error ? error.message : String(error))
}

/** The faults of a file, each with its field and what it must be. */
export function faultsOf(name: string, error: z.core.$ZodError): string[] {
  return error.issues.flatMap((issue) => {
    const field = (...more: readonly PropertyKey[]) => shown([...issue.path, ...more].join('.'))
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map(
        (key) => `${name}: ${field(key)} is no field; docs/white-label.md lists those there are`,
      )
    }
    if (issue.code === 'too_big' && typeof issue.input === 'string') {
      return [
        `${name}: ${field()} has ${issue.input.length} characters; the most is ${issue.maximum}`,
      ]
    }
    // The validator's own words are for developers; a message that a schema gives itself is quoted below.
    const isOwnMessage = !issue.message.startsWith('Invalid input')
    if (issue.code === 'invalid_type' && (issue.input === undefined || !isOwnMessage)) {
      return [`${name}: ${field() || 'the file'} ${typeError(issue)}`]
    }
    return [`${name}: ${field() || 'the file'} ${issue.message}`]
  })
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a text in quotes',
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

/** A path as a terminal may show it. */
export function shownPath(path: string): string {
  return shown(path, PATH_CHARACTERS_MAXIMUM)
}

/** A text of somebody else’s as a terminal may show it: nothing unseen, and not at any length. */
export function shown(text: string, maximum = 200): string {
  const visible = hasInvisibleCharacters(text) ? JSON.stringify(text) : text
  const escaped = visible.replaceAll(
    /[\p{Cc}\p{Cf}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return escaped.length > maximum ? `${escaped.slice(0, maximum)}…` : escaped
}
