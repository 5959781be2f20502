import { describe, expect, test } from 'vitest'
import { ACCOUNT, CHAIN } from './support/account.ts'
import { aRelay, conversations, together } from './support/conversation.ts'
import { OUR_PAGE, publishedPageKind } from './support/pages.ts'
import { OURS, published, THEIRS } from './support/wallets.ts'

conversations(OUR_PAGE, THEIRS)
conversations(OUR_PAGE, OURS)

describe('accounts and chain ids in every format that wallets use', () => {
  const bridge = aRelay()

  // The published library is included to show that the test's wallet behaves like real ones.
  test.each([
    { pageKind: OUR_PAGE, walletKind: published('object', 1) },
    { pageKind: OUR_PAGE, walletKind: published('array', CHAIN) },
    { pageKind: OUR_PAGE, walletKind: published('array', 1) },
    { pageKind: publishedPageKind('3.10.3'), walletKind: published('array', CHAIN) },
  ])(
    '2.7 $pageKind.name connects with $walletKind.name and gets signatures',
    async ({ pageKind, walletKind }) => {
      await using pair = await together(bridge(), pageKind, walletKind)
      const { service } = pair.page
      expect(service.state).toMatchObject({
        status: 'connected',
        address: ACCOUNT.address,
        publicKey: ACCOUNT.publicKey,
      })
      expect((await service.signHexMessage('deadbeef')).valid).toBe(true)
      expect((await service.signJWT()).valid).toBe(true)
    },
  )
})
