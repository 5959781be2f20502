// A wallet in its own process that serves its requests again after it was killed, with its session in a file. Arguments: the
// connection URI, the file, and `kill` to end itself as soon as the next request arrives, before it can store it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { NETWORKS } from '@portico/keys/networks'
import {
  accountFromPrivateKey,
  approvedAccount,
  joinSession,
  resumeSession,
  type WalletOptions,
} from '@portico/wallet-connect/wallet'

const [uri = '', file = '', mode = 'serve'] = process.argv.slice(2)
const account = accountFromPrivateKey(new Uint8Array(32).fill(1), NETWORKS.testnet, 'Ada')

/** Receives a request like any other and is killed before it is handled. */
class KilledByRequest extends WebSocket {
  constructor(url: string) {
    super(url)
    this.addEventListener('message', () => process.kill(process.pid, 'SIGKILL'))
  }
}

const unsupported = () => Promise.reject(new Error('Not part of this test'))
const options: WalletOptions = {
  approver: {
    connect: async ({ tokenLifetimeS }) =>
      approvedAccount(
        { account, group: null },
        { issuer: 'wallet.example', lifetimeS: tokenLifetimeS, now: Date.now() },
      ),
    async sign({ request }, { commit }) {
      commit()
      return account.sign(request.bytes)
    },
    sendTransaction: unsupported,
    switchToGroup: unsupported,
  },
  accounts: [account],
  introduction: { name: 'Wallet', description: '', url: '', icons: [] },
  chainId: NETWORKS.testnet.chainId,
  onResume: 'serve',
  store: (text) => writeFileSync(file, text ?? ''),
  onState: (state) => process.stdout.write(`${state}\n`),
  ...(mode === 'kill' ? { WebSocket: KilledByRequest } : {}),
}
await (existsSync(file)
  ? resumeSession(readFileSync(file, 'utf8'), options)
  : joinSession(uri, options))
