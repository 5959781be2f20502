import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BannerContent } from '@portico/contracts/admin/banners'
import { expect, test } from 'vitest'
import { parseConfig } from '../../config.ts'
import { openDatabase } from '../../database/database.ts'
import { allStores } from '../../stores.ts'
import { bannerEdits } from './edit-banners.ts'
import { openPublishedBanners } from './published-banners.ts'

const ID = '0f8fad5b-d9cb-469f-a165-70867728950e'
const REASON = 'The maintenance is over.'
const ACT = {
  scope: { all: true },
  editor: { id: undefined, name: 'Command line', network: '' },
} as const
const CONTENT: BannerContent = {
  message: 'Planned maintenance',
  apps: ['login'],
  variant: 'warn',
  dismissable: true,
  startsAt: null,
  endsAt: null,
  organizationCodes: null,
}

test('15 a banner that another operator ends while it is published again stays ended', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-banners-'))
  const database = await openDatabase(parseConfig({ DATA_DIR: folder }))
  try {
    const stores = allStores(database)
    const clock = () => 1_800_000_000_000
    const deps = {
      publishedBanners: await openPublishedBanners({ stores, clock }),
      file: { read: async () => ({ text: '[]' }) },
      isOrganization: () => true,
      defaultOrgCode: 'FIGURE',
      clock,
    }
    const edits = bannerEdits({ stores, ...deps })
    const save = async (baseVersion: number) => {
      const draft = { id: ID, content: { ...CONTENT }, revision: 0, baseVersion }
      const answer = await edits.saveDraft(draft, ACT)
      if (answer.outcome !== 'saved') throw new Error('The draft was not saved')
      return answer
    }
    const publicationOf = ({ revision }: { revision: number }) => ({
      id: ID,
      revision,
      showAgain: false,
      reason: REASON,
    })
    await edits.publish(publicationOf(await save(0)), ACT)
    const saved = await save(1)

    // The other operator publishes between this publication's read and write.
    let isEnded = false
    const atomically: typeof stores.atomically = async (work) => {
      if (!isEnded) {
        isEnded = true
        await edits.end({ id: ID, version: 1, reason: REASON }, ACT)
      }
      return stores.atomically(work)
    }
    const late = bannerEdits({ stores: { ...stores, atomically }, ...deps })
    await expect(late.publish(publicationOf(saved), ACT)).rejects.toMatchObject({
      code: 'edit-outdated',
    })
    const { items } = await edits.list(ACT.scope)
    const { revision } = saved
    expect(items).toMatchObject([{ version: 2, isShown: false, draft: { revision } }])
  } finally {
    await database.destroy()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('15 a stored publication is reported as published even if the database becomes unavailable right after', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-banners-'))
  const database = await openDatabase(parseConfig({ DATA_DIR: folder }))
  try {
    const stores = allStores(database)
    const clock = () => 1_800_000_000_000
    const published = await openPublishedBanners({ stores, clock })
    let isLost = false
    const atomically: typeof stores.atomically = async (work) => {
      const result = await stores.atomically(work)
      isLost = true
      return result
    }
    const edits = bannerEdits({
      stores: { ...stores, atomically },
      publishedBanners: {
        ...published,
        refresh: () => (isLost ? Promise.reject(new Error('lost')) : published.refresh()),
      },
      file: { read: async () => ({ text: '[]' }) },
      isOrganization: () => true,
      defaultOrgCode: 'FIGURE',
      clock,
    })
    const draft = { id: ID, content: { ...CONTENT }, revision: 0, baseVersion: 0 }
    const saved = await edits.saveDraft(draft, ACT)
    if (saved.outcome !== 'saved') throw new Error('The draft was not saved')
    const publication = { id: ID, revision: saved.revision, showAgain: false, reason: REASON }
    expect(await edits.publish(publication, ACT)).toEqual({ outcome: 'published', version: 1 })
  } finally {
    await database.destroy()
    rmSync(folder, { recursive: true, force: true })
  }
})
