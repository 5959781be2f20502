import { expect, test } from 'vitest'
import { openChain } from './chain.ts'
import { readProposalResult } from './proposals.ts'

/** A node that has deleted its proposals, with the transaction that executed one, if any. */
const aNode = (result: string | undefined) =>
  openChain(async (path) => {
    if (!path.startsWith('/cosmos/tx/v1beta1/txs?query=')) return { status: 404, content: {} }
    const execution = {
      events: [
        {
          type: 'cosmos.group.v1.EventExec',
          attributes: [
            { key: 'proposal_id', value: '"7"' },
            { key: 'result', value: `"PROPOSAL_EXECUTOR_RESULT_${result}"` },
            { key: 'logs', value: '"insufficient funds"' },
          ],
        },
      ],
    }
    const tx_responses = result === undefined ? null : [execution]
    return { status: 200, content: { tx_responses } }
  })

test.each([
  ['SUCCESS', { status: 'executed', log: undefined }],
  ['FAILURE', { status: 'expired', log: 'insufficient funds' }],
  [undefined, { status: 'expired', log: undefined }],
])('6 a proposal that the node deleted, last execution %s', async (result, expected) => {
  expect(await readProposalResult(aNode(result), '7', 0)).toEqual(expected)
})
