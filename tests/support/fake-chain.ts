import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A node of the chain, as far as a hosted wallet asks it anything. */
interface FakeChain extends AsyncDisposable {
  readonly url: string
  /** Transactions handed over, in base64. */
  readonly received: readonly string[]
  /** What the next transactions are answered with. */
  answer: Record<string, unknown>
}

/** Starts a node that knows every account and takes every transaction. */
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
      } else if (request.method === 'GET') {
        response.end(JSON.stringify({ tx_response: { ...chain.answer, height: '9' } }))
      } else {
        received.push(tx_bytes ?? '')
        response.end(JSON.stringify({ tx_response: chain.answer }))
      }
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo // A TCP server that listens has this form.
  const chain: FakeChain = {
    url: `http://127.0.0.1:${port}`,
    received,
    answer: { code: 0, txhash: 'A1B2', raw_log: '', logs: [] },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((closed) => server.close(() => closed()))
    },
  }
  return chain
}
