/** A wallet outside the repository. It joins the page of `URI`, approves what the page requests, and ends with it. */
import { NETWORKS } from '@portico/keys/networks'
import { WalletError } from '@portico/wallet-connect/protocol'
import { accountFromPrivateKey, approvedAccount, joinSession } from '@portico/wallet-connect/wallet'

const network = NETWORKS.testnet
const account = accountFromPrivateKey(new Uint8Array(32).fill(5), network, 'Ada')

async function refuse(): Promise<never> {
  throw new WalletError('refused', 'This wallet only signs')
}

const session = await joinSession(process.env['URI'] ?? '', {
  approver: {
    connect: async ({ tokenLifetimeS }) =>
      approvedAccount(
        { account, group: null },
        { issuer: 'wallet.example', lifetimeS: tokenLifetimeS },
      ),
    sign: async ({ request }, { commit }) => {
      commit()
      return account.sign(request.bytes)
    },
    sendTransaction: refuse,
    switchToGroup: refuse,
  },
  accounts: [account],
  introduction: { name: 'Wallet', description: '', url: '', icons: [] },
  chainId: network.chainId,
})
console.log(account.address)
await session.ended
