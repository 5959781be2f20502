import { expect, test } from 'vitest'
import { correctedUrl } from './take-over.tsx'
import { memoryStorage, pageData } from './testing.tsx'

const { organization } = pageData()

/** Where a tab goes that shows this organization at this address. */
function correctedAddress(orgCode: string, query: string, storage = memoryStorage()) {
  const page = pageData({ query, organization: { ...organization, orgCode } })
  const href = `https://lender.example/auth/login${query === '' ? '' : `?${query}`}#terms`
  return correctedUrl(page, { storage, location: { href } })
}

test('1 a tab stays with its organization when another tab has opened another one', () => {
  const storage = memoryStorage()
  expect(correctedAddress('HARBORLINE', 'orgCode=HARBORLINE', storage)).toBeUndefined()
  expect(correctedAddress('HARBORLINE', '', storage)).toBeUndefined()
  expect(correctedAddress('CEDAR_POINT', '', storage)).toBe(
    'https://lender.example/auth/login?orgCode=HARBORLINE#terms',
  )
  expect(correctedAddress('CEDAR_POINT', 'q=a%20b', storage)).toBe(
    'https://lender.example/auth/login?q=a%20b&orgCode=HARBORLINE#terms',
  )
})

test('1 a URL that names an organization is followed, and corrected at most once', () => {
  const storage = memoryStorage({ 'portico-organization': 'HARBORLINE' })
  expect(correctedAddress('CEDAR_POINT', 'orgCode=cedar_point', storage)).toBeUndefined()
  expect(correctedAddress('CEDAR_POINT', '', storage)).toBeUndefined()
  const memory = memoryStorage({ 'portico-organization': 'GONE' })
  expect(correctedAddress('CEDAR_POINT', '', memory)).toContain('orgCode=GONE')
  expect(correctedAddress('CEDAR_POINT', 'orgCode=GONE', memory)).toBeUndefined()
  expect(correctedAddress('CEDAR_POINT', '', memory)).toBeUndefined()
})
