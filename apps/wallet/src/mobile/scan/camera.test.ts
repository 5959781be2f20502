import { expect, test } from 'vitest'
import { openCamera } from './camera.ts'

/** A page, and a camera that the browser grants when the test says so. */
function aPage() {
  const events = new EventTarget()
  let visibilityState: DocumentVisibilityState = 'visible'
  const requests: PromiseWithResolvers<MediaStream>[] = []
  const camera = openCamera({
    mediaDevices: {
      getUserMedia: () => {
        const request = Promise.withResolvers<MediaStream>()
        requests.push(request)
        return request.promise
      },
    },
    document: {
      // Only this event is used.
      addEventListener: (type: string, listener: () => void) =>
        events.addEventListener(type, listener),
      get visibilityState() {
        return visibilityState
      },
    } as Pick<Document, 'addEventListener' | 'visibilityState'>,
  })
  return {
    camera,
    requests,
    hide() {
      visibilityState = 'hidden'
      events.dispatchEvent(new Event('visibilitychange'))
    },
  }
}

function aStream() {
  let isReleased = false
  const track = {
    addEventListener: () => undefined,
    getCapabilities: () => ({}),
    stop: () => {
      isReleased = true
    },
  }
  // Only the parts of a stream that are used.
  const stream = { getTracks: () => [track], getVideoTracks: () => [track] } as unknown
  return { stream: stream as MediaStream, isReleased: () => isReleased }
}

test('2.7 the camera is requested once, and released when the page is hidden', async () => {
  const { camera, requests, hide } = aPage()
  const { stream, isReleased } = aStream()
  const started = [camera.start(), camera.start()]
  requests[0]?.resolve(stream)
  await Promise.all(started)
  expect(requests).toHaveLength(1)
  expect(camera.state()).toMatchObject({ step: 'on', torch: undefined })
  hide()
  expect([camera.state().step, isReleased()]).toEqual(['off', true])
})

test('2.7 a camera that is granted after the user has left is released at once', async () => {
  const { camera, requests } = aPage()
  const { stream, isReleased } = aStream()
  const started = camera.start()
  camera.stop()
  requests[0]?.resolve(stream)
  await started
  expect([camera.state().step, isReleased()]).toEqual(['off', true])
})

test.each([
  ['NotAllowedError', 'refused'],
  ['SecurityError', 'refused'],
  ['NotFoundError', 'missing'],
  ['OverconstrainedError', 'missing'],
  ['NotReadableError', 'in-use'],
  ['NotSupportedError', 'unsupported'],
  ['SomethingElse', 'in-use'],
] as const)(
  '2.7 a camera that fails with %s is shown as %s, even after the page was hidden',
  async (name, failure) => {
    const { camera, requests, hide } = aPage()
    const started = camera.start()
    requests[0]?.reject(new DOMException('', name))
    await started
    hide()
    expect(camera.state()).toEqual({ step: 'failed', failure })
  },
)

test('2.7 a page that was not loaded over https has no camera', async () => {
  const document = { addEventListener: () => undefined, visibilityState: 'visible' } as const
  const camera = openCamera({ mediaDevices: undefined, document })
  await camera.start()
  expect(camera.state()).toEqual({ step: 'failed', failure: 'unsupported' })
})
