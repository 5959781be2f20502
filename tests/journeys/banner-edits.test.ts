/** Banners that operators publish over the banner file (15). */
import { randomUUID } from 'node:crypto'
import * as admin from '@portico/contracts/admin/banners'
import { type Banner, BannerList } from '@portico/contracts/banner'
import { ADMIN_PAGE_SIZE } from '@portico/contracts/limits'
import type { PageData } from '@portico/contracts/page-data'
import { expect, test } from 'vitest'
import { bannerContent } from '../support/banner-draft.ts'
import { anOperator, type TestOperator } from '../support/operator.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { aWorld, refusal } from '../support/world.ts'

const LATER_MS = 4 * 60 * 1000
const REASON = 'The maintenance is announced.'

/** The active banners of an organization's login page, as a browser loads them. */
async function shown(url: string, orgCode: string): Promise<readonly Banner[]> {
  const html = await (await fetch(`${url}/auth/login?orgCode=${orgCode}`)).text()
  const [, json = ''] = /id="page-data"[^>]*>([^<]*)</.exec(html) ?? []
  const { bannersUrl } = JSON.parse(json) as PageData
  const banners = BannerList.parse(await (await fetch(new URL(bannersUrl, url))).json())
  return banners.filter(({ active }) => active)
}

async function save({ browser }: TestOperator, id: string, changes: object = {}, revision = 0) {
  return browser.call(admin.saveBannerDraft, {
    body: { id, content: bannerContent(changes), revision, baseVersion: 0 },
  })
}

/** The revision of a saved draft. */
function revisionOf(saved: Awaited<ReturnType<typeof save>>): number {
  if (saved.outcome !== 'saved') throw new Error('The draft was not saved')
  return saved.revision
}

test('15 a banner is published for an audience and a time on every node, changed and ended', {
  tags: ['database'],
}, async () => {
  await using world = await aWorld().withNodes(ON_POSTGRES ? 2 : 1)
  const operator = await anOperator(world, 'brand HARBORLINE')
  const { browser } = operator
  const id = randomUUID()
  const times = {
    startsAt: world.clock.now() + LATER_MS,
    endsAt: world.clock.now() + 2 * LATER_MS,
    organizationCodes: ['HARBORLINE'],
  }
  const first = await save(operator, id, { ...times, variant: 'loud', message: ' ' })
  const revision = revisionOf(first)
  expect(first).toMatchObject({
    outcome: 'saved',
    errors: [{ field: 'message' }, { field: 'variant', message: 'must be info or warn' }],
  })
  await operator.stepUp()
  const publish = (saved: number) =>
    browser.call(admin.publishBanner, {
      body: { id, revision: saved, showAgain: true, reason: REASON },
    })
  expect(await publish(revision)).toMatchObject({ outcome: 'invalid' })
  // The second of two operators is refused and gets the banner of the first.
  const saves = await Promise.all([
    save(operator, id, { ...times, message: 'One' }, revision),
    save(operator, id, { ...times, message: 'One' }, revision),
  ])
  expect(saves.map(({ outcome }) => outcome).sort()).toEqual(['conflict', 'saved'])
  const published = await Promise.all(
    [publish(revision + 1), publish(revision + 1)].map((each) => each.catch(() => undefined)),
  )
  expect(published.filter((each) => each?.outcome === 'published')).toHaveLength(1)

  const everywhere = async (expected: readonly string[]) => {
    await expect
      .poll(
        async () =>
          Promise.all(
            world.nodes.map(async ({ url }) =>
              (await shown(url, 'HARBORLINE')).map(({ message }) => message),
            ),
          ),
        { timeout: 15_000 },
      )
      .toEqual(world.nodes.map(() => expected))
  }
  await everywhere([])
  world.clock.pass(LATER_MS)
  await everywhere(['One'])
  for (const { url } of world.nodes) expect(await shown(url, 'AMBERFIELD')).toEqual([])
  world.clock.pass(LATER_MS)
  await everywhere([])

  await operator.stepUp()
  const over = await save(operator, randomUUID(), times)
  expect(over).toMatchObject({ errors: [{ field: 'endsAt', message: 'must be in the future' }] })
  const second = await browser.call(admin.saveBannerDraft, {
    body: {
      id,
      content: bannerContent({ message: 'Two', organizationCodes: ['HARBORLINE'] }),
      revision: 0,
      baseVersion: 1,
    },
  })
  expect(await publish(revisionOf(second))).toEqual({ outcome: 'published', version: 2 })
  await everywhere(['Two'])
  expect(
    await browser.call(admin.endBanner, { body: { id, version: 2, reason: 'It is over.' } }),
  ).toEqual({ version: 3 })
  await everywhere([])
  const { items } = await browser.call(admin.readBannerHistory, { query: { id } })
  expect(items.map((each) => each.content.message)).toEqual(['Two', 'Two', 'One'])
})

