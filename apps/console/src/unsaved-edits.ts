import { parseJson } from '@portico/contracts/parse-json'
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import { useState } from 'react'
import * as z from 'zod/mini'
import { useEnvironment } from './environment.ts'
import { useHere } from './location.ts'
import { useOperator } from './operator/operator.tsx'

/** An operator's input, and the draft and published version that it is based on. */
const Edits = z.object({
  content: z.record(z.string(), z.unknown()),
  styleSheet: z.optional(z.string()),
  revision: z.int(),
  baseVersion: z.int(),
})

type Edits = z.output<typeof Edits>

/** Input that survives a reload, the back button and a new login of the same operator in this tab. */
function useUnsaved(name: string) {
  const { storage } = useEnvironment()
  const { operator } = useOperator()
  const key = `${STORAGE_KEYS.consoleEdits} ${operator.name} ${name}`
  const [restored] = useState(() => storage.read(key))
  return {
    /** The restored input; undefined if there is none. */
    restored,
    write: (text: string) => storage.write(key, text),
    clear: () => storage.remove(key),
  }
}

/** The unsaved edits of an editor, which starts with them. */
export function useUnsavedEdits(name: string): {
  /** The restored edits; undefined if there are none. */
  readonly restored: Edits | undefined
  readonly write: (edits: Edits) => void
  readonly clear: () => void
} {
  const unsaved = useUnsaved(name)
  return {
    ...unsaved,
    restored: Edits.safeParse(parseJson(unsaved.restored)).data,
    write: (edits) => unsaved.write(JSON.stringify(edits)),
  }
}

/** The reason in the dialog of an act that was not done yet. */
export function useUnsavedReason(act: string) {
  const { path } = useHere()
  return useUnsaved(`reason ${path} ${act}`)
}
