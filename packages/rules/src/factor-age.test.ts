import { NEW_FACTOR_WAIT_MS } from '@portico/contracts/limits'
import { expect, test } from 'vitest'
import { type ConfirmationPurpose, canConfirm, type FactorAge } from './factor-age.ts'

const LOGIN = 1_900_000_000_000
const NOW = LOGIN + 60_000
const session = { id: 'this', createdAt: LOGIN }

test.each<[string, FactorAge, readonly ConfirmationPurpose[]]>([
  ['from before ages were stored', { addedAt: null, addedIn: null }, ['change', 'payment']],
  [
    'that is a day old',
    { addedAt: NOW - NEW_FACTOR_WAIT_MS, addedIn: 'other' },
    ['change', 'payment'],
  ],
  ['that is younger than a day', { addedAt: LOGIN - 1, addedIn: 'other' }, ['change']],
  ['that a login asked for', { addedAt: LOGIN - 1, addedIn: 'other', provedBy: 'login' }, []],
  [
    'that a login asked for a day ago',
    { addedAt: NOW - NEW_FACTOR_WAIT_MS, addedIn: 'other', provedBy: 'login' },
    ['change', 'payment'],
  ],
  ['from the moment of the login', { addedAt: LOGIN, addedIn: 'other' }, []],
  ['younger than the session', { addedAt: LOGIN + 1, addedIn: 'other' }, []],
  ['of this session, on a server whose clock is late', { addedAt: LOGIN - 9, addedIn: 'this' }, []],
  ['of this session, without a time', { addedAt: null, addedIn: 'this' }, []],
])('8 a factor %s confirms only what it may', (_, factor, purposes) => {
  const allowed = (['change', 'payment'] as const).filter((purpose) =>
    canConfirm(factor, { session, purpose, at: NOW }),
  )
  expect(allowed).toEqual(purposes)
})
