/**
 * Files of data that an operator writes: read when the server starts, each held against its schema, and every fault told
 * with the file and the field.
 */
import { closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasUnseenCharacters } from '@portico/contracts/text'
import type * as z from 'zod/mini'

/** The largest file that is taken. */
const FILE_BYTES_MAXIMUM = 64 * 1024

const UTF_8 = new TextDecoder('utf-8', { fatal: true })

/** A file that was read, under the name that faults call it by. */
export interface ReadFile<Content> {
  readonly name: string
  readonly content: Content
}

/** The names of a folder's files that match, in order; none where there is no such folder. */
export function namesIn(configDir: string, folder: string, pattern: RegExp): readonly string[] {
  const path = join(configDir, folder)
  return existsSync(path)
    ? readdirSync(path)
        .filter((name) => pattern.test(name))
        .sort()
    : []
}

/** Reads every JSON file of a folder; what is wrong with one is added to the faults. */
export function readFiles<Content>(
  configDir: string,
  folder: string,
  schema: z.ZodMiniType<Content>,
  faults: string[],
): readonly ReadFile<Content>[] {
  return namesIn(configDir, folder, /\.json$/).flatMap((file) => {
    const name = join(configDir, folder, file)
    const bytes = bytesOf(name, FILE_BYTES_MAXIMUM, faults)
    const json = bytes && jsonOf(name, bytes, faults)
    if (json === undefined) return []
    const parsed = schema.safeParse(json.value, { reportInput: true })
    if (parsed.success) return [{ name, content: parsed.data }]
    faults.push(...faultsOf(name, parsed.error))
    return []
  })
}

/** The bytes of a file that is not too large. */
export function bytesOf(name: string, maximum: number, faults: string[]): Buffer | undefined {
  let file: number | undefined
  try {
    file = openSync(name, 'r')
    const found = fstatSync(file)
    if (!found.isFile()) throw new Error('it is not a file')
    if (found.size <= maximum) return readFileSync(file)
    faults.push(`${shown(name)} has ${found.size} bytes; the most is ${maximum}`)
  } catch (error) {
    faults.push(`${shown(name)} cannot be read: ${reasonOf(error)}`)
  } finally {
    if (file !== undefined) closeSync(file)
  }
  return undefined
}

function jsonOf(name: string, bytes: Buffer, faults: string[]): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(UTF_8.decode(bytes)) }
  } catch (error) {
    faults.push(`${shown(name)} is not JSON: ${reasonOf(error)}`)
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
    if (issue.code === 'invalid_type' && issue.input === undefined) {
      return [`${name}: ${field()} is missing`]
    }
    return [`${name}: ${field() || 'the file'} ${issue.message}`]
  })
}

/** A text of somebody else’s as a terminal may show it: nothing unseen, and not at any length. */
export function shown(text: string): string {
  const visible = hasUnseenCharacters(text) ? JSON.stringify(text) : text
  const escaped = visible.replaceAll(
    /[\p{Cc}\p{Cf}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return escaped.length > 200 ? `${escaped.slice(0, 200)}…` : escaped
}
