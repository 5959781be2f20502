import { join } from 'node:path'
import { BANNER_FILES, BANNERS_PATH } from '@portico/contracts/banner'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Edge } from '../http/serve.ts'
import { bannerBucket } from './banner-bucket.ts'
import { type BannerFile, bannerFile, etagOf } from './banner-file.ts'
import { bannersAddress } from './banners.ts'

/** How often the bucket is checked. */
const BUCKET_INTERVAL_MS = 5 * 60 * 1000

type BannersConfig = Pick<Config, 'bannersUrl' | 'configDir' | 'production' | 'publicUrl'>

/**
 * Serves the banner files; the -test file only outside production. Browsers revalidate their cached copy each time, so
 * an edited file shows on the next page.
 */
export async function banners(
  { app, visitor }: Pick<Edge, 'app' | 'visitor'>,
  {
    config,
    log,
    published,
  }: {
    readonly config: BannersConfig
    readonly log: Logger
    /** The files, overlaid with what operators published. */
    readonly published: { readonly over: (text: string, orgCode: string) => string }
  },
): Promise<{
  /** This installation's banner file. */
  readonly file: BannerFile
}> {
  const files = new Map<string, BannerFile>()
  const names = config.production ? [BANNER_FILES.production] : Object.values(BANNER_FILES)
  for (const name of names) {
    const file = bannerFile(join(config.configDir, 'banners', name), log)
    files.set(name, file)
    // Log errors at startup instead of at the first request.
    await file.read()
    app.get(`${BANNERS_PATH}/${name}`, async (request, reply) => {
      const inFile = await file.read()
      const text = published.over(inFile.text, visitor(request, reply).organization.orgCode)
      const etag = text === inFile.text ? inFile.etag : etagOf(text)
      void reply.headers({ 'cache-control': 'no-cache', etag })
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      return reply.type('application/json; charset=utf-8').send(text)
    })
  }
  if (config.bannersUrl !== undefined) watchBucket(app, config, log)
  const file = files.get(config.production ? BANNER_FILES.production : BANNER_FILES.test)
  if (file === undefined) throw new Error('The banner file of this installation is not served')
  return { file }
}

function watchBucket(app: FastifyInstance, config: BannersConfig, log: Logger): void {
  const { publicUrl } = config
  const origin = publicUrl && new URL(publicUrl).origin
  const { check } = bannerBucket({ url: bannersAddress(config), origin, log })
  // Not awaited: pages load the bucket themselves.
  void check()
  const checking = setInterval(() => void check(), BUCKET_INTERVAL_MS)
  app.addHook('onClose', async () => clearInterval(checking))
}
