import type { FlowRequest } from '@portico/contracts/flow-request'
import type { PassportSection } from '@portico/contracts/passport-sections'
import { memoryStorage } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { storedRequest, taskOf } from './stored-request.ts'

const UUID = '6f0d9f5e-3b0c-4a7e-9c53-0d5f0a6f4f11'
const REQUEST: FlowRequest = {
  intent: '506b',
  redirectUrl: '/loans',
  incompleteRedirectUrl: '/later',
}
const section = (name: PassportSection, status: 'IN_PROGRESS' | 'PENDING') => ({
  section: name,
  status,
  version: 1,
  savedAt: 0,
  answers: {},
})
const passport = { passportUuid: UUID, sections: [section('kyc', 'PENDING')] }

test.each([
  ['nothing', undefined],
  ['no JSON', '{'],
  ['no request', '{"intent":"kyc","x":1}'],
])('3 a stored request that is %s is ignored', (_, text) => {
  const stored = text === undefined ? {} : { 'last-gatekeeper-flow-request': text }
  expect(storedRequest(memoryStorage(stored))).toBeUndefined()
})

test('4.10 sections that the stored request asks for are open until complete', () => {
  const key = 'last-gatekeeper-flow-request'
  const request = storedRequest(memoryStorage({ [key]: JSON.stringify(REQUEST) }))
  expect(taskOf(request, passport)).toEqual({
    sections: ['kyc', 'self-attestation'],
    open: ['self-attestation'],
    edits: undefined,
    continueAt: '/loans',
    leaveAt: '/later',
  })
  const sections = [...passport.sections, section('self-attestation', 'PENDING')]
  expect(taskOf(request, { ...passport, sections }).open).toEqual([])
  expect(taskOf(request, undefined).open).toEqual(['kyc', 'self-attestation'])
})

test('5 the targets of a stored request are sanitized', () => {
  const foreign = { ...REQUEST, redirectUrl: 'https://evil.example', incompleteRedirectUrl: '//x' }
  expect(taskOf(foreign, passport)).toMatchObject({
    continueAt: '/dashboard',
    leaveAt: '/dashboard',
  })
})

test('3 a request for another passport is not used for this one', () => {
  const other = { ...REQUEST, passportUuid: '11111111-3b0c-4a7e-9c53-0d5f0a6f4f11' }
  expect(taskOf(other, passport)).toMatchObject({ continueAt: undefined, leaveAt: undefined })
})

test('4.9 without a request, a returned section is open, even if an earlier request asked for it', () => {
  const sections = [...passport.sections, section('attestation-verification', 'IN_PROGRESS')]
  expect(taskOf(undefined, { ...passport, sections })).toMatchObject({
    open: ['self-attestation', 'attestation-verification'],
    continueAt: undefined,
  })
})
