import type { Banner, Dismissals } from '@portico/contracts/banner'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { bannersIn, currentDismissals, dismissalOf, dismissalsIn, shownBanners } from './banners.ts'

const banner = (changes: Partial<Banner> = {}): Banner => ({
  uuid: 'one',
  message: 'Closed on Monday',
  apps: ['login'],
  variant: 'info',
  active: true,
  dismissable: true,
  metadata: { createdAt: 10, updatedAt: 10 },
  ...changes,
})

const moment = fc.nat({ max: 30 })
const anyBanner: fc.Arbitrary<Banner> = fc.record({
  uuid: fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'toString'),
  message: fc.constant('Closed'),
  apps: fc.subarray(['login', 'dashboard', 'elsewhere'], { minLength: 1 }),
  variant: fc.constantFrom('info' as const, 'warn' as const),
  active: fc.boolean(),
  dismissable: fc.boolean(),
  metadata: fc.record({
    createdAt: fc.option(moment, { nil: undefined }),
    updatedAt: fc.option(moment, { nil: undefined }),
  }),
})
const anyBanners = fc.array(anyBanner, { maxLength: 12 })
const anyDismissals: fc.Arbitrary<Dismissals> = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', 'gone', '__proto__'),
  fc.record({ at: moment }),
)
const app = fc.constantFrom('login' as const, 'dashboard' as const)

const uuidsOf = (banners: readonly Banner[]) => banners.map(({ uuid }) => uuid)

test('4.3 only banners that are active and list the current app are shown', () => {
  const banners = [
    banner({ uuid: 'shown' }),
    banner({ uuid: 'inactive', active: false }),
    banner({ uuid: 'elsewhere', apps: ['dashboard'] }),
  ]
  expect(uuidsOf(shownBanners(banners, { app: 'login', dismissals: {} }))).toEqual(['shown'])
})

test('4.3 newest createdAt first, capped at two', () => {
  const banners = ['old', 'newer', 'undated', 'newest'].map((uuid, at) =>
    banner({ uuid, metadata: { createdAt: uuid === 'undated' ? undefined : at } }),
  )
  const shown = (maximum?: number) =>
    uuidsOf(
      shownBanners(banners, {
        app: 'login',
        dismissals: {},
        ...(maximum === undefined ? {} : { maximum }),
      }),
    )
  expect(shown()).toEqual(['newest', 'newer'])
  expect(shown(9)).toEqual(['newest', 'newer', 'old', 'undated'])
})

test('4.3 a dismissed banner stays hidden until it is updated later than the dismissal', () => {
  const shown = (updatedAt: number, at: number) =>
    shownBanners([banner({ metadata: { createdAt: 1, updatedAt } })], {
      app: 'login',
      dismissals: { one: { at } },
    }).length
  expect([shown(10, 9), shown(10, 10), shown(10, 11)]).toEqual([1, 0, 0])
})

test('4.3 a banner that cannot be dismissed is shown despite stored dismissals', () => {
  expect(
    shownBanners([banner({ dismissable: false })], {
      app: 'login',
      dismissals: { one: { at: 99 } },
    }),
  ).toHaveLength(1)
})

test('4.3 the shown banners follow every rule for any file', () => {
  fc.assert(
    fc.property(
      anyBanners,
      anyDismissals,
      app,
      fc.nat({ max: 4 }),
      (banners, dismissals, app, maximum) => {
        const shown = shownBanners(banners, { app, dismissals, maximum })
        expect(shown.length).toBeLessThanOrEqual(maximum)
        expect(new Set(uuidsOf(shown)).size).toBe(shown.length)
        for (const each of shown) {
          expect(banners).toContain(each)
          expect(each.active && each.apps.includes(app)).toBe(true)
        }
        const times = shown.map(({ metadata }) => metadata.createdAt ?? -1)
        expect(times).toEqual(times.toSorted((one, other) => other - one))
      },
    ),
  )
})

test('4.3 removing stale dismissals does not change what is shown and stores no more entries than the file has', () => {
  fc.assert(
    fc.property(anyBanners, anyDismissals, app, (banners, dismissed, app) => {
      const dismissals = currentDismissals(banners, dismissed)
      expect(shownBanners(banners, { app, dismissals })).toEqual(
        shownBanners(banners, { app, dismissals: dismissed }),
      )
      expect(Object.keys(dismissals).every((uuid) => uuidsOf(banners).includes(uuid))).toBe(true)
      expect(currentDismissals(banners, dismissals)).toEqual(dismissals)
    }),
  )
})

test('4.3 dismissals of updated and of removed banners are dropped', () => {
  const banners = [
    banner({ uuid: 'same' }),
    banner({ uuid: 'updated', metadata: { updatedAt: 30 } }),
  ]
  const dismissed = { same: { at: 20 }, updated: { at: 20 }, gone: { at: 20 } }
  expect(currentDismissals(banners, dismissed)).toEqual({ same: { at: 20 } })
})

test('4.3 dismissing hides a banner even if the clock is wrong', () => {
  fc.assert(
    fc.property(anyBanner, moment, (each, now) => {
      const seen = { ...each, dismissable: true }
      const dismissals = Object.fromEntries([[seen.uuid, dismissalOf(seen, now)]])
      expect(shownBanners([seen], { app: 'login', dismissals })).toEqual([])
    }),
  )
})

test('3 dismissals are a map of uuid to {at: timestamp}, and round-trip', () => {
  fc.assert(
    fc.property(anyDismissals, (dismissals) => {
      expect(dismissalsIn(JSON.stringify(dismissals))).toEqual(dismissals)
    }),
  )
  expect(dismissalsIn('{"one":{"at":"1970-01-01T00:00:01Z"}}')).toEqual({ one: { at: 1000 } })
})

test.each([undefined, '', 'null', '7', '"text"', '[1]', '{', '{"one":7,"two":{"at":"soon"}}'])(
  '4.3 a corrupt stored map (%s) has no dismissals',
  (text) => {
    expect(dismissalsIn(text)).toEqual({})
  },
)

test('4.3 valid entries of a partly corrupt stored map count, and no text throws', () => {
  expect(dismissalsIn('{"one":{"at":5,"by":"Ada"},"two":null}')).toEqual({ one: { at: 5 } })
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void dismissalsIn(text)))
})

test('5 ten thousand banners are parsed, and one invalid item refuses them all', () => {
  const many = Array.from({ length: 10_000 }, (_, at) => banner({ uuid: String(at) }))
  expect(bannersIn(many)).toHaveLength(10_000)
  expect(bannersIn([...many, {}])).toBeUndefined()
})
