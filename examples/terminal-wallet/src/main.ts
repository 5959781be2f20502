// `npm run wallet -- 'wc:…'`: a terminal wallet. README.md shows an example.
import { parseArgs } from 'node:util'
import { isAddress } from '@portico/keys/address'
import { hexOf } from '@portico/keys/bytes'
import { privateKeyAt } from '@portico/keys/derivation'
import { newWords, seedOfWords } from '@portico/keys/mnemonic'
import { NETWORKS } from '@portico/keys/networks'
import { WalletError } from '@portico/wallet-connect/protocol'
import { accountFromPrivateKey, joinSession, type TxResponse } from '@portico/wallet-connect/wallet'
import { processTerminal } from './terminal.ts'
import { terminalApprover } from './terminal-approver.ts'

const USAGE = `Usage: npm run wallet -- 'wc:…' [options]

  'wc:…'           the connection that a page shows or copies, or a link that contains it
  --group ADDRESS  act for this group
  --mainnet        the main network instead of the test network
  --issuer NAME    the issuer of the session tokens (default: provenance.io)
  --pretend-chain  respond to transactions as if a chain had accepted them; without it they are refused

WALLET_WORDS contains the recovery words; by default the wallet generates new ones for demonstration.
Keep the quotes, because the shell would interpret the & in the connection.
`

try {
  process.exitCode = await wallet()
} catch (error) {
  // An invalid code, invalid words or a wrong option: the message explains how to fix it.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

async function wallet(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      group: { type: 'string' },
      mainnet: { type: 'boolean', default: false },
      issuer: { type: 'string', default: 'provenance.io' },
      'pretend-chain': { type: 'boolean', default: false },
    },
  })
  const [uri] = positionals
  if (uri === undefined) {
    process.stderr.write(USAGE)
    return 2
  }

  const network = values.mainnet ? NETWORKS.mainnet : NETWORKS.testnet
  const words = process.env['WALLET_WORDS'] ?? newWords(12)
  const privateKey = privateKeyAt(await seedOfWords(words), network.path)
  const account = accountFromPrivateKey(privateKey, network, 'Terminal wallet')
  if (values.group !== undefined && !isAddress(values.group)) {
    throw new Error(
      `${values.group} is not an address. --group takes the address of a group policy.`,
    )
  }
  const group = values.group === undefined ? null : { address: values.group }

  const terminal = processTerminal()
  if (process.env['WALLET_WORDS'] === undefined) {
    terminal.say(`Words for this demonstration only, never for money: ${words}`)
  }
  terminal.say(`Account ${account.address}`)

  try {
    const session = await joinSession(uri, {
      approver: terminalApprover({
        terminal,
        account,
        group,
        issuer: values.issuer,
        broadcast: values['pretend-chain'] ? pretendChain : noChain,
      }),
      accounts: [account],
      introduction: {
        name: 'Terminal wallet',
        description: 'A wallet in the terminal',
        url: '',
        icons: [],
      },
      chainId: network.chainId,
      onState: (state) =>
        terminal.say(state === 'open' ? 'Relay reached.' : 'Relay lost, trying again.'),
    })
    process.once('SIGINT', () => void session.end())
    let step = ''
    session.subscribe(() => {
      const arrived = session.state().step !== step
      step = session.state().step
      if (arrived && step === 'connected') terminal.say('Connected. Ctrl+C ends the session.')
    })
    const { how, message } = await session.ended
    terminal.say(message)
    return how === 'failed' || how === 'unanswered' ? 1 : 0
  } finally {
    terminal.close()
  }
}

async function noChain(): Promise<never> {
  throw new WalletError('refused', 'This wallet is not connected to a chain')
}

/** A fake response of a chain with a random hash; nothing is sent. */
async function pretendChain(): Promise<TxResponse> {
  const txhash = hexOf(crypto.getRandomValues(new Uint8Array(32))).toUpperCase()
  return { txhash, code: 0, codespace: '', rawLog: '[]', height: 1, gasWanted: 0, gasUsed: 0 }
}
