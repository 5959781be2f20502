import { expect, test } from 'vitest'
import * as wallet from './wallet.ts'

test('the entry point ./wallet exports what a wallet needs to join sessions', () => {
  expect(Object.keys(wallet).sort()).toEqual([
    'accountFromPrivateKey',
    'approvedAccount',
    'joinSession',
    'resumeSession',
  ])
})
