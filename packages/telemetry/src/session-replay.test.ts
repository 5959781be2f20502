import { expect, test } from 'vitest'
import { sessionReplayHeaders } from './session-replay.ts'

const COUNTED = { telemetry: { appVersion: '0.1.0' } }
const REPLAY = { 'x-session-replay-url': 'https://replay.lender.example/1' }
const recorded = (headers: () => unknown) => ({ porticoSessionReplay: { headers } })

test('7.1 session-replay headers are those of the recorder on the page; without one there are none', () => {
  expect(sessionReplayHeaders({}, COUNTED)()).toEqual({})
  expect(
    sessionReplayHeaders(
      recorded(() => REPLAY),
      COUNTED,
    )(),
  ).toEqual(REPLAY)
})

test('7.1 a recorder installed later is used from then on', () => {
  const window: { porticoSessionReplay?: object } = {}
  const headers = sessionReplayHeaders(window, COUNTED)
  expect(headers()).toEqual({})
  Object.assign(
    window,
    recorded(() => REPLAY),
  )
  expect(headers()).toEqual(REPLAY)
})

test('a visitor who must not be tracked is not recorded', () => {
  expect(
    sessionReplayHeaders(
      recorded(() => REPLAY),
      { telemetry: null },
    )(),
  ).toEqual({})
})

test('7.1 a recorder cannot change other headers, and its errors do not fail requests', () => {
  const hostile = {
    ...REPLAY,
    authorization: 'Bearer x',
    'x-figure-auth': 'Bearer x',
    'x-recaptcha-token': 'x',
    'x-replay': 'line\nfeed',
    'x-recording': 7,
  }
  expect(
    sessionReplayHeaders(
      recorded(() => hostile),
      COUNTED,
    )(),
  ).toEqual(REPLAY)
  for (const headers of [null, undefined, 'text', 7, [1]]) {
    expect(
      sessionReplayHeaders(
        recorded(() => headers),
        COUNTED,
      )(),
    ).toEqual({})
  }
  const failing = () => {
    throw new Error('recorder')
  }
  expect(sessionReplayHeaders(recorded(failing), COUNTED)()).toEqual({})
})
