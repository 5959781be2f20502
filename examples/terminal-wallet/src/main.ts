// `npm run wallet -- 'wc:…'`: a wallet in the terminal. README.md shows it at work.
import { parseArgs } from 'node:util'
import { isAddress } from '@portico/keys/address'
import { hexOf } from '@portico/keys/bytes'
import { privateKeyAt } from '@portico/keys/derivation'
import { NETWORKS } from '@portico/keys/networks'
import { newWords, seedOfWords } from '@portico/keys/words'
import { WalletError } from '@portico/wallet-connect/protocol'
import { type Broadcast, heldAccount, joinSession } from '@portico/wallet-connect/wallet'
import { personAtTerminal } from './person-at-terminal.ts'
import { processTerminal } from './terminal.ts'

const USAGE = `Usage: npm run wallet -- 'wc:…' [options]

  'wc:…'           the connection, as a page shows it or copies it; a link that holds it will do
  --group ADDRESS  act for this group
  --mainnet        the main network instead of the test network
  --issuer NAME    who issues the session tokens (provenance.io)
  --pretend-chain  answer transactions as if a chain had taken them; without it they are refused

WALLET_WORDS holds the recovery words; without it the wallet makes some for a demonstration.
Keep the quotes: the shell would take the & in the connection for its own.
`

try {
  process.exitCode = await wallet()
} catch (error) {
  // A bad code, bad words or a wrong option: one sentence says what to do about it.
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
  const account = heldAccount(privateKey, network, 'Terminal wallet')
  if (values.group !== undefined && !isAddress(values.group)) {
    throw new Error(`${values.group} is no address. --group takes the address of a group policy.`)
  }
  const group = values.group === undefined ? null : { address: values.group }

  const terminal = processTerminal()
  if (process.env['WALLET_WORDS'] === undefined) {
    terminal.say(`Words for this demonstration only, never for money: ${words}`)
  }
  terminal.say(`Account ${account.address}`)

  try {
    const session = await joinSession(uri, {
      person: personAtTerminal(terminal, group),
      accounts: [account],
      broadcast: values['pretend-chain'] ? pretendChain : noChain,
      introduction: {
        name: 'Terminal wallet',
        description: 'A wallet in the terminal',
        url: '',
        icons: [],
      },
      chainId: network.chainId,
      issuer: values.issuer,
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
  throw new WalletError('refused', 'This wallet has no chain to send to')
}

/** What a chain would answer, with a hash of chance: nothing was sent anywhere. */
async function pretendChain(): ReturnType<Broadcast> {
  const txhash = hexOf(crypto.getRandomValues(new Uint8Array(32))).toUpperCase()
  return { txhash, code: 0, codespace: '', rawLog: '[]', height: 1, gasWanted: 0, gasUsed: 0 }
}
