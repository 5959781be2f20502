/**
 * Records refused requests of directories for the console. The first of a kind is stored at once, its repetitions with the
 * next report of the node, so that a directory that repeats a request causes few writes. Values are not recorded.
 */
import {
  DirectoryAttribute,
  type DirectoryRefusal,
  DirectoryRefusalReason,
} from '@portico/contracts/admin/directory-refusals'
import { ERROR_CATALOG } from '@portico/contracts/error-catalog'
import { toRefusal } from '../http/error-responses.ts'
import type { Stores } from '../stores.ts'
import type { CountedRefusal } from './directory-refusals.store.ts'
import { ScimError } from './scim-error.ts'
import { InvalidFilter } from './scim-filter.ts'
import { InvalidPatch } from './scim-path.ts'

/** The maximum number of kinds that a node counts between two reports. */
const MAX_COUNTED = 1000

export interface DirectoryRefusals {
  /** @throws if the database does not store it */
  readonly record: (providerId: string, refusal: DirectoryRefusal, at: number) => Promise<void>
  /** Stores the repetitions. */
  readonly flush: () => Promise<void>
}

export function directoryRefusals({
  directoryRefusals: store,
}: Pick<Stores, 'directoryRefusals'>): DirectoryRefusals {
  let counted = new Map<string, CountedRefusal>()
  return {
    async record(providerId, refusal, at) {
      const content = JSON.stringify(refusal)
      const id = `${providerId} ${content}`
      const known = counted.get(id)
      if (known !== undefined) {
        counted.set(id, { ...known, refused: known.refused + 1, lastAt: at })
      } else if (counted.size < MAX_COUNTED) {
        counted.set(id, { providerId, content, refused: 0, lastAt: at })
        await store.add([{ providerId, content, refused: 1, lastAt: at }])
      }
    },

    async flush() {
      const repeated = [...counted.values()].filter(({ refused }) => refused > 0)
      counted = new Map()
      if (repeated.length > 0) await store.add(repeated)
    },
  }
}

/** Undefined for a failure of the server. */
export function describeRefusal(
  error: unknown,
): Pick<DirectoryRefusal, 'reason' | 'attribute' | 'isDepartureApplied'> | undefined {
  if (error instanceof ScimError) {
    const { status, scimType, attribute, isDepartureApplied } = error
    const reason = reasonOf(scimType ?? REASONS[status])
    return status >= 500
      ? undefined
      : { reason, attribute: attributeOf(attribute), isDepartureApplied }
  }
  if (error instanceof InvalidPatch || error instanceof InvalidFilter) {
    const isFilter = error instanceof InvalidFilter
    return {
      reason: isFilter ? 'invalidFilter' : error.scimType,
      attribute: isFilter ? null : attributeOf(error.attribute),
      isDepartureApplied: false,
    }
  }
  const { code } = toRefusal(error)
  const { status } = ERROR_CATALOG[code]
  if (status >= 500) return undefined
  const reason = code === 'invalid-request' ? 'invalidSyntax' : reasonOf(REASONS[status])
  return { reason, attribute: null, isDepartureApplied: false }
}

/** The reasons of errors without a type, by their status. */
const REASONS: Readonly<Record<number, DirectoryRefusalReason>> = {
  403: 'full',
  404: 'notFound',
  413: 'tooLarge',
}

function reasonOf(text: string | undefined): DirectoryRefusalReason {
  return DirectoryRefusalReason.safeParse(text).data ?? 'other'
}

function attributeOf(name: string | undefined): DirectoryAttribute | null {
  const lower = name?.toLowerCase()
  return DirectoryAttribute.options.find((each) => each.toLowerCase() === lower) ?? null
}
