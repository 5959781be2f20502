import { WalletType } from '@portico/contracts/wallet'
import { expect, test } from 'vitest'
import { walletApp, walletKindOf } from './wallet-app.ts'

test.each([
  ['mobile', 'figure_mobile', 'figure_mobile_test'],
  ['hosted', 'figure_hosted', 'figure_hosted_test'],
  ['extension', 'figure_extension', 'figure_extension'],
] as const)(
  '3 the _test suffix is used outside production: %s',
  (walletKind, inProduction, elsewhere) => {
    expect(walletApp(walletKind, true)).toBe(inProduction)
    expect(walletApp(walletKind, false)).toBe(elsewhere)
  },
)

test.each([...WalletType.options, undefined])(
  '2.7 only wallets of type FIGURE or OLDNET are connected in their own window: %s',
  (type) =>
    expect(walletKindOf(type)).toBe(type === 'FIGURE' || type === 'OLDNET' ? 'hosted' : 'mobile'),
)
