import { expect, test } from 'vitest'
import {
  applyChanges,
  changesBetween,
  differencesBetween,
  NO_CHANGES,
  type OrganizationDocument,
} from './organization-changes.ts'

const FILE = {
  orgCode: 'QUINCE',
  brandColor: '#112233',
  hosts: ['login.quince.example'],
  companyInfo: { name: 'Quince', supportPhone: '800-555-0142' },
}

test.each<[string, OrganizationDocument, object]>([
  ['nothing', FILE, NO_CHANGES],
  [
    'the order of fields',
    { ...FILE, companyInfo: { supportPhone: '800-555-0142', name: 'Quince' } },
    NO_CHANGES,
  ],
  ['a field', { ...FILE, brandColor: '#445566' }, { set: { brandColor: '#445566' }, removed: [] }],
  [
    'one field of a group',
    { ...FILE, companyInfo: { ...FILE.companyInfo, name: 'Medlar' } },
    { set: { 'companyInfo.name': 'Medlar' }, removed: [] },
  ],
  ['a list as a whole', { ...FILE, hosts: [] }, { set: { hosts: [] }, removed: [] }],
  [
    'a removed field',
    { ...FILE, companyInfo: { name: 'Quince' } },
    { set: {}, removed: ['companyInfo.supportPhone'] },
  ],
  [
    'a null, which removes an inherited value',
    { ...FILE, companyInfo: { name: 'Quince', supportPhone: null } },
    { set: { 'companyInfo.supportPhone': null }, removed: [] },
  ],
  [
    'a group that is no object',
    { ...FILE, companyInfo: 7 },
    { set: { companyInfo: 7 }, removed: ['companyInfo.name', 'companyInfo.supportPhone'] },
  ],
])('changes are the fields that differ from the file: %s', (_, document, changes) => {
  expect(changesBetween(FILE, document)).toEqual(changes)
  expect(applyChanges(FILE, changesBetween(FILE, document))).toEqual(document)
})

test('a field that was not changed follows the file', () => {
  const changes = changesBetween(FILE, { ...FILE, brandColor: '#445566' })
  const later = { ...FILE, brandColor: '#000000', hosts: ['new.example'] }
  expect(applyChanges(later, changes)).toEqual({ ...later, brandColor: '#445566' })
})

test('a locked field keeps the value of the file', () => {
  const changes = changesBetween(FILE, { orgCode: 'QUINCE', brandColor: '#445566', hosts: [] })
  const locked = applyChanges(FILE, changes, (field) => field !== 'brandColor')
  expect(locked).toEqual({ ...FILE, brandColor: '#445566' })
})

test('an organization without a file consists of its changes', () => {
  expect(applyChanges({}, changesBetween({}, FILE))).toEqual(FILE)
})

test('differences name each field with both values', () => {
  const after = { ...FILE, hosts: ['a.example'], companyInfo: { name: 'Quince', badge: 'EHL' } }
  expect(differencesBetween(FILE, after)).toEqual([
    { field: 'companyInfo.badge', before: undefined, after: 'EHL' },
    { field: 'companyInfo.supportPhone', before: '800-555-0142', after: undefined },
    { field: 'hosts', before: ['login.quince.example'], after: ['a.example'] },
  ])
})

test('a field named like an inherited object property is an ordinary field', () => {
  const document = JSON.parse('{"__proto__": 7, "constructor": 8}') as OrganizationDocument
  expect(changesBetween({}, document).set).toHaveProperty('constructor', 8)
  expect(Object.getPrototypeOf(applyChanges({}, changesBetween({}, document)))).toBe(
    Object.prototype,
  )
})
