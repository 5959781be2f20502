import { expect, test } from 'vitest'
import * as wallet from './wallet.ts'

test('the entry point ./wallet exports what a wallet needs to join sessions and describe requests', () => {
  expect(Object.keys(wallet).sort()).toEqual([
    'accountFromPrivateKey',
    'approvedAccount',
    'describeMessage',
    'joinSession',
    'readableText',
    'resumeSession',
  ])
})
