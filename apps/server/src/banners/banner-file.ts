/**
 * A banner file that an operator edits while the server runs. It is looked at with every request and read anew when it
 * has changed; what cannot be published is told in the log once, and what was published last stays.
 */
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import type { Logger } from 'pino'
import { type BannerContent, bannerContent } from './banner-content.ts'

/** What visitors get: the file as it was written, and a name for that very content. */
interface Published {
  readonly text: string
  readonly etag: string
}

/** The file as it is served. */
export interface BannerFile {
  readonly read: () => Promise<Published>
}

const NO_BANNERS = published('[]')

/** Opens a banner file; it need not exist yet, and announces nothing until it does. */
export function bannerFile(path: string, log: Pick<Logger, 'info' | 'warn'>): BannerFile {
  let served = NO_BANNERS
  let seen: string | undefined
  let looking: Promise<Published> | undefined

  async function look(): Promise<Published> {
    const stamp = await stampOf(path)
    if (stamp === seen) return served
    seen = stamp
    if (stamp === MISSING) {
      served = NO_BANNERS
      log.warn({ file: path }, 'the banner file is missing: no banners are shown')
      return served
    }
    const content = await contentOf(path)
    if ('faults' in content) {
      log.warn(
        { file: path, faults: content.faults },
        'the banner file cannot be published: what was published last stays',
      )
    } else {
      served = published(content.text)
      log.info({ file: path, active: content.active }, 'banners published')
    }
    return served
  }

  return {
    read() {
      looking ??= look().finally(() => {
        looking = undefined
      })
      return looking
    },
  }
}

const MISSING = 'missing'

/** Changes whenever the file does: also where an older file takes its place, whose own date says nothing new. */
async function stampOf(path: string): Promise<string> {
  try {
    const { ctimeNs, ino, size } = await stat(path, { bigint: true })
    return `${ctimeNs} ${ino} ${size}`
  } catch (error) {
    const { code } = error as { code?: string }
    return code === 'ENOENT' ? MISSING : String(code)
  }
}

async function contentOf(path: string): Promise<BannerContent> {
  try {
    // A pipe would be waited for, and a device read, for ever.
    if (!(await stat(path)).isFile()) return { faults: ['is not a file'] }
    return bannerContent(await readFile(path))
  } catch (error) {
    return { faults: [error instanceof Error ? error.message : String(error)] }
  }
}

function published(text: string): Published {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 16)
  return { text, etag: `"${hash}"` }
}
