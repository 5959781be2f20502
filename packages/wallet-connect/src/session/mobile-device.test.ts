import { expect, test } from 'vitest'
import { isMobileDevice } from './mobile-device.ts'

const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Mobile/15E148'
const DESK = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0'

/** A window of this width, with or without touch. */
function view({ userAgent = PHONE, widthPx = 390, touch = true }) {
  const matchMedia = (query: string) => {
    const [, limit = ''] = /max-width: (\d+)px/.exec(query) ?? []
    return { matches: limit !== '' && widthPx <= Number(limit) } as MediaQueryList
  }
  return {
    navigator: { userAgent } as Navigator,
    matchMedia,
    ...(touch ? { ontouchstart: null } : {}),
  }
}

test.each([
  ['a phone', {}, true],
  ['a phone of 760 px', { widthPx: 760 }, true],
  ['a phone of 761 px', { widthPx: 761 }, false],
  ['a phone without touch', { touch: false }, false],
  ['a narrow window of a computer with touch', { userAgent: DESK }, false],
] as const)(
  '9 mobile detection: user agent, width up to 760 px and touch: %s',
  (_, given, mobile) => {
    expect(isMobileDevice(view(given))).toBe(mobile)
  },
)