test('15 a banner from the file is replaced, and operators of one lender cannot reach all visitors', async () => {
  await using world = await aWorld()
  const [all, one] = [await anOperator(world, 'brand'), await anOperator(world, 'brand HARBORLINE')]
  const { items } = await all.browser.call(admin.listBanners, { query: {} })
  const [listed] = items
  expect(listed).toMatchObject({ origin: 'file', version: 0, draft: null })
  const id = listed?.id ?? ''
  expect((await one.browser.call(admin.listBanners, { query: {} })).items).toEqual([])
  for (const audience of [null, ['AMBERFIELD'], ['HARBORLINE', 'AMBERFIELD'], []]) {
    const refused = save(one, randomUUID(), { organizationCodes: audience })
    expect(await refusal(refused)).toMatchObject({ code: 'not-found' })
  }
  expect(await refusal(save(one, id, { organizationCodes: ['HARBORLINE'] }))).toMatchObject({
    code: 'not-found',
  })
  const markup = '<img src=x onerror=alert(1)> javascript:alert(1)'
  const revision = revisionOf(await save(all, id, { message: markup }))
  await all.stepUp()
  await all.browser.call(admin.publishBanner, {
    body: { id, revision, showAgain: true, reason: REASON },
  })
  expect((await shown(world.url, 'FIGURE')).map(({ uuid, message }) => [uuid, message])).toEqual([
    [id, markup],
  ])
  const { banners } = await all.browser.call(admin.exportBanners, {})
  expect(banners).toMatchObject([{ uuid: id, message: markup, active: true }])
})

test('15 the list begins with the banners that are shown, then scheduled ones, drafts and ended ones, newest first', async () => {
  await using world = await aWorld()
  const operator = await anOperator(world, 'brand HARBORLINE')
  const { browser } = operator
  await operator.stepUp()
  const organizationCodes = ['HARBORLINE']
  const draft = async (message: string, changes: object = {}) => {
    world.clock.pass(1000)
    const id = randomUUID()
    return {
      id,
      revision: revisionOf(await save(operator, id, { message, organizationCodes, ...changes })),
    }
  }
  const publish = async (message: string, changes: object = {}) => {
    const { id, revision } = await draft(message, changes)
    const body = { id, revision, showAgain: true, reason: REASON }
    expect(await browser.call(admin.publishBanner, { body })).toMatchObject({ version: 1 })
    return id
  }
  const ended = await publish('Ended')
  await browser.call(admin.endBanner, { body: { id: ended, version: 1, reason: REASON } })
  await draft('Draft')
  const startsAt = world.clock.now() + 60 * LATER_MS
  await publish('Scheduled', { startsAt })
  await publish('Shown')
  await draft('Newer draft')
  await publish('Scheduled later', { startsAt })
  await publish('Shown later')

  const list = (after?: string) =>
    browser.call(admin.listBanners, { query: after === undefined ? {} : { after } })
  const messages = (items: Awaited<ReturnType<typeof list>>['items']) =>
    items.map(({ published, draft: saved }) => published?.message ?? saved?.content['message'])
  const expected = [
    'Shown later',
    'Shown',
    'Scheduled later',
    'Scheduled',
    'Newer draft',
    'Draft',
    'Ended',
  ]
  expect(await list()).toMatchObject({ next: null })
  expect(messages((await list()).items)).toEqual(expected)

  // On several pages every banner is once.
  for (let each = 0; each < ADMIN_PAGE_SIZE; each += 1) await draft(`More ${each}`)
  const first = await list()
  expect(first.items).toHaveLength(ADMIN_PAGE_SIZE)
  const second = await list(first.next ?? '')
  expect(second.next).toBeNull()
  const all = messages([...first.items, ...second.items])
  expect(all.slice(0, 4)).toEqual(expected.slice(0, 4))
  expect(all.slice(-3)).toEqual(expected.slice(-3))
  expect(new Set(all).size).toBe(expected.length + ADMIN_PAGE_SIZE)
  expect(await refusal(list(ended))).toMatchObject({ code: 'invalid-request' })
})
