import { parseJson } from '@portico/contracts/parse-json'
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import { useState } from 'react'
import * as z from 'zod/mini'
import { useEnvironment } from './environment.ts'
import { useOperator } from './operator/operator.tsx'

/** An operator's input, and the draft and published version that it is based on. */
const Edits = z.object({
  content: z.record(z.string(), z.unknown()),
  styleSheet: z.optional(z.string()),
  revision: z.int(),
  baseVersion: z.int(),
})

type Edits = z.output<typeof Edits>

/**
 * Unsaved edits. They survive a reload, the back button and a new login of the same operator in this tab, and an editor
 * starts with them.
 */
export function useUnsavedEdits(name: string): {
  /** The restored edits; undefined if there are none. */
  readonly kept: Edits | undefined
  readonly keep: (edits: Edits) => void
  readonly forget: () => void
} {
  const { storage } = useEnvironment()
  const { operator } = useOperator()
  const key = `${STORAGE_KEYS.consoleEdits} ${operator.name} ${name}`
  const [kept] = useState(() => Edits.safeParse(parseJson(storage.read(key))).data)
  return {
    kept,
    keep: (edits) => storage.keep(key, JSON.stringify(edits)),
    forget: () => storage.remove(key),
  }
}
