import type { Decoder } from './decoder.ts'

/** After this time without a code the larger decoder helps. */
const THOROUGH_AFTER_MS = 1000
/** The side of the square that is read: enough for dense codes, and quick. */
const SIDE_PX = 720
/** The longer side of a chosen picture. */
const PICTURE_PX = 1600
/** Where frames cannot be awaited, they are polled. */
const POLL_MS = 100

/** Calls back with every code in front of the camera until the signal aborts. */
export async function scanFrames(
  video: HTMLVideoElement,
  decoder: Decoder,
  { signal, onCode }: { readonly signal: AbortSignal; readonly onCode: (text: string) => void },
): Promise<void> {
  const picture = canvas(SIDE_PX, SIDE_PX)
  let lastCodeAt = performance.now()
  while (!signal.aborted) {
    await nextFrame(video, signal)
    if (signal.aborted) return
    const { videoWidth, videoHeight } = video
    const side = Math.min(videoWidth, videoHeight)
    if (side === 0) continue
    const [x, y] = [(videoWidth - side) / 2, (videoHeight - side) / 2]
    picture.drawImage(video, x, y, side, side, 0, 0, SIDE_PX, SIDE_PX)
    const isThorough = performance.now() - lastCodeAt > THOROUGH_AFTER_MS
    const text = await decoder.decode(picture, isThorough)
    if (text === undefined || signal.aborted) continue
    lastCodeAt = performance.now()
    onCode(text)
  }
}

/** Reads the code in a picture from the device. Undefined if it has none or cannot be read as a picture. */
export async function scanPicture(file: Blob, decoder: Decoder): Promise<string | undefined> {
  const image = await createImageBitmap(file).catch(() => undefined)
  if (image === undefined) return undefined
  const scale = Math.min(1, PICTURE_PX / Math.max(image.width, image.height))
  const [width, height] = [image.width, image.height].map((each) =>
    Math.max(1, Math.round(each * scale)),
  )
  const picture = canvas(width ?? 1, height ?? 1)
  picture.drawImage(image, 0, 0, picture.canvas.width, picture.canvas.height)
  image.close()
  return decoder.decode(picture, true)
}

function canvas(width: number, height: number): CanvasRenderingContext2D {
  const element = document.createElement('canvas')
  element.width = width
  element.height = height
  const context = element.getContext('2d', { willReadFrequently: true })
  if (context === null) throw new Error('This browser cannot draw pictures')
  return context
}

function nextFrame(video: HTMLVideoElement, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = () => resolve()
  // A hidden or stopped video has no further frames.
  signal.addEventListener('abort', stop)
  if ('requestVideoFrameCallback' in video) video.requestVideoFrameCallback(stop)
  else setTimeout(stop, POLL_MS)
  return promise.finally(() => signal.removeEventListener('abort', stop))
}
