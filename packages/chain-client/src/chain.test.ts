import { describe, expect, test } from 'vitest'
import { openChain } from './chain.ts'

test.each([
  ['a refusal', 400, { code: 3, message: 'insufficient funds' }, 'transaction-refused'],
  ['another format', 200, { total_fees: 'free' }, 'chain-faulty'],
  ['an amount below zero', 200, costs('-5'), 'chain-faulty'],
  ['an error page', 502, undefined, 'chain-not-available'],
])(
  'protocol 9.3: a node that calculates message fees and sends %s ends the simulation',
  async (_, status, content, code) => {
    const chain = openChain(async () => ({ status, content }))
    await expect(chain.simulate(new Uint8Array())).rejects.toMatchObject({ code })
  },
)

function costs(amount: string) {
  return { total_fees: [{ denom: 'nhash', amount }], estimated_gas: '1' }
}

describe.each(['x', '-1', '1.5', '', '1e9', '9'.repeat(30)])(
  '7.4 a node that sends %j as a number is faulty',
  (text) => {
    const chain = openChain(async (path) => ({
      status: path.includes('calculate_flat_fee') ? 404 : 200,
      content: path.includes('simulate')
        ? { gas_info: { gas_used: text } }
        : { account: { account_number: '1', sequence: text } },
    }))

    test('gas', async () => {
      await expect(chain.simulate(new Uint8Array())).rejects.toMatchObject({ code: 'chain-faulty' })
    })

    test('sequence', async () => {
      await expect(chain.account('tp1')).rejects.toMatchObject({ code: 'chain-faulty' })
    })
  },
)
