import { parseJson } from '@portico/contracts/parse-json'
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import { useState } from 'react'
import * as z from 'zod/mini'
import { useEnvironment } from './environment.ts'
import { useOperator } from './operator/operator.tsx'

/** What an operator entered, and the draft and published version that it is based on. */
const Edits = z.object({
  content: z.record(z.string(), z.unknown()),
  styleSheet: z.optional(z.string()),
  revision: z.int(),
  baseVersion: z.int(),
})

type Edits = z.output<typeof Edits>

/**
 * Edits that are not saved yet. This tab keeps them through a reload, the back button and another login of the same
 * operator, so an editor can start with them.
 */
export function useUnsavedEdits(name: string): {
  /** Those of before; undefined if there are none. */
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
