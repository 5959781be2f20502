import { expect, test } from 'vitest'
import { proposalFailure, toPageFormat } from './broadcast-result.ts'

const executed = (result: string) => ({
  code: 0,
  raw_log: '',
  events: [
    { type: 'tx', attributes: [{ key: 'fee', value: '5nhash', index: true }] },
    {
      type: 'cosmos.group.v1.EventExec',
      attributes: [
        { key: 'proposal_id', value: '"1"', index: true },
        { key: 'result', value: `"PROPOSAL_EXECUTOR_RESULT_${result}"`, index: true },
        { key: 'logs', value: '"insufficient funds"', index: true },
      ],
    },
  ],
})

test('5 a proposal that was not executed is reported as failed with its log; an executed one is not', () => {
  expect(proposalFailure(executed('FAILURE'))).toEqual({
    codespace: 'portico',
    code: 1,
    raw_log: 'insufficient funds',
  })
  expect(proposalFailure(executed('SUCCESS'))).toBeUndefined()
  // A failed transaction keeps its code, and a response without events has no proposals.
  expect(proposalFailure({ ...executed('FAILURE'), code: 5 })).toBeUndefined()
  expect(proposalFailure({ code: 0 })).toBeUndefined()
})

test('protocol 9.3: names are in camel case, and names of lists end in List', () => {
  expect(toPageFormat({ ...executed('SUCCESS'), gas_used: '7', logs: [] })).toMatchObject({
    rawLog: '',
    gasUsed: '7',
    logsList: [],
    eventsList: [
      { type: 'tx', attributesList: [{ key: 'fee', value: '5nhash', index: true }] },
      { type: 'cosmos.group.v1.EventExec' },
    ],
  })
})
