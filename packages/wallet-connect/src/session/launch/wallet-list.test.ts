import { expect, test, vi } from 'vitest'
import { WALLET_ADDRESSES } from './wallet-addresses.ts'
import { walletList } from './wallet-list.ts'

test.each([
  ['Chrome', 'chrome'],
  ['Firefox', 'firefox'],
] as const)('2.7 the download page of the extension is the one for %s', (name, store) => {
  vi.stubGlobal('navigator', { userAgent: `Mozilla/5.0 ${name}/140.0` })
  const [extension] = walletList(WALLET_ADDRESSES, {
    dispatch: () => undefined,
    hasExtension: () => false,
  })
  expect(extension).toMatchObject({
    id: 'figure_extension',
    walletUrl: WALLET_ADDRESSES.extension.stores[store],
  })
})
