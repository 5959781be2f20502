/**
 * A banner file that operators edit while the server runs. Every request rereads it if it has changed. An invalid file is
 * logged once, and the last valid content stays published.
 */
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import type { Logger } from 'pino'
import { type BannerContent, bannerContent } from './banner-content.ts'

/** The published content and its entity tag. */
interface PublishedFile {
  readonly text: string
  readonly etag: string
}

export interface BannerFile {
  readonly read: () => Promise<PublishedFile>
}

const NO_BANNERS = publish('[]')

/** The file is optional: without it there are no banners. */
export function bannerFile(path: string, log: Pick<Logger, 'info' | 'warn'>): BannerFile {
  let served = NO_BANNERS
  let lastStamp: string | undefined
  let refreshing: Promise<PublishedFile> | undefined

  async function refresh(): Promise<PublishedFile> {
    const stamp = await readStamp(path)
    if (stamp === lastStamp) return served
    lastStamp = stamp
    if (stamp === MISSING) {
      served = NO_BANNERS
      log.warn({ file: path }, 'the banner file does not exist: no banners are shown')
      return served
    }
    const content = await readContent(path)
    if ('errors' in content) {
      log.warn(
        { file: path, errors: content.errors },
        'the banner file is invalid: the last valid content stays published',
      )
    } else {
      served = publish(content.text)
      log.info({ file: path, active: content.active }, 'banners published')
    }
    return served
  }

  return {
    read() {
      refreshing ??= refresh().finally(() => {
        refreshing = undefined
      })
      return refreshing
    },
  }
}

const MISSING = 'missing'

/** Changes whenever the file does, even if an older file replaces it. */
async function readStamp(path: string): Promise<string> {
  try {
    const { ctimeNs, ino, size } = await stat(path, { bigint: true })
    return `${ctimeNs} ${ino} ${size}`
  } catch (error) {
    const { code } = error as { code?: string }
    return code === 'ENOENT' ? MISSING : String(code)
  }
}

async function readContent(path: string): Promise<BannerContent> {
  try {
    // Reading a pipe or device could block forever.
    if (!(await stat(path)).isFile()) return { errors: ['is not a regular file'] }
    return bannerContent(await readFile(path))
  } catch (error) {
    return { errors: [error instanceof Error ? error.message : String(error)] }
  }
}

export function etagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 16)}"`
}

function publish(text: string): PublishedFile {
  return { text, etag: etagOf(text) }
}
