import { expect, test } from 'vitest'
import type { Visitor } from '../http/visitor.ts'
import { openSessions } from './sessions.ts'

const IDENTITY = { id: 'somebody', organization_code: 'FIGURE' }

/** A visitor as far as the beginning of a session is concerned. */
const VISITOR = {
  organization: { orgCode: 'FIGURE' },
  network: '192.0.2.1',
  userAgent: '',
  sessionCookie: undefined,
  keepSession: () => undefined,
} as unknown as Visitor

test('3 a token lives 1440 s, also where time goes by while it is made', async () => {
  let now = 1_800_000_000_000
  const lifetimes: number[] = []
  const sessions = openSessions({
    stores: { sessions: {} as never },
    tokens: {
      issue: (_kind, _claims, lifetimeS) => String(lifetimes.push(lifetimeS)),
      read: () => undefined,
      jwks: { keys: [] },
      refreshKeys: async () => undefined,
    },
    clock: () => (now += 7),
  })
  await sessions.open({ sessions: { add: async () => undefined } as never }, IDENTITY, VISITOR, {
    method: 'password',
  })
  expect(lifetimes).toEqual([1440])
})
