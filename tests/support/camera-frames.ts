/**
 * Pictures of connection codes as a camera sees them: 252 frames in four sizes, three angles, seven conditions and three lengths
 * of text. They are drawn from a fixed seed, so that every run reads the same.
 */
import { encode } from 'uqr'

/** A gray picture, one byte per pixel. */
export interface Frame {
  readonly name: string
  /** What the code says. */
  readonly text: string
  readonly width: number
  readonly height: number
  readonly gray: Uint8ClampedArray<ArrayBuffer>
}

const KEY = '41791102999c339c844880b23950704cc43aa840f3739e365323cda4dfa89e7a'
const URI = `wc:8a5e5bdc-a0e4-4702-ba63-8f1a5655744f@1?bridge=https%3A%2F%2Flender.example%2Fservice-wallet-connect-bridge%2Fws%2Fexternal&key=${KEY}&connectionDuration=86400`

/** The texts of the codes that pages show (protocol 14). */
const TEXTS = {
  'short link': 'https://lender.example/links/6PK4m0YfX1hT0q3cB2y7dUoJ8sVw9zRnLgE5aKiMtQx',
  uri: URI,
  link: `https://lender.example/mobile-wallet?data=${encodeURIComponent(encodeURIComponent(URI))}`,
} as const

/** The side of the picture, which is the square that the scanner reads. */
const SIDE = 720
/** The side of the code with its margin. */
const CODE_SIDES = [190, 280, 400, 560] as const
const ANGLES = [0, 20, 45] as const
const QUIET_MODULES = 4
const [PAPER, INK] = [235, 25]

/** How a frame differs from a sharp picture of a plain code. */
interface Condition {
  readonly logo?: boolean
  /** How much farther away the right side is. */
  readonly perspective?: number
  /** The radius of the blur in pixels, applied three times. */
  readonly blur?: number
  readonly noise?: number
  readonly contrast?: number
  readonly inverted?: boolean
}

const CONDITIONS: Readonly<Record<string, Condition>> = {
  plain: {},
  logo: { logo: true },
  perspective: { perspective: 0.35 },
  blur: { blur: 1 },
  noise: { noise: 55 },
  'low contrast': { contrast: 0.2, noise: 6 },
  inverted: { inverted: true },
}

/** All frames, one at a time, because together they take a lot of memory. */
export function* cameraFrames(): Generator<Frame> {
  for (const [kind, text] of Object.entries(TEXTS)) {
    for (const [condition, parts] of Object.entries(CONDITIONS)) {
      for (const side of CODE_SIDES) {
        for (const angle of ANGLES) {
          yield drawFrame(text, {
            name: `${kind}, ${condition}, ${side} px, ${angle}°`,
            width: SIDE,
            height: SIDE,
            side,
            angle,
            ...parts,
          })
        }
      }
    }
  }
}

/** Draws one code in the middle of a picture. */
export function drawFrame(
  text: string,
  parts: Condition & {
    readonly name: string
    readonly width: number
    readonly height: number
    readonly side: number
    readonly angle: number
  },
): Frame {
  const { name, width, height, side, angle } = parts
  const {
    logo = false,
    perspective = 0,
    blur = 0,
    noise = 0,
    contrast = 1,
    inverted = false,
  } = parts
  const { data, size } = encode(text, { ecc: logo ? 'Q' : 'M', border: 0 })
  const modules = size + 2 * QUIET_MODULES
  const random = randomNumbers(name)
  const [cos, sin] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)]

  /** The brightness at a point of the code, both coordinates from 0 to 1; undefined beside it. */
  const codeAt = (u: number, v: number): number | undefined => {
    if (u < 0 || u >= 1 || v < 0 || v >= 1) return undefined
    if (logo) {
      const distance = Math.hypot(u - 0.5, v - 0.5)
      if (distance < 0.06) return INK
      if (distance < 0.1) return PAPER
    }
    const [x, y] = [u, v].map((each) => Math.floor(each * modules) - QUIET_MODULES)
    const isDark = data[y ?? -1]?.[x ?? -1] === true
    return isDark !== inverted ? INK : PAPER
  }

  const sampleAt = (px: number, py: number): number => {
    const [dx, dy] = [px - width / 2, py - height / 2]
    const [x, y] = [(cos * dx + sin * dy) / side, (cos * dy - sin * dx) / side]
    // The farther, the smaller: the inverse of a projection onto a plane turned around the vertical axis.
    const depth = 1 - perspective * x
    return codeAt(x / depth + 0.5, y / depth + 0.5) ?? backgroundAt(px, py)
  }
  // A desk with a gradient of light and some edges.
  const backgroundAt = (px: number, py: number) =>
    90 + (60 * px) / width + (Math.floor(px / 97) + Math.floor(py / 61)) * 3 - (30 * py) / height

  let gray = new Float32Array(width * height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const samples =
        sampleAt(x + 0.25, y + 0.25) +
        sampleAt(x + 0.75, y + 0.25) +
        sampleAt(x + 0.25, y + 0.75) +
        sampleAt(x + 0.75, y + 0.75)
      gray[y * width + x] = 128 + (samples / 4 - 128) * contrast
    }
  }
  for (let pass = 0; pass < (blur > 0 ? 3 : 0); pass += 1) gray = blurred(gray, width, height, blur)
  if (noise > 0) gray = gray.map((value) => value + (random() + random() - 1) * noise)
  return { name, text, width, height, gray: Uint8ClampedArray.from(gray) }
}

function blurred(gray: Float32Array, width: number, height: number, radius: number) {
  const averageAlong = (from: Float32Array, stepX: number, stepY: number) =>
    from.map((_, index) => {
      const [x, y] = [index % width, Math.floor(index / width)]
      let sum = 0
      for (let offset = -radius; offset <= radius; offset += 1) {
        const [nx, ny] = [x + offset * stepX, y + offset * stepY]
        const [cx, cy] = [
          Math.min(Math.max(nx, 0), width - 1),
          Math.min(Math.max(ny, 0), height - 1),
        ]
        sum += from[cy * width + cx] ?? 0
      }
      return sum / (2 * radius + 1)
    })
  return averageAlong(averageAlong(gray, 1, 0), 0, 1)
}

/** Numbers from 0 to 1 that depend only on the seed (mulberry32). */
function randomNumbers(seed: string): () => number {
  let state = new TextEncoder().encode(seed).reduce((sum, each) => Math.imul(sum, 31) + each, 7)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** RGBA pixels, as a canvas returns them. */
export function pixelsOf({ gray, width, height }: Frame) {
  const data = new Uint8ClampedArray(gray.length * 4)
  for (const [index, value] of gray.entries()) data.set([value, value, value, 255], index * 4)
  return { data, width, height }
}

/** A film of frames of one size in the Y4M format, which Chromium plays as its camera. */
export function y4mFilm(frames: readonly Frame[]): Buffer {
  const [first] = frames
  if (first === undefined) throw new Error('A film needs a frame')
  const { width, height } = first
  // Gray: the two color planes, a quarter of the size each, are constant.
  const colors = Buffer.alloc(width * height * 0.5, 128)
  return Buffer.concat([
    Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`),
    ...frames.flatMap(({ gray }) => [Buffer.from('FRAME\n'), Buffer.from(gray), colors]),
  ])
}
