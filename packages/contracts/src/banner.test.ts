import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { BANNERS_UNREADABLE, BannerList, PublishedBanners } from './banner.ts'

const CONFIG = new URL('../../../config/banners/', import.meta.url)

const banner = {
  uuid: '6f4b8e0a-6a55-4f0e-9a43-0f6d1f9b7c11',
  message: 'We are closed on Monday.',
  apps: ['login'],
  variant: 'info',
}
const whole = {
  ...banner,
  active: true,
  dismissable: true,
  metadata: { createdAt: '2030-01-01T00:00:00Z', updatedAt: 1_893_542_400_000 },
}

test('5 a banner needs uuid, message, apps and variant; missing flags are false', () => {
  expect(BannerList.parse([banner])).toEqual([
    { ...banner, active: false, dismissable: false, metadata: {} },
  ])
  expect(BannerList.safeParse([{ ...whole, author: 'Ada', active: 'yes' }]).success).toBe(true)
})

test('3 createdAt and updatedAt are milliseconds or a date', () => {
  expect(BannerList.parse([whole])[0]?.metadata).toEqual({
    createdAt: Date.UTC(2030, 0, 1),
    updatedAt: Date.UTC(2030, 0, 2),
  })
})

test.each([
  ['an object instead of a list', { banners: [whole] }],
  ['null', null],
  ['one bad item among good ones', [whole, { ...whole, message: 7 }]],
  ['an item that is a list', [[whole]]],
  ['no uuid', [{ ...whole, uuid: undefined }]],
  ['an empty message', [{ ...whole, message: '  ' }]],
  ['no application', [{ ...whole, apps: [] }]],
  ['another variant', [{ ...whole, variant: 'danger' }]],
])('5 data with %s does not match the expected format', (_, data) => {
  expect(BannerList.safeParse(data).success).toBe(false)
  expect(PublishedBanners.safeParse(data).success).toBe(false)
})

test('8 the error text for unreadable banners', () => {
  expect(BANNERS_UNREADABLE).toBe('Banner data does not match the expected format')
})

test.each([
  ['a misspelled field', { actve: true }, 'actve'],
  ['a message that is too long', { message: 'a'.repeat(161) }, '160 characters at most'],
  ['direction-override characters', { message: 'Closed \u202e!' }, 'visible characters only'],
  ['an invalid date', { metadata: { ...whole.metadata, updatedAt: 'soon' } }, 'must be a date'],
  ['a text where a boolean is expected', { active: 'yes' }, 'must be true or false'],
])('7.7 %s is rejected', (_, change, error) => {
  expect(BannerList.safeParse([{ ...banner, ...change }]).success).toBe(true)
  const { error: failure } = PublishedBanners.safeParse([{ ...whole, ...change }])
  expect(JSON.stringify(failure?.issues)).toContain(error)
})

test('7.7 a duplicate uuid is rejected', () => {
  expect(PublishedBanners.safeParse([whole, whole]).error?.issues[0]?.message).toBe(
    'must not name a uuid twice',
  )
})

test('7.7 the shipped banner files are valid and have no active banner', () => {
  const files = readdirSync(CONFIG)
  expect(files).toEqual(['banners-test.json', 'banners.json'])
  for (const file of files) {
    const banners = PublishedBanners.parse(JSON.parse(readFileSync(new URL(file, CONFIG), 'utf8')))
    expect(banners.filter(({ active }) => active)).toEqual([])
  }
})
