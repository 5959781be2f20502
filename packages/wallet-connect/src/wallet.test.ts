import { expect, test } from 'vitest'
import * as wallet from './wallet.ts'

test('the door ./wallet gives what a wallet needs to join a session and to show what is asked', () => {
  expect(Object.keys(wallet).sort()).toEqual([
    'accountFromPrivateKey',
    'describeMessage',
    'joinSession',
    'readableText',
    'resumeSession',
  ])
})
