import { describe, expect, test } from 'vitest'
import { openChain } from './chain.ts'

describe.each(['x', '-1', '1.5', '', '1e9', '9'.repeat(30)])(
  '7.4 a node that sends %j as a number is faulty',
  (text) => {
    const chain = openChain(async (path) => ({
      status: 200,
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
