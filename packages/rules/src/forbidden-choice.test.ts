import { WalletType } from '@portico/contracts/wallet'
import { expect, test } from 'vitest'
import { forbiddenChoice } from './forbidden-choice.ts'

test.each(
  WalletType.options.map((type) => [type, type === 'PROVENANCE' ? 'Provenance' : 'Verify']),
)('4.2 a 403 when choosing an account of a %s wallet leads to %s', (type, status) =>
  expect(forbiddenChoice(WalletType.parse(type))).toBe(status),
)
