import { expect, test } from 'vitest'
import { errorOf, fieldValue, otherErrors, valueAt, withValue } from './organization-fields.ts'

const CONTENT = { orgCode: 'LARCH', companyInfo: { name: 'Larch', badge: 'EHL' } }

test('a field is changed at its path, and left out if it is empty', () => {
  expect(valueAt(CONTENT, 'companyInfo.name')).toBe('Larch')
  expect(valueAt(CONTENT, 'companyInfo.name.first')).toBeUndefined()
  expect(withValue(CONTENT, 'companyInfo.name', 'Larch Bank')).toEqual({
    orgCode: 'LARCH',
    companyInfo: { name: 'Larch Bank', badge: 'EHL' },
  })
  expect(withValue(CONTENT, 'wallet.walletName', 'Purse')).toEqual({
    ...CONTENT,
    wallet: { walletName: 'Purse' },
  })
  // A group without fields is omitted too; otherwise an inherited partner could not be restored.
  expect(withValue({ partner: { name: 'A' } }, 'partner.name', undefined)).toEqual({})
})

test.each([
  [{ kind: 'text' }, ' ', undefined],
  [{ kind: 'lines' }, ' a.example \n\nb.example', ['a.example', 'b.example']],
  [{ kind: 'json' }, '[{"code":1}]', [{ code: 1 }]],
  // The server says what is wrong with it.
  [{ kind: 'json' }, '[{', '[{'],
] as const)('%j reads %j', (kind, entered, value) => {
  expect(fieldValue({ ...kind, path: 'x', label: 'X' }, entered)).toEqual(value)
})

test('each error is beside its field, and all others are listed', () => {
  const errors = [
    { orgCode: null, field: 'hosts[1]', message: 'must be a host name' },
    { orgCode: null, field: 'flags', message: 'is unknown' },
    { orgCode: 'OTHER', field: 'hosts', message: 'is used twice' },
  ]
  expect(errorOf('hosts', errors)).toBe('Must be a host name.')
  expect(errorOf('baseUrl', errors)).toBeUndefined()
  expect(otherErrors(errors)).toEqual([errors[1], errors[2]])
})
