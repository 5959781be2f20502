import { updateThresholdMessage } from '@portico/chain-client/group-messages'
import { shortAddress } from '@portico/rules/short-address'
import { expect, test } from 'vitest'
import { describeProposal, votesText } from './proposal-text.ts'
import { aProposal, GROUP, unpacked } from './testing.ts'

const NOW = Date.UTC(2026, 0, 1)

test.each([
  ['0', '2', '0 of 2 votes'],
  ['1', '1', '1 of 1 vote'],
  ['2', '2', '2 of 2 votes'],
  ['3', '2', '3 votes, 2 needed'],
])('2.8 %s votes where %s are needed', (yes, threshold, text) => {
  const tally = { yes, no: '0', abstain: '0', noWithVeto: '0' }
  expect(votesText(aProposal(NOW, { tally, required: { threshold } }))).toBe(text)
})

test('2.8 a proposal about its own group has the name of the group, or the user’s own name for it', () => {
  const { policyAddress } = GROUP
  const messages = [unpacked(updateThresholdMessage({ policyAddress, threshold: 1 }))]
  const proposal = aProposal(NOW, { messages })
  const effect = (name?: string) =>
    describeProposal(proposal, name === undefined ? [] : [{ name, address: policyAddress }]).effect
  expect(effect()).toBe('Change how Larch Partners decides')
  expect(effect('Family')).toBe('Change how Family decides')
})

test('5 a group named like an own account has no name in its proposals', () => {
  const { policyAddress } = GROUP
  const messages = [unpacked(updateThresholdMessage({ policyAddress, threshold: 1 }))]
  const accounts = [{ name: 'Larch Partners', address: 'tp1own' }]
  expect(describeProposal(aProposal(NOW, { messages }), accounts).effect).toBe(
    `Change how ${shortAddress(policyAddress)} decides`,
  )
})
