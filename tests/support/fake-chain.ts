import { createServer } from 'node:http'
import { listen } from './listen.ts'

/** The endpoints of a chain node that a hosted wallet uses. */
interface FakeChain extends AsyncDisposable {
  readonly url: string
  /** Broadcast transactions, in base64. */
  readonly received: readonly string[]
  /** The response to the next transactions. */
  answer: Record<string, unknown>
  /** The message fees of a transaction, in nhash; undefined on a network without them. */
  messageFee: string | undefined
}

/** Starts a node on which every account exists and every transaction is accepted. */
export async function aChain(): Promise<FakeChain> {
  const received: string[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += chunk))
    request.on('end', () => {
      const { tx_bytes } = text === '' ? {} : (JSON.parse(text) as { tx_bytes?: string })
      const path = request.url ?? ''
      response.setHeader('content-type', 'application/json')
      if (path.startsWith('/cosmos/auth/v1beta1/accounts/')) {
        const account = { '@type': '/cosmos.auth.v1beta1.BaseAccount', account_number: '7' }
        response.end(JSON.stringify({ account: { ...account, sequence: '3' } }))
      } else if (path === '/cosmos/tx/v1beta1/simulate') {
        response.end(JSON.stringify({ gas_info: { gas_used: '100000' } }))
      } else if (path === '/provenance/tx/v1/calculate_flat_fee') {
        const { messageFee } = chain
        const total_fees = [{ denom: 'nhash', amount: messageFee }]
        response
          .writeHead(messageFee === undefined ? 501 : 200)
          .end(JSON.stringify({ total_fees, estimated_gas: '3000000' }))
      } else if (request.method === 'GET') {
        response.end(JSON.stringify({ tx_response: { ...chain.answer, height: '9' } }))
      } else {
        received.push(tx_bytes ?? '')
        response.end(JSON.stringify({ tx_response: chain.answer }))
      }
    })
  })
  const port = await listen(server)
  const chain: FakeChain = {
    url: `http://127.0.0.1:${port}`,
    received,
    answer: { code: 0, txhash: 'A1B2', raw_log: '', logs: [] },
    messageFee: undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((closed) => server.close(() => closed()))
    },
  }
  return chain
}
