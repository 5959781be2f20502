import { execFileSync } from 'node:child_process'
import { mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MAX_BANNER_FILE_BYTES } from './banner-content.ts'
import { bannerFile } from './banner-file.ts'

let folder = ''
let path = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portico-banners-'))
  path = join(folder, 'banners.json')
})
afterEach(() => rmSync(folder, { recursive: true }))

const banner = (changes: object = {}) => ({
  uuid: 'maintenance',
  message: 'Closed on Monday',
  apps: ['login'],
  variant: 'info',
  active: true,
  dismissable: true,
  metadata: { createdAt: '2030-01-01T00:00:00Z', updatedAt: '2030-01-01T00:00:00Z' },
  ...changes,
})
const writeBanners = (banners: unknown) =>
  writeFileSync(path, typeof banners === 'string' ? banners : JSON.stringify(banners))

function open() {
  const logged: { fields: Record<string, unknown>; message: string }[] = []
  const log = (fields: object, message: string) =>
    void logged.push({ fields: fields as Record<string, unknown>, message })
  // The banner file uses only these two methods of the log.
  const file = bannerFile(path, { info: log, warn: log } as unknown as Parameters<
    typeof bannerFile
  >[1])
  return { file, logged, read: async () => JSON.parse((await file.read()).text) as unknown }
}

test('7.7 an edited file is served with the next request and gets a new entity tag', async () => {
  writeBanners([])
  const { file, read } = open()
  const before = await file.read()
  expect(before.text).toBe('[]')
  writeBanners([banner()])
  expect(await read()).toEqual([banner()])
  expect((await file.read()).etag).not.toBe(before.etag)
})

test('7.7 a replaced file counts as edited, even with the same size and an older date', async () => {
  writeBanners([banner({ message: 'One' })])
  const { read } = open()
  await read()
  const other = join(folder, 'next.json')
  writeFileSync(other, JSON.stringify([banner({ message: 'Two' })]))
  utimesSync(other, 0, 0)
  renameSync(other, path)
  expect(await read()).toEqual([banner({ message: 'Two' })])
})

test.each([
  ['invalid JSON', '[{', 'JSON'],
  ['no array', { banners: [] }, 'must be a list'],
  [
    'one invalid item',
    [banner(), banner({ uuid: 'two', variant: 'error' })],
    '1.variant must be info',
  ],
  [
    'a misspelled field',
    [banner({ dismissible: true })],
    'dismissible is not a known field; see docs/banners.md',
  ],
  ['ten thousand items', Array.from({ length: 10_000 }, () => banner()), 'has more than'],
  ['bytes that are not text', Buffer.from([0x5b, 0xff, 0x5d]), 'not valid'],
])(
  '7.7 a file with %s is logged once, and the last valid content stays',
  async (_, broken, error) => {
    writeBanners([banner()])
    const { read, logged } = open()
    await read()
    if (Buffer.isBuffer(broken)) writeFileSync(path, broken)
    else writeBanners(broken)
    expect(await read()).toEqual([banner()])
    expect(await read()).toEqual([banner()])
    expect(logged).toHaveLength(2)
    expect(JSON.stringify(logged[1]?.fields['errors'])).toContain(error)
    writeBanners([banner({ message: 'Corrected' })])
    expect(await read()).toEqual([banner({ message: 'Corrected' })])
  },
)

test('7.7 a pipe in place of the file is logged without blocking', async () => {
  execFileSync('mkfifo', [path])
  const { read, logged } = open()
  expect(await read()).toEqual([])
  expect(JSON.stringify(logged)).toContain('is not a regular file')
})

test('7.7 an invalid or missing file shows no banners', async () => {
  const { read, logged } = open()
  expect(await read()).toEqual([])
  expect(logged.map(({ message }) => message)).toEqual([
    'the banner file does not exist: no banners are shown',
  ])
  writeBanners('soon')
  expect(await read()).toEqual([])
  writeBanners([banner()])
  expect(await read()).toEqual([banner()])
  rmSync(path)
  expect(await read()).toEqual([])
})

test('7.7 the size limit allows hundreds of banners', () => {
  const many = Array.from({ length: 500 }, (_, at) => banner({ uuid: `banner-${at}` }))
  expect(JSON.stringify(many).length).toBeLessThan(MAX_BANNER_FILE_BYTES)
})

test('7.7 concurrent requests check the file once', async () => {
  writeBanners([banner()])
  const { file, logged } = open()
  const answers = await Promise.all(Array.from({ length: 50 }, () => file.read()))
  expect(new Set(answers).size).toBe(1)
  expect(logged).toHaveLength(1)
})
