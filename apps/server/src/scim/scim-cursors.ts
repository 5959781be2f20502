/**
 * The cursors of RFC 9865: where the next page of a list begins. A cursor is signed together with the provider, the kind of
 * resource and the filter, so that it is valid for no other list and cannot be made by hand. Nothing is stored for it.
 */
import { timingSafeEqual } from 'node:crypto'
import { parseJson } from '@portico/contracts/parse-json'
import * as z from 'zod/mini'
import type { Vault } from '../secrets/vault.ts'
import { ScimError } from './scim-error.ts'
import type { Comparison, ResourceType } from './scim-filter.ts'

/** How long a cursor is valid after its page. */
export const CURSOR_TIMEOUT_S = 60 * 60

/** The last resource of a page. Pages are in the order of creation. */
export interface PagePosition {
  readonly createdAt: number
  readonly id: string
}

/** The list to which a cursor belongs. */
export interface CursorScope {
  readonly providerId: string
  readonly type: ResourceType
  readonly comparisons: readonly Comparison[]
}

const PURPOSE = 'scim cursor'
const MAX_LENGTH = 400
const Content = z.strictObject({ createdAt: z.int(), id: z.string(), expiresAt: z.int() })

export function scimCursors(vault: Pick<Vault, 'mac' | 'macs'>) {
  const signedText = (content: string, { providerId, type, comparisons }: CursorScope) =>
    JSON.stringify([providerId, type, comparisons, content])

  return {
    /** The cursor of the page after a resource. */
    create({ createdAt, id }: PagePosition, scope: CursorScope, at: number): string {
      const expiresAt = at + CURSOR_TIMEOUT_S * 1000
      const content = Buffer.from(JSON.stringify({ createdAt, id, expiresAt })).toString(
        'base64url',
      )
      return `${content}.${vault.mac(PURPOSE, signedText(content, scope))}`
    },

    /** @throws ScimError - `invalidCursor` or `expiredCursor` */
    read(cursor: string, scope: CursorScope, at: number): PagePosition {
      const [, content, mac] = /^([\w-]+)\.([\w-]+)$/.exec(cursor.slice(0, MAX_LENGTH)) ?? []
      if (content === undefined || mac === undefined) throw invalidCursor()
      const macs = vault.macs(PURPOSE, signedText(content, scope))
      if (!macs.some((each) => isEqual(each, mac))) throw invalidCursor()
      const { expiresAt, ...position } = Content.parse(
        parseJson(Buffer.from(content, 'base64url').toString()),
      )
      if (expiresAt > at) return position
      throw new ScimError(
        400,
        'The cursor has expired. Begin again with an empty cursor.',
        'expiredCursor',
      )
    },
  }
}

function isEqual(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

function invalidCursor(): ScimError {
  return new ScimError(
    400,
    'The cursor is not valid. Send an empty one for the first page, then each nextCursor with the same filter.',
    'invalidCursor',
  )
}
