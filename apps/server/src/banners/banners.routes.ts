import { join } from 'node:path'
import { BANNER_FILES, BANNERS_PATH } from '@portico/contracts/banner'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { bannerBucket } from './banner-bucket.ts'
import { bannerFile } from './banner-file.ts'
import { bannersAddress } from './banners.ts'

/** How often a bucket is checked. */
const BUCKET_EVERY_MS = 5 * 60 * 1000

type BannersConfig = Pick<Config, 'bannersUrl' | 'configDir' | 'production' | 'publicUrl'>

/**
 * Serves the banner files; the -test file only outside production. Browsers revalidate their cached copy each time, so
 * an edited file shows on the next page.
 */
export async function banners(
  app: FastifyInstance,
  { config, log }: { config: BannersConfig; log: Logger },
): Promise<void> {
  const names = config.production ? [BANNER_FILES.production] : Object.values(BANNER_FILES)
  for (const name of names) {
    const file = bannerFile(join(config.configDir, 'banners', name), log)
    // Log errors at startup instead of at the first request.
    await file.read()
    app.get(`${BANNERS_PATH}/${name}`, async (request, reply) => {
      const { text, etag } = await file.read()
      void reply.headers({ 'cache-control': 'no-cache', etag })
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      return reply.type('application/json; charset=utf-8').send(text)
    })
  }
  if (config.bannersUrl !== undefined) watchBucket(app, config, log)
}

function watchBucket(app: FastifyInstance, config: BannersConfig, log: Logger): void {
  const { publicUrl } = config
  const origin = publicUrl && new URL(publicUrl).origin
  const { check } = bannerBucket({ url: bannersAddress(config), origin, log })
  // Not awaited: pages load the bucket themselves.
  void check()
  const checking = setInterval(() => void check(), BUCKET_EVERY_MS)
  app.addHook('onClose', async () => clearInterval(checking))
}
