/** A directory that calls SCIM. */

import { createScimToken } from '@portico/server/scim-tokens'
import type { Server } from '@portico/server/server'

/** The demonstration's identity providers of customers and of agents. */
export const DIRECTORY_PROVIDERS = {
  customer: '5d3f0c52-8f0e-4c5e-9a51-6f1d2a7c0b01',
  agent: '5d3f0c52-8f0e-4c5e-9a51-6f1d2a7c0b02',
} as const

/** The attributes of users, groups and lists that tests read; an answer has those of its kind. */
interface ScimBody {
  readonly id: string
  /** Of an error. */
  readonly status?: string
  readonly active: boolean
  readonly displayName: string
  readonly name: string
  readonly members: readonly { readonly value: string }[]
  readonly meta: { readonly location: string }
  readonly totalResults: number
  readonly itemsPerPage: number
  readonly startIndex?: number
  readonly nextCursor?: string
  readonly Resources: readonly ScimBody[]
}

interface ScimAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: ScimBody
}

export interface Directory {
  readonly token: string
  readonly send: (method: string, path: string, body?: unknown) => Promise<ScimAnswer>
  /** Adds a user. Returns their ID. */
  readonly addUser: (user: Readonly<Record<string, unknown>>) => Promise<string>
}

/** Creates a token for a provider, and calls with it. */
export async function aDirectory(
  world: { readonly server: Server; readonly url: string; clock: { now: () => number } },
  userType: keyof typeof DIRECTORY_PROVIDERS = 'customer',
): Promise<Directory> {
  const providerId = DIRECTORY_PROVIDERS[userType]
  const token = await createScimToken(world.server.stores, { providerId, at: world.clock.now() })
  const send = scimCaller(world.url, token)
  return {
    token,
    send,
    async addUser(user) {
      const { status, body } = await send('POST', '/Users', user)
      if (status !== 201) throw new Error(`The user was refused: ${JSON.stringify(body)}`)
      return body.id
    },
  }
}

export function scimCaller(url: string, token: string | undefined): Directory['send'] {
  return async (method, path, body) => {
    const response = await fetch(`${url}/scim/v2${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      // Tests compare what they read, so a wrong type fails there.
      body: (text === '' ? undefined : JSON.parse(text)) as ScimBody,
    }
  }
}

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** A patch with these operations. */
export function patch(...operations: readonly object[]): object {
  return { schemas: [PATCH_SCHEMA], Operations: operations }
}
