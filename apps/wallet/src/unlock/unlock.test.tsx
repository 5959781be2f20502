import { fakeClient, refusal } from '@portico/client/testing'
import { after, moves } from '@portico/flow/testing'
import { lasting } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { unlock } from './unlock.flow.ts'
import { events, inputs } from './unlock.samples.ts'
import { unlockServices } from './unlock.services.ts'

const owner = { email: 'ada@example.com', methods: ['password', 'passcode'] } as const

test('2.8 the unlock methods are loaded first, and loading can be retried', () => {
  expect(after(unlock, null, [{ type: 'ownerRead', owner }])).toEqual([
    { step: 'confirming', owner },
  ])
  expect(after(unlock, null, [unlock.failed, { type: 'retried' }])).toEqual([
    { step: 'reading' },
    { type: 'readOwner' },
  ])
})

test('2.8 the unlock methods are loaded each time', () => {
  for (const { to, from, commands } of moves(unlock, { inputs, events })) {
    if (to === 'reading' && from !== to) expect(commands).toEqual(['readOwner'])
  }
})

test('2.8 the server determines the methods, and its refusal is shown in its words', async () => {
  const told = (answer: unknown, supported = false) =>
    unlockServices({
      client: fakeClient({ readSecurity: answer }).client,
      passkeys: { supported: () => supported },
    }).readOwner({ type: 'readOwner' }, lasting)
  const overview = {
    aliases: [{ type: 'Email', value: 'ada@example.com' }],
    hasPassword: true,
    totpEnabled: false,
    passkeys: [{ uuid: 'k' }],
    sessions: [{ current: true, method: 'passkey' }],
  }
  expect(await told(overview)).toEqual({ type: 'ownerRead', owner })
  expect(await told(overview, true)).toMatchObject({
    owner: { methods: ['passkey', 'password', 'passcode'] },
  })
  expect(await told(refusal('session-ended'))).toMatchObject({
    type: 'refused',
    failure: { reason: 'session-ended' },
  })
})
