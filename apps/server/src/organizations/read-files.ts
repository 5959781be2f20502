import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type * as z from 'zod/mini'

/** A file that was read, under the name that faults call it by. */
export interface ReadFile<Content> {
  readonly name: string
  readonly content: Content
}

/** Reads every JSON file of a folder, in order of their names; what is wrong with one is added to the faults. */
export function readFiles<Content>(
  configDir: string,
  folder: string,
  schema: z.ZodMiniType<Content>,
  faults: string[],
): readonly ReadFile<Content>[] {
  const path = join(configDir, folder)
  if (!existsSync(path)) return []
  return readdirSync(path)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .flatMap((file) => {
      const name = join(configDir, folder, file)
      const content = read(name, schema, faults)
      return content === undefined ? [] : [{ name, content }]
    })
}

function read<Content>(
  name: string,
  schema: z.ZodMiniType<Content>,
  faults: string[],
): Content | undefined {
  let json: unknown
  try {
    json = JSON.parse(readFileSync(name, 'utf8'))
  } catch (error) {
    faults.push(`${name} is not JSON: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
  const parsed = schema.safeParse(json)
  if (parsed.success) return parsed.data
  faults.push(...faultsOf(name, parsed.error))
  return undefined
}

/** The faults of a file, each with its field. */
export function faultsOf(name: string, error: z.core.$ZodError): string[] {
  return error.issues.map(({ path, message }) => `${name}: ${path.join('.')} ${message}`)
}
