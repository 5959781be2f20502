import { expect, test } from 'vitest'
import { bannerContent } from '../../../../../tests/support/banner-draft.ts'
import { temporaryFolder } from '../../../../../tests/support/temporary-folder.ts'
import { parseConfig } from '../../config.ts'
import { openDatabase } from '../../database/database.ts'
import { type AllStores, allStores } from '../../stores.ts'
import { type BannerDeps, bannerEdits } from './edit-banners.ts'
import { openPublishedBanners } from './published-banners.ts'

const ID = '0f8fad5b-d9cb-469f-a165-70867728950e'
const REASON = 'The maintenance is over.'
const ACT = {
  scope: { all: true },
  editor: { id: undefined, name: 'Command line', network: '' },
} as const

async function depsOn(stores: AllStores): Promise<BannerDeps & { readonly stores: AllStores }> {
  const clock = () => 1_800_000_000_000
  return {
    stores,
    publishedBanners: await openPublishedBanners({ stores, clock }),
    file: { read: async () => ({ text: '[]' }) },
    isOrganization: () => true,
    defaultOrgCode: 'FIGURE',
    clock,
  }
}

/** Saves a first draft. Returns its publication. */
async function save(edits: ReturnType<typeof bannerEdits>, baseVersion: number) {
  const draft = { id: ID, content: bannerContent(), revision: 0, baseVersion }
  const saved = await edits.saveDraft(draft, ACT)
  if (saved.outcome !== 'saved') throw new Error('The draft was not saved')
  return { id: ID, revision: saved.revision, showAgain: false, reason: REASON }
}

test('15 a banner that another operator ends while it is published again stays ended', async () => {
  using folder = temporaryFolder()
  await using database = await openDatabase(parseConfig({ DATA_DIR: folder.path }))
  const stores = allStores(database)
  const deps = await depsOn(stores)
  const edits = bannerEdits(deps)
  await edits.publish(await save(edits, 0), ACT)
  const publication = await save(edits, 1)

  // The other operator publishes between this publication's read and write.
  let isEnded = false
  const atomically: typeof stores.atomically = async (work) => {
    if (!isEnded) {
      isEnded = true
      await edits.end({ id: ID, version: 1, reason: REASON }, ACT)
    }
    return stores.atomically(work)
  }
  const late = bannerEdits({ ...deps, stores: { ...stores, atomically } })
  await expect(late.publish(publication, ACT)).rejects.toMatchObject({ code: 'edit-outdated' })
  const { items } = await edits.list(ACT.scope)
  const { revision } = publication
  expect(items).toMatchObject([{ version: 2, isShown: false, draft: { revision } }])
})

test('15 a stored publication is reported as published even if the database becomes unavailable right after', async () => {
  using folder = temporaryFolder()
  await using database = await openDatabase(parseConfig({ DATA_DIR: folder.path }))
  const stores = allStores(database)
  const deps = await depsOn(stores)
  let isLost = false
  const atomically: typeof stores.atomically = async (work) => {
    const result = await stores.atomically(work)
    isLost = true
    return result
  }
  const refresh = () =>
    isLost ? Promise.reject(new Error('lost')) : deps.publishedBanners.refresh()
  const edits = bannerEdits({
    ...deps,
    stores: { ...stores, atomically },
    publishedBanners: { ...deps.publishedBanners, refresh },
  })
  const publication = await save(edits, 0)
  expect(await edits.publish(publication, ACT)).toEqual({ outcome: 'published', version: 1 })
})
